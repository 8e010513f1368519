import { isUtf16 } from './family.ts'

/** Decodes text in UTF-8, UTF-16, or in one of the encodings of Windows for Western and Central Europe. */
export function decodeText(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const start = bytes.subarray(0, 4096)
  if (isUtf16(start)) return new TextDecoder(start[0] === 0 ? 'utf-16be' : 'utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true }) // the last character may be cut
  } catch {
    return decodeWindows(bytes)
  }
}

/**
 * Chooses between the encodings of Windows for Western and for Central Europe, in which the same bytes stand for different letters. A text
 * is Central European if it would look wrong as Western European: with signs inside words (the Polish "była" as "by³a"), or with letters
 * that no Western European language uses together (the Czech "příště" as "pøíštì").
 */
function decodeWindows(bytes: Buffer): string {
  const western = new TextDecoder('windows-1252').decode(bytes)
  const hasSignsInWords = /[¹³£¯¥]\p{Ll}|\p{Ll}[¹³¿]\p{Ll}/u.test(western)
  const isCzech = western.includes('ø') && /[ìù]/.test(western)
  const isHungarian = western.includes('õ') && western.includes('û')
  return hasSignsInWords || isCzech || isHungarian ? new TextDecoder('windows-1250').decode(bytes) : western
}

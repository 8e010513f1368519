/** A family has the types of files that are read in the same way. The reader of a `zip` finds out which kind of document it is. */
export type Family = 'pdf' | 'zip' | 'oldOffice' | 'image' | 'mail' | 'markup' | 'text'

/** The number of bytes at the beginning of a file that decide which family it has. */
export const inspectedBytes = 4096

const signatures: readonly { family: Family; matches: (start: string) => boolean }[] = [
  { family: 'pdf', matches: (start) => start.slice(0, 1024).includes('%PDF-') },
  { family: 'zip', matches: (start) => start.startsWith('PK\x03\x04') },
  // the container of old Office files, and of encrypted new ones
  { family: 'oldOffice', matches: (start) => start.startsWith('\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1') },
  {
    family: 'image', // PNG, JPEG, GIF, WebP, AVIF and TIFF
    matches: (start) => /^(\x89PNG\r\n|\xFF\xD8\xFF|GIF8[79]a|RIFF[^]{4}WEBP|[^]{4}ftypavi[fs]|II\*\0|MM\0\*)/.test(start),
  },
]

const markupTypes = new Set(['html', 'htm', 'xhtml', 'xml', 'svg'])
const textTypes = new Set(['txt', 'csv', 'tsv', 'md', 'log', 'json', 'ini', 'conf', 'yaml', 'yml', 'sql', 'ics', 'vcf', 'tex', 'srt'])

/**
 * Returns the family of a file from its first bytes, and from its extension where the bytes do not tell. Returns undefined for files of
 * which nothing can be read. `fileType` is the extension in lower case.
 */
export function findFamily(start: Buffer, fileType: string): Family | undefined {
  const latin = start.toString('latin1')
  const signature = signatures.find(({ matches }) => matches(latin))
  if (signature) return signature.family
  if (fileType === 'pdf') return 'pdf' // the PDF reader reports it as damaged
  if (latin.startsWith('{\\rtf') || !isText(start, latin, fileType)) return undefined
  if (fileType === 'eml') return 'mail'
  return markupTypes.has(fileType) || /^\s*(<!doctype|<html|<\?xml|<svg)/i.test(latin) ? 'markup' : 'text'
}

/** Whether the bytes can be text. If their encoding is not Unicode, the file must have an extension of a text file. */
function isText(start: Buffer, latin: string, fileType: string): boolean {
  const hasUtf16Mark = /^(\xFF\xFE|\xFE\xFF)/.test(latin)
  if (hasUtf16Mark) return true
  // oxlint-disable-next-line no-control-regex -- text has none of these characters
  if (/[\x00-\x08\x0E-\x1A\x1C-\x1F]/.test(latin)) return textTypes.has(fileType) && isUtf16(start)
  return textTypes.has(fileType) || markupTypes.has(fileType) || fileType === 'eml' || isUtf8(start)
}

/** Whether about every second byte is 0, as in Latin text in UTF-16 without a byte order mark. */
export function isUtf16(start: Buffer): boolean {
  const odd = start.filter((byte, index) => index % 2 === 1 && byte === 0).length
  const even = start.filter((byte, index) => index % 2 === 0 && byte === 0).length
  return Math.max(odd, even) > start.length / 4 && Math.min(odd, even) < start.length / 50
}

function isUtf8(start: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true }) // the last character may be cut
    return true
  } catch {
    return false
  }
}

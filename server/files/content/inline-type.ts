/** The number of bytes at the beginning of a file that decide which type it has. */
export const inspectedBytes = 4096

type Rule = { type: string; matches: (bytes: Buffer) => boolean }

const startsWith =
  (...signature: number[]) =>
  (bytes: Buffer): boolean =>
    bytes.subarray(0, signature.length).equals(Buffer.from(signature))

const hasText =
  (text: string, start: number) =>
  (bytes: Buffer): boolean =>
    bytes.toString('latin1', start, start + text.length) === text

const isJpeg: Rule = { type: 'image/jpeg', matches: startsWith(0xff, 0xd8, 0xff) }

/** The image types that a browser may show, by extension. The first bytes must agree with the extension. */
const rules: Readonly<Record<string, Rule>> = {
  png: { type: 'image/png', matches: startsWith(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a) },
  jpg: isJpeg,
  jpeg: isJpeg,
  gif: { type: 'image/gif', matches: (bytes) => hasText('GIF87a', 0)(bytes) || hasText('GIF89a', 0)(bytes) },
  webp: { type: 'image/webp', matches: (bytes) => hasText('RIFF', 0)(bytes) && hasText('WEBP', 8)(bytes) },
  avif: { type: 'image/avif', matches: (bytes) => hasText('ftypavif', 4)(bytes) },
}

/** Matches markup. An image with markup in its first bytes was probably made so that a browser takes it for a page. */
const markup = /<(?:!doctype|html|head|body|script|svg|iframe|math|\?xml|\?php)\b/i

/**
 * Returns the type with which a browser may show a file, from its extension and its first bytes, never from the type that the upload
 * declares. Returns undefined for every other file, which is only downloaded.
 */
export function findInlineType(fileType: string, firstBytes: Buffer): string | undefined {
  const rule = Object.hasOwn(rules, fileType) ? rules[fileType] : undefined
  if (!rule?.matches(firstBytes)) return undefined
  return markup.test(firstBytes.toString('latin1')) ? undefined : rule.type
}

import { isInvisible } from './fields.ts'

/** Characters that change the direction of text. With them, the name `fdp.exe` could be shown as `exe.pdf`. */
const directionMarks = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g
/** Invisible characters that no language needs, such as the zero width space. With them, two different names could look equal. */
const invisibleCharacters = /[\u00AD\u180E\u200B\u2060-\u2064\uFEFF]/g
const controlCharacters = /[\p{Cc}\u2028\u2029]/gu

/** The limit of a file name in the file systems of Linux, in bytes. */
const maxNameBytes = 255
const defaultName = 'file'

/** Removes invisible characters, and composes letters with their accents (Unicode form NFC), so that names that look equal are equal. */
export const removeInvisible = (name: string): string =>
  name.replaceAll(directionMarks, '').replaceAll(invisibleCharacters, '').normalize('NFC').trim()

/**
 * Returns a name under which a file can be stored on every system: the last segment of a path, without control characters and invisible
 * ones, at most 255 bytes of UTF-8 with its extension. Returns "file" if nothing is left.
 */
export function cleanFileName(text: string): string {
  const segments = text.toWellFormed().split(/[/\\]/)
  const name = removeInvisible((segments.findLast((segment) => segment.trim() !== '') ?? '').replaceAll(controlCharacters, ''))
  const isEmptyOrDots = /^\.*$/.test(name)
  // some invisible characters, such as joiners, are not removed above, because texts need them between letters
  return isEmptyOrDots || isInvisible(name) ? defaultName : shorten(name)
}

/**
 * Returns the extension of a name in lower case: 1 to 16 letters or digits after the last dot. Returns "unknown" without one, as for
 * ".profile".
 */
export const readFileType = (name: string): string => /[^.]\.([a-z0-9]{1,16})$/i.exec(name)?.[1]?.toLowerCase() ?? 'unknown'

/** Returns the name with a number before the extension: "Offer (2).pdf". */
export function addNumber(name: string, number: number): string {
  const { stem, extension } = splitName(name)
  const suffix = ` (${number})${extension}`
  return cut(stem, maxNameBytes - countBytes(suffix)) + suffix
}

function shorten(name: string): string {
  if (countBytes(name) <= maxNameBytes) return name
  const { stem, extension } = splitName(name)
  return cut(stem, maxNameBytes - countBytes(extension)).trimEnd() + extension
}

/** Splits a name before its extension, which includes the dot here. */
function splitName(name: string): { stem: string; extension: string } {
  const [extension = ''] = /(?<=[^.])\.[a-z0-9]{1,16}$/i.exec(name) ?? []
  return { stem: name.slice(0, name.length - extension.length), extension }
}

/** Returns the beginning of a text: as many whole characters as fit into `maxBytes` bytes of UTF-8. */
function cut(text: string, maxBytes: number): string {
  let bytes = 0
  let end = 0
  for (const character of text) {
    bytes += countBytesOfCharacter(character)
    if (bytes > maxBytes) break
    end += character.length
  }
  return text.slice(0, end)
}

const countBytes = (text: string): number => Array.from(text).reduce((sum, character) => sum + countBytesOfCharacter(character), 0)

/** Returns the number of bytes of one character in UTF-8. */
function countBytesOfCharacter(character: string): number {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}

import type { TextEncoding } from '#contract/imports.ts'
import type { Finding } from './table.ts'

/** What users may choose. */
export type EncodingOptions = { encoding?: TextEncoding }

const names: Record<TextEncoding, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'windows-1250': 'Windows-1250 (Central European)',
  'windows-1252': 'Windows-1252 (Western European)',
  'windows-1254': 'Windows-1254 (Turkish)',
}

/** Returns the finding with the encoding in which the text is read. */
export const describeEncoding = (encoding: TextEncoding): Finding => ({
  code: 'encoding',
  message: `The text is read as ${names[encoding]}.`,
})

/**
 * Returns the encoding of a text from its first bytes. A text with only ASCII counts as UTF-8, as does a text with a few invalid bytes
 * among many characters of UTF-8. `isWhole` is false if more bytes follow: then the last character of UTF-8 may be incomplete. A whole text
 * whose only bytes above 127 are such an incomplete character is not UTF-8.
 */
export function detectEncoding(start: Uint8Array, { isWhole = true } = {}): TextEncoding {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le'
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be'
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return 'utf-8'
  const wide = findUtf16(start)
  if (wide) return wide
  const text = new TextDecoder('utf-8').decode(start, { stream: true })
  const invalid = count(text, /\uFFFD/g)
  const valid = count(text, /[^\0-\x7F\uFFFD]/gu)
  if (isWhole && invalid === 0 && valid === 0 && !isAscii(start)) return chooseWindows(start)
  return invalid === 0 || valid > 10 * invalid ? 'utf-8' : chooseWindows(start)
}

/** Whether all bytes are ASCII, which is the same in UTF-8 and in the encodings of Windows. */
export const isAscii = (bytes: Uint8Array): boolean => bytes.every((byte) => byte < 0x80)

/**
 * Recognises UTF-16 without a byte order mark by its zero bytes, which other encodings do not have. In UTF-16, one of the two bytes of each
 * Latin letter, space and comma is zero, so more than a fifth of the bytes are zero, and almost all of them at even or at odd positions.
 */
function findUtf16(start: Uint8Array): TextEncoding | undefined {
  const bytes = start.subarray(0, 4096)
  const zeros = [0, 0]
  for (const [index, byte] of bytes.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (Math.max(even, odd) <= bytes.length / 5 || Math.min(even, odd) > bytes.length / 50) return undefined
  return odd > even ? 'utf-16le' : 'utf-16be'
}

/**
 * The letters of the languages that are written in an encoding, without those that are the same in all three. In Spanish and Portuguese ª
 * and º stand after a number, or as in "nº" and "Mª".
 */
const typicalLetters: Record<'windows-1250' | 'windows-1252' | 'windows-1254', RegExp> = {
  'windows-1250': /[ĄąĆćĘęŁłŃńŚśŹźŻżČčĎďĚěŇňŘřŠšŤťŮůŽžĽľĹĺŔŕŐőŰűĂăŞşŢţĐđ]/g,
  'windows-1252': /[ÀàÃãÅåÆæÈèÊêÌìÐðÑñÒòÕõØøÙùÛûÝýÞþŒœŸÿŠšŽž¿¡]|(?<=[nNM\d])[ªº]/g,
  'windows-1254': /[ĞğİıŞş]/g,
}
/** Signs that stand inside of words or at their beginning only when the encoding is wrong: "by³a" for "była", "£ukasz" for "Łukasz". */
const signInWord = /\p{L}[¹²³£¯¥¼½¾¿¡¢¦ª°ºµ×÷¸¨´˝˛ˇ˘˙]\p{L}|[¹³£¯¥¼¿][\p{Ll}]/gu
/** A capital after a small letter, as the wrong encoding has it in "paŸdziernik" for "październik". A to Z are left out: "McDonald". */
const capitalInWord = /\p{Ll}(?![A-Z])\p{Lu}/gu
/**
 * Combinations of letters that only Central European text has when it is wrongly read as Windows-1252: the text has `all` and not `none`.
 * With `isWeak`, the names of several people in a Western European list may also have the letters, such as Søren and García: the
 * combination counts only if the text does not have many more of the letters in `westernLetters`.
 */
const centralSigns: readonly { all: readonly RegExp[]; none?: RegExp; isWeak?: true }[] = [
  // Czech, ø and another letter in one word: "Dvoøák" for "Dvořák"; å and æ are Danish
  { all: [/(?<!\p{L})(?=\p{L}*ø)\p{L}*[áíýúìù]/iu], none: /[åæ]/i },
  // Czech, the letters in two words: "Petøek Èerný" for "Petřek Černý"
  { all: [/ø/i, /[áíýúìù]/i], none: /[åæ]/i, isWeak: true },
  // Hungarian: "Erdõs Kálmán" for "Erdős Kálmán"; õe and ã are Portuguese, as in "Camões" and "João"
  { all: [/õ(?!e)/i, /[áéíû]/i], none: /ã/i },
  // Romanian: "Bãlþi" for "Bălţi", "Timiºoara, Bacãu" for "Timişoara, Bacău"; the º of "nº 5" is Portuguese
  { all: [/ã/i, /þ|(?<![\dn])º\p{Ll}|\p{Ll}{3}º/iu] },
  // Croatian, at the end of a word: "Petroviæ" for "Petrović"
  { all: [/iæ(?!\p{L})/iu] },
  // Croatian and Slovenian: "Kovaè Žiga" for "Kovač Žiga"
  { all: [/[šž]/i, /[èæ]/i], isWeak: true },
]
/** Letters of Western European text, and the letters that Czech and Croatian text has when it is read as Windows-1252. */
const [westernLetters, centralLetters] = [/[äöüßñçêâôîûœåæãõ]/gi, /[øáíýúìùšžèòï]/gi]
/** Letters of Windows-1252 that stand for Turkish ones. Icelandic words begin with Þ too, but seldom before these vowels. */
const turkishSigns = /[ýþð]|Þ[aiü]/

/** Returns the encoding of Windows in which the text has the most usual letters and the fewest signs inside of words. */
function chooseWindows(start: Uint8Array): TextEncoding {
  const western = score('windows-1252', start)
  const central = score('windows-1250', start)
  const turkish = score('windows-1254', start)
  if (isTurkish(western.text) && turkish.points >= central.points - 2) return 'windows-1254'
  const isMostlyWestern = count(western.text, westernLetters) > 2 * count(western.text, centralLetters)
  const isCentral = centralSigns.some(
    ({ all, none, isWeak }) => all.every((sign) => sign.test(western.text)) && !none?.test(western.text) && !(isWeak && isMostlyWestern),
  )
  return isCentral || central.points > western.points ? 'windows-1250' : 'windows-1252'
}

/**
 * In Windows-1252, Turkish text has Icelandic letters: ð, ý and þ for ğ, ı and ş. It has them inside of words and without the letters æ and
 * á of Icelandic, and ý without the letters ì and è of Czech.
 */
function isTurkish(western: string): boolean {
  if (!turkishSigns.test(western)) return false
  const icelandic = count(western, /[æáéíóúÆÁÉÍÓÚ]/g)
  const central = count(western, /[ãìèøùïòáéíúÈØÙÏÒ¹³¿œêæñ]/g)
  return count(western, /[ýþðÝÞÐüöçÜÖÇ]/g) > 2 * (icelandic + central)
}

function score(encoding: keyof typeof typicalLetters, start: Uint8Array): { text: string; points: number } {
  const text = new TextDecoder(encoding).decode(start)
  const mistakes = count(text, signInWord) + count(text, capitalInWord) + count(text, /[\x80-\x9F]/g)
  return { text, points: count(text, typicalLetters[encoding]) - 5 * mistakes }
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

import { maxRowLength } from './table.ts'

/** A line of a text. A line longer than `maxRowLength` is cut to one character more, so that it is recognised as too long. */
export type TextLine = { line: number; text: string }

/** Splits pieces of a text into lines, without the line ends. */
export async function* readLines(pieces: AsyncIterable<string>): AsyncGenerator<TextLine> {
  let rest = ''
  let line = 1
  for await (const piece of pieces) {
    const parts = piece.split('\n')
    parts[0] = rest + (parts[0] ?? '')
    rest = (parts.pop() ?? '').slice(0, maxRowLength + 1)
    for (const part of parts) yield { line: line++, text: withoutReturn(part.slice(0, maxRowLength + 1)) }
  }
  if (rest !== '') yield { line, text: withoutReturn(rest) }
}

const withoutReturn = (text: string): string => (text.endsWith('\r') ? text.slice(0, -1) : text)

/** A property of a vCard, with its types in lower case, such as "work". */
export type CardProperty = { name: string; types: string[]; preference: number; value: string; isVersion2: boolean }

/** Matches `item1.TEL;TYPE="work,voice":+49 30 123`: a group, the name (1), the parameters with their semicolon (2), and the value (3). */
const propertyPattern = /^(?:[\w-]+\.)?([\w-]+)((?:;[^:"]*(?:"[^"]*"[^:"]*)*)?):([^]*)$/
/** Pictures, sounds and keys, which are not imported. Their values can have megabytes. */
const ignoredNames = /^(?:[\w-]+\.)?(PHOTO|LOGO|SOUND|KEY)[;:]/i

export const isIgnoredLine = (text: string): boolean => ignoredNames.test(text)

export const isQuotedPrintable = (text: string): boolean => /^[^:]*[;=]QUOTED-PRINTABLE[;:]/i.test(text)

/** Parses an unfolded line of a vCard; undefined if it is not a property. */
export function parseProperty(text: string, isVersion2: boolean): CardProperty | undefined {
  const match = propertyPattern.exec(text)
  if (!match) return undefined
  const [, name = '', parameterText = '', source = ''] = match
  const parameters = parseParameters(parameterText)
  const encoding = parameters.get('ENCODING')?.[0]?.toUpperCase()
  const types = (parameters.get('TYPE') ?? []).map((type) => type.toLowerCase())
  const preference = Number(parameters.get('PREF')?.[0] ?? (types.includes('pref') ? 1 : 100))
  const value = decode(source, encoding, parameters.get('CHARSET')?.[0])
  return { name: name.toUpperCase(), types, preference, value, isVersion2 }
}

/** Returns the values of parameters. In version 2.1, types and encodings have no name, as in `TEL;WORK;VOICE`. */
function parseParameters(text: string): Map<string, string[]> {
  const parameters = new Map<string, string[]>()
  for (const part of text.match(/(?:"[^"]*"|[^;"])+/g) ?? []) {
    const equals = part.indexOf('=')
    const value = part.slice(equals + 1).replaceAll('"', '')
    const isEncoding = /^(QUOTED-PRINTABLE|BASE64|8BIT|7BIT)$/i.test(value)
    const name = equals >= 0 ? part.slice(0, equals).toUpperCase() : isEncoding ? 'ENCODING' : 'TYPE'
    const values = parameters.get(name) ?? []
    parameters.set(name, values)
    for (const each of value.split(',')) values.push(each) // there may be more values than a call can have arguments
  }
  return parameters
}

function decode(source: string, encoding: string | undefined, charset: string | undefined): string {
  if (encoding === 'QUOTED-PRINTABLE') return decodeBytes(parseQuotedPrintable(source), charset)
  if (encoding === 'B' || encoding === 'BASE64') return decodeBytes(Buffer.from(source, 'base64'), charset)
  return source
}

/** Characters that are not ASCII are not allowed here; they are kept as UTF-8. */
function parseQuotedPrintable(source: string): Uint8Array {
  const parts = source.split(/=([\dA-F]{2})/i)
  return Buffer.concat(parts.map((part, index) => Buffer.from(part, index % 2 === 1 ? 'hex' : 'utf8')))
}

function decodeBytes(bytes: Uint8Array, charset: string | undefined): string {
  for (const label of [charset, 'utf-8'])
    try {
      if (label) return new TextDecoder(label, { fatal: true }).decode(bytes).replaceAll('\0', '')
    } catch {
      continue // an unknown charset, or bytes of another one
    }
  return new TextDecoder('windows-1252').decode(bytes).replaceAll('\0', '')
}

/** Splits a value at a separator, and removes backslashes from the parts. In version 2.1, the only such escape is `\;`. */
export function splitValue({ value, isVersion2 }: CardProperty, separator: ';' | ','): string[] {
  const parts = ['']
  for (const piece of value.match(/\\[^]|[^\\;,]+|[^]/g) ?? []) {
    if (piece === separator) parts.push('')
    else parts[parts.length - 1] += isVersion2 ? piece.replace('\\;', ';') : unescape(piece)
  }
  return parts.map((part) => part.trim())
}

/** Returns the whole value as text. */
export const readValue = (property: CardProperty): string =>
  (property.isVersion2 ? property.value.replaceAll('\\;', ';') : property.value.replaceAll(/\\[^]/g, unescape)).trim()

function unescape(piece: string): string {
  if (!piece.startsWith('\\')) return piece
  return /^\\n$/i.test(piece) ? '\n' : piece.slice(1)
}

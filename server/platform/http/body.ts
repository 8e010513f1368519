import type { FastifyInstance } from 'fastify'
import { Refusal } from '#server/platform/refusal.ts'

/** The maximum size of a JSON body. A bulk request with 1,000 ids and the longest description fits. */
export const bodyLimitBytes = 1024 * 1024

/** The maximum number of values in a JSON body, which is more than any route needs. Reading very many would block all other requests. */
const maxValues = 100_000

/** The maximum depth of nested values, which is more than any route needs. */
const maxNesting = 100

/**
 * Makes the server parse JSON bodies with `parseJson`. Text that PostgreSQL cannot store is refused: the character NUL, and lone
 * surrogates, which are halves of a character in UTF-16.
 */
export function acceptJson(server: FastifyInstance, limits = { maxBytes: bodyLimitBytes, maxValues }): void {
  server.removeAllContentTypeParsers()
  const options = { parseAs: 'string', bodyLimit: limits.maxBytes } as const
  server.addContentTypeParser('application/json', options, async (_request: unknown, text: string) => {
    if (hasTooManyValues(text, limits.maxValues)) throw new Refusal('malformed')
    return parseJson(text)
  })
}

/** Whether a JSON text has more values than `max`. Counts the separators outside of strings, because parsing so many values takes long. */
function hasTooManyValues(text: string, max: number): boolean {
  let count = 0
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (character === '"') index = findEndOfString(text, index)
    else if (character === ',' || character === '[' || character === '{') count++
    if (count > max) return true
  }
  return false
}

/** Returns the index of the quote that ends the string which begins at `start`; the length of the text if there is none. */
function findEndOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let firstBackslash = end
    while (text[firstBackslash - 1] === '\\') firstBackslash--
    if ((end - firstBackslash) % 2 === 0) return end
  }
  return text.length
}

/**
 * Parses JSON; returns undefined for an empty text. Throws `malformed`, also for values that are nested too deeply, or `invalid` for text
 * that PostgreSQL cannot store.
 */
export function parseJson(text: string): unknown {
  if (text === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Refusal('malformed', {}, error)
  }
  if (isTooDeep(value)) throw new Refusal('malformed')
  // NUL is \u0000 and surrogates are \ud800 to \udfff; JSON can contain them only as these escapes, and a body without such an escape needs
  // no check of each value
  const hasSuspectEscape = /\\u(?:0000|[dD][89a-fA-F])/.test(text)
  if (hasSuspectEscape) refuseUnstorable(value, '')
  return value
}

/** Returns the refusal of a body with a Content-Encoding that the route does not accept. */
export const encodingRefusal = (message: string): Refusal =>
  new Refusal('unsupported_media_type', { fields: { 'Content-Encoding': message } })

/** Throws `invalid` for text that PostgreSQL cannot store. `path` is the name of the value in the error, such as `tags.0`. */
export function refuseUnstorable(value: unknown, path: string): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) {
      throw new Refusal('invalid', { fields: { [path]: 'This text holds characters that cannot be stored' } })
    }
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const [key, nestedValue] of Object.entries(value)) {
    refuseUnstorable(key, path)
    refuseUnstorable(nestedValue, path === '' ? key : `${path}.${key}`)
  }
}

/** Whether values are nested so deeply that a recursive function, such as JSON.stringify, might exceed the stack. */
export const isTooDeep = (value: unknown, depth = 0): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth > maxNesting || Object.values(value).some((nestedValue) => isTooDeep(nestedValue, depth + 1)))

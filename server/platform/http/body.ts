import type { FastifyInstance } from 'fastify'
import { Refusal } from '#server/platform/refusal.ts'

/** Largest JSON body: fits a bulk request of 1,000 ids and the longest description. */
export const bodyLimitBytes = 1024 * 1024

/** No input of a route is nested as deep. */
const maxNesting = 100

/** Parses JSON bodies. Refuses text that PostgreSQL cannot store: NUL and lone surrogates. */
export function acceptJson(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: bodyLimitBytes },
    async (_request: unknown, text: string) => parseJson(text),
  )
}

/** Parses JSON. Throws `malformed`, and `invalid` for text that PostgreSQL cannot store. */
export function parseJson(text: string): unknown {
  if (text === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Refusal('malformed', {}, error)
  }
  // both can only come from an escape, so most bodies need no visit of each value
  if (/\\u(?:0000|[dD][89a-fA-F])/.test(text)) refuseUnstorable(value, '')
  return value
}

/** Throws `invalid` for text that no column can hold, naming its field. */
export function refuseUnstorable(value: unknown, path: string, depth = 0): void {
  if (depth > maxNesting) throw new Refusal('malformed')
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) {
      throw new Refusal('invalid', { fields: { [path]: 'This text holds characters that cannot be stored' } })
    }
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    refuseUnstorable(key, path)
    refuseUnstorable(inner, path === '' ? key : `${path}.${key}`, depth + 1)
  }
}

import type { FastifyInstance } from 'fastify'
import { Refusal } from '#server/platform/refusal.ts'

/** Largest JSON body: a bulk call of 1,000 ids and the longest description both fit well. */
export const bodyLimitBytes = 1024 * 1024

/** Nothing that a route takes is nested as deep as this. */
const deepestNesting = 100

/** JSON without the two things that PostgreSQL cannot keep in text: NUL and half a surrogate pair. */
export function acceptJson(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: bodyLimitBytes },
    async (_request: unknown, text: string) => parseJson(text),
  )
}

function parseJson(text: string): unknown {
  if (text === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Refusal('malformed', {}, error)
  }
  // only an escape can bring them in, so that a look at the raw text spares the walk
  if (/\\u(?:0000|[dD][89a-fA-F])/.test(text)) refuseUnstorable(value, '')
  return value
}

/** Refuses text that no column can hold, naming its field. */
export function refuseUnstorable(value: unknown, path: string, depth = 0): void {
  if (depth > deepestNesting) throw new Refusal('malformed')
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

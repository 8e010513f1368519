import type { FastifyReply, FastifyRequest } from 'fastify'
import { create as contentDisposition } from 'content-disposition'
import type { StoredFile } from '#contract/route.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { sendChunks } from './file.ts'
import { allowsTag, matchesTag, parseRange, type ByteRange } from './range.ts'

/**
 * Headers of every response of a route that sends bytes, also of errors. With them, scripts in a stored HTML file cannot run in our origin.
 */
export const byteHeaders = { 'content-security-policy': "default-src 'none'; sandbox" }

/**
 * Sends a stored file or one range of its bytes. Sends 304 when the client has the current version. Sends the whole file when `If-Range`
 * names an older version. Throws `range_not_satisfiable`, and `changed_since` when `If-Match` names only other versions.
 */
export async function sendStoredFile(result: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (!isStoredFile(result)) throw new Error('A download route must return a stored file')
  const { size, etag } = result
  const { headers, method } = request
  const tag = `"${etag}"`
  const versionHeaders = { etag: tag, 'cache-control': 'private, no-cache', 'accept-ranges': 'bytes' }
  if (!allowsTag(headers['if-match'], tag)) throw new Refusal('changed_since')
  if (matchesTag(headers['if-none-match'], tag)) return reply.code(304).headers(versionHeaders).send()
  const isSameVersion = headers['if-range'] === undefined || headers['if-range'] === tag
  const range = isSameVersion && method === 'GET' ? parseRange(headers.range, size) : undefined
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${size}`)
    throw new Refusal('range_not_satisfiable')
  }
  const sentBytes = range ?? { start: 0, end: size - 1 }
  const allHeaders = {
    ...versionHeaders,
    ...contentHeaders(result, sentBytes),
    ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${size}` }),
  }
  reply.code(range ? 206 : 200)
  if (method === 'HEAD') return reply.headers(allHeaders).send()
  if (size === 0) return reply.headers(allHeaders).send('')
  return sendChunks(readExactly(result, sentBytes), allHeaders, reply)
}

/** Returns the headers that describe the bytes that are sent. */
const contentHeaders = ({ name, type, disposition = 'attachment' }: StoredFile, { start, end }: ByteRange) => ({
  'content-type': type, // Fastify's `type` would add a charset
  'content-length': end - start + 1,
  'content-disposition': contentDisposition(name, { type: disposition }),
})

/** Throws when the file has fewer bytes than announced, so that the connection is closed and the client sees the failure. */
async function* readExactly({ read }: StoredFile, range: ByteRange): AsyncGenerator<Uint8Array> {
  let missingBytes = range.end - range.start + 1
  for await (const chunk of read(range)) {
    missingBytes -= chunk.byteLength
    if (missingBytes < 0) break
    yield chunk
  }
  if (missingBytes !== 0) throw new Error('A stored file does not have the size that it was sent with')
}

const isStoredFile = (value: unknown): value is StoredFile =>
  typeof value === 'object' && value !== null && 'read' in value && 'etag' in value

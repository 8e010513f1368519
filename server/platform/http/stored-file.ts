import type { FastifyReply, FastifyRequest } from 'fastify'
import { create as contentDisposition } from 'content-disposition'
import type { StoredFile } from '#contract/route.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { sendChunks } from './file.ts'
import { matchesTag, parseRange, type ByteRange } from './range.ts'

/**
 * Sends a stored file or one range of it. Sends 304 when the client has the same version. A range with an `If-Range` of another version
 * gets the whole file. Throws `range_not_satisfiable`.
 */
export async function sendStoredFile(result: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (!isStoredFile(result)) throw new Error('A download route returns a stored file')
  const { size, etag } = result
  const { headers, method } = request
  const tag = `"${etag}"`
  const version = { etag: tag, 'cache-control': 'private, no-cache', 'accept-ranges': 'bytes' }
  if (matchesTag(headers['if-none-match'], tag)) return reply.code(304).headers(version).send()
  const isSameVersion = headers['if-range'] === undefined || headers['if-range'] === tag
  const range = isSameVersion ? parseRange(headers.range, size) : undefined
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${size}`)
    throw new Refusal('range_not_satisfiable')
  }
  const part = range ?? { start: 0, end: size - 1 }
  const all = { ...version, ...describe(result, part), ...(range && { 'content-range': `bytes ${part.start}-${part.end}/${size}` }) }
  reply.code(range ? 206 : 200)
  if (method === 'HEAD') return reply.headers(all).send()
  if (size === 0) return reply.headers(all).send('')
  return sendChunks(readExactly(result, part), all, reply)
}

const describe = ({ name, type, disposition = 'attachment' }: StoredFile, { start, end }: ByteRange) => ({
  'content-type': type, // Fastify's `type` would add a charset
  'content-length': end - start + 1,
  'content-disposition': contentDisposition(name, { type: disposition }),
  'content-security-policy': "default-src 'none'; sandbox", // a stored page must not run in our origin
})

/** Throws when the file has fewer bytes than announced, so that the connection is closed and the client sees the failure. */
async function* readExactly({ read }: StoredFile, range: ByteRange): AsyncGenerator<Uint8Array> {
  let missing = range.end - range.start + 1
  for await (const chunk of read(range)) {
    missing -= chunk.byteLength
    if (missing < 0) break
    yield chunk
  }
  if (missing !== 0) throw new Error('A stored file does not have the size that it was sent with')
}

const isStoredFile = (value: unknown): value is StoredFile =>
  typeof value === 'object' && value !== null && 'read' in value && 'etag' in value

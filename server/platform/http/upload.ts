import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { encodingRefusal, parseJson } from './body.ts'
import { liftRequestTimeout } from './request-timeout.ts'

/**
 * The body of an upload, of any size and type. The client sends only as fast as the handler reads `content` (back-pressure). Reading fails
 * when the client disconnects, or sends nothing for 60 s. `size` is in bytes, undefined for a chunked body. `type` is the content type that
 * the client sent.
 */
export type Upload = { content: Readable; size: number | undefined; type: string }

/** The connection is closed when the client sends nothing for this time although the handler waits for bytes. */
const sendTimeoutMs = 60_000

/**
 * Leaves bodies of every type unread for the handler. `server` must contain only upload routes. A compressed body is refused, because
 * the server would decompress it, and the handler must get the bytes that the client sent and their number.
 */
export function acceptUploads(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', (_request, _payload, done) => done(null))
  server.addHook('onRequest', async ({ raw, headers }) => {
    if (headers['content-encoding'] !== undefined) throw encodingRefusal('Send the bytes without Content-Encoding')
    liftRequestTimeout(raw)
  })
}

/** Returns the unread body of a request. From now on the client is disconnected when it sends nothing for `timeoutMs`. */
export function toUpload({ raw, headers }: FastifyRequest, reply: FastifyReply, timeoutMs = sendTimeoutMs): Upload {
  if (raw.socket instanceof Socket) disconnectSilentClient(raw, reply.raw, timeoutMs) // a request that a test injects has no real socket
  const length = headers['content-length']
  return {
    content: raw,
    size: length === undefined ? undefined : Number(length),
    type: headers['content-type'] ?? 'application/octet-stream',
  }
}

/** Closes the connection when the client sends nothing for `timeoutMs`, but not while bytes wait for a slow handler. */
function disconnectSilentClient(request: IncomingMessage, response: ServerResponse, timeoutMs: number): void {
  const { socket } = request
  request.setTimeout(timeoutMs, () => {
    const isHandlerSlow = request.readableLength > 0
    if (!isHandlerSlow) request.destroy(new Error('The client sent nothing for too long'))
  })
  request.once('close', () => {
    // the body is complete, so the client need not send anything before it gets the response
    if (!response.writableFinished) socket.setTimeout(0)
  })
  // without a listener Node would close the connection while a slow handler processes the bytes it has read
  response.on('timeout', () => {})
}

type RawBody = { bytes: Buffer; json: unknown }

/**
 * Reads bodies into memory and keeps both their bytes and the parsed JSON. With `acceptsAnyType` a body of another content type is accepted
 * too, without parsing. `server` must contain only routes with raw bodies.
 */
export function acceptRawBodies(
  server: FastifyInstance,
  { maxBytes, acceptsAnyType }: { maxBytes: number; acceptsAnyType: boolean },
): void {
  const options = { parseAs: 'buffer', bodyLimit: maxBytes } as const
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', options, async (_request: unknown, bytes: Buffer) => ({
    bytes,
    json: parseJson(bytes.toString()),
  }))
  if (acceptsAnyType) server.addContentTypeParser('*', options, async (_request: unknown, bytes: Buffer) => ({ bytes, json: undefined }))
}

/** Returns the body that a parser of `acceptRawBodies` has read. For a request without a body it has no bytes. */
export const readRawBody = ({ body }: FastifyRequest): RawBody => (isRawBody(body) ? body : { bytes: Buffer.alloc(0), json: undefined })

const isRawBody = (body: unknown): body is RawBody =>
  typeof body === 'object' && body !== null && 'bytes' in body && Buffer.isBuffer(body.bytes)

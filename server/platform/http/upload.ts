import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parseJson } from './body.ts'

/**
 * The body of an upload, of any size and type. The client sends only as fast as `content` is read (back-pressure). Reading fails when the
 * client disconnects, or sends nothing for 60 s. `size` is undefined for a chunked body. `type` is the content type that the client sent.
 */
export type Upload = { content: Readable; size: number | undefined; type: string }

/** The maximum time in which the client sends nothing although the handler reads. */
const sendTimeoutMs = 60_000

const uploading = new WeakSet<object>()

/** Whether an upload is arriving on this connection. The time limit of a request does not apply to it. */
export const carriesUpload = (socket: object): boolean => uploading.has(socket)

/** Leaves bodies of every type unread for the handler. `scope` must contain only upload routes. */
export function acceptUploads(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
  scope.addHook('onRequest', async ({ raw }) => {
    const { socket } = raw
    uploading.add(socket)
    raw.once('close', () => uploading.delete(socket))
  })
}

export function uploadOf({ raw, headers }: FastifyRequest, reply: FastifyReply, timeoutMs = sendTimeoutMs): Upload {
  if (raw.socket instanceof Socket) limitSilence(raw, reply.raw, timeoutMs)
  const length = headers['content-length']
  return {
    content: raw,
    size: length === undefined ? undefined : Number(length),
    type: headers['content-type'] ?? 'application/octet-stream',
  }
}

function limitSilence(request: IncomingMessage, response: ServerResponse, timeoutMs: number): void {
  const { socket } = request
  request.setTimeout(timeoutMs, () => {
    const isHandlerSlow = request.readableLength > 0
    if (!isHandlerSlow) request.destroy(new Error('The client sent nothing for too long'))
  })
  request.once('close', () => response.writableFinished || socket.setTimeout(0))
  response.on('timeout', () => {}) // without a listener Node closes the connection while the handler processes what it has read
}

type RawBody = { bytes: Buffer; json: unknown }

/**
 * Reads bodies into memory and keeps both their bytes and the parsed JSON. With `anyType` bodies of other types are accepted as bytes
 * only. `scope` must contain only routes with raw bodies.
 */
export function acceptRawBodies(scope: FastifyInstance, maxBytes: number, anyType: boolean): void {
  const options = { parseAs: 'buffer', bodyLimit: maxBytes } as const
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('application/json', options, async (_request: unknown, bytes: Buffer) => ({
    bytes,
    json: parseJson(bytes.toString()),
  }))
  if (anyType) scope.addContentTypeParser('*', options, async (_request: unknown, bytes: Buffer) => ({ bytes, json: undefined }))
}

/** Returns the body of a route in a scope of `acceptRawBodies`, with no bytes for a request without a body. */
export const readRawBody = ({ body }: FastifyRequest): RawBody => (isRawBody(body) ? body : { bytes: Buffer.alloc(0), json: undefined })

const isRawBody = (body: unknown): body is RawBody =>
  typeof body === 'object' && body !== null && 'bytes' in body && Buffer.isBuffer(body.bytes)

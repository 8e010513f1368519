import { Agent as HttpAgent, request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { StorageError, type StorageReason } from './storage.ts'

/**
 * An S3-compatible store. With `isPathStyle` the bucket is in the path of addresses, otherwise in their host name. A request fails when the
 * store is silent for `silenceMs`.
 */
export type S3Settings = {
  endpoint: string
  region: string
  bucket: string
  isPathStyle: boolean
  accessKeyId: string
  secretAccessKey: string
  silenceMs?: number
}

/** A request to the store. `key`: the key of the object; '' for the bucket itself. */
export type S3Request = {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  key: string
  query?: Record<string, string>
  headers?: Record<string, string>
  /** A stream can be sent only once, so requests with a stream are not tried again. */
  body?: { content: AsyncIterable<Uint8Array> | Uint8Array; size: number }
}

const maxSilenceMs = 30_000
/** The maximum number of times that a request is sent. */
const maxTries = 3
/** The maximum length of an XML response. */
const maxXmlBytes = 1024 * 1024

/** The meaning of the error codes of stores. For all other codes the status of the response decides. */
const reasons: Readonly<Record<string, StorageReason>> = {
  NoSuchKey: 'missing',
  NoSuchUpload: 'missing',
  NoSuchBucket: 'refused',
  InvalidPart: 'wrong_parts',
  InvalidPartOrder: 'wrong_parts',
  EntityTooSmall: 'wrong_parts',
  RequestTimeout: 'unavailable', // with status 400, when a part arrives slowly
  InternalError: 'unavailable',
  SlowDown: 'unavailable',
  QuotaExceeded: 'full',
  XMinioStorageFull: 'full',
  XMinioAdminBucketQuotaExceeded: 'full',
}

/**
 * Returns the function that sends signed requests. It tries up to three times while the store is unavailable, and throws a `StorageError`
 * for every response that is not successful.
 */
export function createSender({
  endpoint,
  region,
  bucket,
  isPathStyle,
  accessKeyId,
  secretAccessKey,
  silenceMs = maxSilenceMs,
}: S3Settings) {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 })
  const isSecure = endpoint.startsWith('https:')
  const agent = isSecure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true })

  function urlOf({ key, query = {} }: S3Request): URL {
    const url = new URL(endpoint)
    if (!isPathStyle) url.hostname = `${bucket}.${url.hostname}`
    url.pathname = isPathStyle ? `/${bucket}/${key}` : `/${key}`
    url.search = new URLSearchParams(query).toString()
    return url
  }

  async function sendOnce(s3Request: S3Request): Promise<IncomingMessage> {
    const { method, headers = {}, body } = s3Request
    const signed = await client.sign(urlOf(s3Request).href, { method, headers })
    const outgoing = (isSecure ? requestHttps : requestHttp)(signed.url, {
      method,
      agent,
      headers: { ...Object.fromEntries(signed.headers), ...(method !== 'GET' && { 'content-length': body?.size ?? 0 }) },
    })
    const { promise: response, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    outgoing.once('response', resolve).once('error', reject)
    endWhenSilent(outgoing, silenceMs)
    // a refusal may arrive before the whole body has been sent
    if (body && !(body.content instanceof Uint8Array)) pipeline(Readable.from(body.content, { objectMode: false }), outgoing).catch(reject)
    else outgoing.end(body?.content)
    const { statusCode = 500 } = await response
    if (statusCode < 300) return response
    const code = readElement(await readXml(await response).catch(() => ''), 'Code')
    outgoing.destroy()
    throw createResponseError(code, statusCode, method)
  }

  return async (s3Request: S3Request): Promise<IncomingMessage> => {
    for (let tryCount = 1; ; tryCount++) {
      try {
        return await sendOnce(s3Request)
      } catch (thrown) {
        const error = toStorageError(thrown)
        const canSendAgain = s3Request.body === undefined || s3Request.body.content instanceof Uint8Array
        const canRetry = canSendAgain && error instanceof StorageError && error.reason === 'unavailable'
        if (!canRetry || tryCount === maxTries) throw error
        await sleep(100 * 2 ** tryCount)
      }
    }
  }
}

/**
 * Ends a request with an error when this process has waited for the store for `silenceMs`. While the store waits for this process, for
 * example because our own client is slow, the request continues.
 */
function endWhenSilent(outgoing: ClientRequest, silenceMs: number): void {
  let response: IncomingMessage | undefined
  outgoing.once('response', (message) => {
    response = message
  })
  const isWaitingForStore = (): boolean => {
    if (response) return response.readableLength === 0
    return outgoing.writableEnded || outgoing.writableLength > 0 || outgoing.socket?.connecting === true
  }
  outgoing.setTimeout(silenceMs)
  outgoing.on('timeout', () => {
    if (isWaitingForStore()) outgoing.destroy(new StorageError('unavailable', `The store was silent for ${silenceMs / 1000} s`))
    else outgoing.socket?.setTimeout(silenceMs) // starts the timer again
  })
}

/** Reads an XML response. Throws `unavailable` if it is too long or breaks off. */
export async function readXml(response: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of response) {
      bytes += chunk.byteLength
      if (bytes > maxXmlBytes) throw new StorageError('unavailable', 'The response of the store is too long')
      chunks.push(chunk)
    }
  } catch (error) {
    throw toStorageError(error)
  }
  return Buffer.concat(chunks).toString()
}

/** Creates the error for a response with this error code of S3 and this status. */
export function createResponseError(code: string | undefined, status: number, method: string): StorageError {
  const message = `The store responded to ${method} with status ${status}${code === undefined ? '' : ` and the error ${code}`}`
  return new StorageError(reasons[code ?? ''] ?? findReason(status), message)
}

function findReason(status: number): StorageReason {
  if (status === 404) return 'missing'
  if (status === 507) return 'full'
  return status >= 500 || status === 429 || status === 408 ? 'unavailable' : 'refused'
}

/** Returns a `StorageError`; errors of the connection become `unavailable`. */
export function toStorageError(error: unknown): StorageError {
  if (error instanceof StorageError) return error
  return new StorageError('unavailable', 'The connection to the store failed', error)
}

/** Returns the text of the first element with this name. In these responses no element has attributes or contains one of the same name. */
export const readElement = (xml: string, name: string): string | undefined =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]?.replaceAll('&quot;', '"').replaceAll('&amp;', '&')

import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import type { ByteRange } from '../http/range.ts'
import { checkSize, StorageError, type ListedObject, type Storage, type StoredUpload } from './storage.ts'

/** An S3-compatible store. With `isPathStyle` the bucket is in the path of addresses, otherwise in their host name. */
export type S3Settings = {
  endpoint: string
  region: string
  bucket: string
  isPathStyle: boolean
  accessKeyId: string
  secretAccessKey: string
}

type S3Request = {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  key: string
  query?: Record<string, string>
  headers?: Record<string, string>
  /** A stream can be sent once, so requests with one are not tried again. */
  body?: { content: AsyncIterable<Uint8Array> | Uint8Array; size: number }
}

const idleTimeoutMs = 30_000
const maxTries = 3
/** The maximum length of an XML response. */
const maxXmlBytes = 1024 * 1024

/**
 * Stores objects in a bucket by multipart uploads, so that a late part cannot change an object. Only an object without bytes, which has no
 * parts in S3, is written by one request.
 */
export function openS3Storage(settings: S3Settings): Storage {
  const send = createSender(settings)

  async function sendForXml(request: S3Request): Promise<string> {
    const response = await send(request)
    const chunks: Uint8Array[] = []
    let bytes = 0
    for await (const chunk of response) {
      bytes += chunk.byteLength
      if (bytes > maxXmlBytes) throw new StorageError('unavailable', 'The response of the store is too long')
      chunks.push(chunk)
    }
    return Buffer.concat(chunks).toString()
  }

  async function* read(key: string, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
    if (end < start) return
    const response = await send({ method: 'GET', key, headers: { range: `bytes=${start}-${end}` } })
    try {
      yield* checkSize(response, end - start + 1)
    } catch (error) {
      throw toStorageError(error)
    } finally {
      response.destroy()
    }
  }

  /** Lists pages until the store says that there is no further page. */
  async function* list(prefix: string): AsyncGenerator<ListedObject> {
    for (let query: Record<string, string> | undefined = { 'list-type': '2', prefix }; query;) {
      const xml = await sendForXml({ method: 'GET', key: '', query })
      for (const object of readElements(xml, 'Contents'))
        yield {
          key: readText(object, 'Key'),
          size: Number(readText(object, 'Size')),
          writtenAt: readTime(object, 'LastModified'),
          uploadId: undefined,
        }
      const token = readElement(xml, 'NextContinuationToken')
      query = token === undefined ? undefined : { 'list-type': '2', prefix, 'continuation-token': token }
    }
    for (let query: Record<string, string> | undefined = { uploads: '', prefix }; query;) {
      const xml = await sendForXml({ method: 'GET', key: '', query })
      for (const upload of readElements(xml, 'Upload'))
        yield {
          key: readText(upload, 'Key'),
          size: undefined,
          writtenAt: readTime(upload, 'Initiated'),
          uploadId: readText(upload, 'UploadId'),
        }
      const isLastPage = readElement(xml, 'IsTruncated') !== 'true'
      const markers = { 'key-marker': readText(xml, 'NextKeyMarker'), 'upload-id-marker': readText(xml, 'NextUploadIdMarker') }
      query = isLastPage ? undefined : { uploads: '', prefix, ...markers }
    }
  }

  return {
    startUpload: async (key, size) => {
      if (size === 0) return ''
      const xml = await sendForXml({ method: 'POST', key, query: { uploads: '' } })
      return readElement(xml, 'UploadId') ?? fail('The store started no upload')
    },
    writePart: async ({ key, id }, number, content, size) => {
      const query: Record<string, string> = id === '' ? {} : { partNumber: String(number + 1), uploadId: id }
      const response = await send({ method: 'PUT', key, query, body: { content: checkSize(content, size), size } })
      response.resume()
      return response.headers.etag ?? fail('The store returned no tag')
    },
    finishUpload: async (upload, tags) => {
      if (upload.id === '') return
      const xml = await sendForXml(completion(upload, tags)).catch(async (error: unknown) => {
        if (await isFinished(upload.key)) return ''
        throw error
      })
      if (xml.includes('<Error>')) fail(`The store did not finish the upload: ${readElement(xml, 'Code')}`) // with status 200
    },
    cancelUpload: async ({ key, id }) => {
      const query: Record<string, string> = id === '' ? {} : { uploadId: id }
      await sendForXml({ method: 'DELETE', key, query }).catch(ignoreMissing)
    },
    read,
    delete: async (key) => {
      await sendForXml({ method: 'DELETE', key }).catch(ignoreMissing)
    },
    list,
  }

  /** Whether the object exists, because an earlier completion succeeded without a response. */
  async function isFinished(key: string): Promise<boolean> {
    const response = await send({ method: 'GET', key, headers: { range: 'bytes=0-0' } }).catch(() => undefined)
    response?.destroy()
    return response !== undefined
  }
}

function completion({ key, id }: StoredUpload, tags: readonly string[]): S3Request {
  const parts = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`)
  const content = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)
  return { method: 'POST', key, query: { uploadId: id }, body: { content, size: content.byteLength } }
}

/** Returns the function that sends signed requests. Tries up to three times while the store is unavailable. */
function createSender({ endpoint, region, bucket, isPathStyle, accessKeyId, secretAccessKey }: S3Settings) {
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
    outgoing.setTimeout(idleTimeoutMs, () => outgoing.destroy(new StorageError('unavailable', 'The store was silent for 30 s')))
    const { promise: response, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    outgoing.once('response', resolve).once('error', reject)
    // a refusal may arrive before the whole body has been sent
    if (body && !(body.content instanceof Uint8Array)) pipeline(Readable.from(body.content, { objectMode: false }), outgoing).catch(reject)
    else outgoing.end(body?.content)
    const { statusCode = 500 } = await response
    if (statusCode < 300) return response
    outgoing.destroy()
    throw statusError(statusCode, method)
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

function statusError(status: number, method: string): StorageError {
  if (status === 404) return new StorageError('missing', 'The object does not exist')
  if (status === 400 && method === 'POST') return new StorageError('wrong_parts', 'The store does not have the parts of the upload')
  const reason = status === 507 ? 'full' : status >= 500 || status === 429 ? 'unavailable' : 'refused'
  return new StorageError(reason, `The store responded to ${method} with status ${status}`)
}

function toStorageError(error: unknown): unknown {
  if (error instanceof StorageError) return error
  return new StorageError('unavailable', 'The connection to the store failed', error)
}

function ignoreMissing(error: unknown): string {
  if (error instanceof StorageError && error.reason === 'missing') return ''
  throw error
}

function fail(message: string): never {
  throw new StorageError('unavailable', message)
}

/** Returns the text of the first element with this name. The responses that are read have no attributes and no nested element of it. */
const readElement = (xml: string, name: string): string | undefined =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]?.replaceAll('&quot;', '"').replaceAll('&amp;', '&')

/** Returns the contents of all elements with this name, which are not nested. */
const readElements = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(([, content = '']) => content)

const readText = (xml: string, name: string): string => readElement(xml, name) ?? ''

const readTime = (xml: string, name: string): Date => new Date(readText(xml, name))

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

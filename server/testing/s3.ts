// A stand-in for an S3-compatible store, in memory: it checks Signature Version 4 in the authorization header, and has objects, ranges and
// multipart uploads. It answers as Amazon's "S3 API Reference" describes.
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { S3Settings } from '#server/platform/storage/s3-requests.ts'

type Part = { body: Buffer; etag: string }
type Operation = 'start' | 'part' | 'complete' | 'cancel' | 'read' | 'store' | 'delete' | 'list'
/** What the store does wrong with the next request, or with the next request of this operation. */
type Fault = {
  operation?: Operation
  /** Responds with this status and this error code. */
  status?: number
  code?: string
  /** Closes the connection after this number of bytes of the response. */
  closeAfterBytes?: number
  /** Closes the connection after this number of bytes of the request. */
  closeAfterReceivedBytes?: number
  /** Responds with another ETag than that of the stored part. */
  etag?: string
  /** Responds with status 200 and this error code in the body. */
  errorInside?: string
  /** Never responds. */
  isSilent?: boolean
  /** Does what was asked, and closes the connection without a response. */
  losesResponse?: boolean
  /** Completes an upload only when this promise resolves, even if the upload is cancelled meanwhile. */
  completesAfter?: Promise<unknown>
}

export type S3StandIn = AsyncDisposable & {
  settings: S3Settings
  objects: Map<string, Buffer>
  /** Parts by the id of their upload. */
  uploads: Map<string, Map<number, Part>>
  /** The keys of the unfinished uploads by their id. */
  uploadKeys: Map<string, string>
  /** The faults of the next requests, in this order. Each is removed by the request that it applies to. */
  faults: Fault[]
}

const region = 'eu-west-1'
const accessKeyId = 'foyer-test'
const secretAccessKey = 'a-secret-of-the-test'
const bucket = 'user-files'
/** Pages are short, so that tests read several pages. */
const maxEntriesPerPage = 3
const minPartBytes = 5 * 1024 * 1024

export async function startS3(): Promise<S3StandIn> {
  const objects = new Map<string, Buffer>()
  const uploads = new Map<string, Map<number, Part>>()
  const uploadKeys = new Map<string, string>()
  const faults: Fault[] = []
  const startedAt = new Date().toISOString()
  const server = createServer((request, response) => {
    void handle(request, response).catch(() => response.destroy())
  })

  /** Removes the first fault that applies to a request. */
  function takeFault(operation: Operation): Fault | undefined {
    const index = faults.findIndex((fault) => fault.operation === undefined || fault.operation === operation)
    return index === -1 ? undefined : faults.splice(index, 1)[0]
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://store')
    const [, requestedBucket = ''] = url.pathname.split('/')
    const key = decodeURIComponent(url.pathname).slice(requestedBucket.length + 2)
    const uploadId = url.searchParams.get('uploadId')
    const fault: Fault = takeFault(operationOf(request.method, key, url.searchParams)) ?? {}
    if (fault.status !== undefined) return sendError(request, response, fault.status, fault.code ?? 'SlowDown')
    if (fault.isSilent) return void request.resume()
    if (fault.closeAfterReceivedBytes !== undefined) return closeWhileReceiving(request, fault.closeAfterReceivedBytes)
    const body = await buffer(request)
    if (!isAuthentic(request, url, body)) return sendError(request, response, 403, 'SignatureDoesNotMatch')
    if (requestedBucket !== bucket) return sendError(request, response, 404, 'NoSuchBucket')
    if (fault.errorInside !== undefined) return sendXml(response, `<Error><Code>${fault.errorInside}</Code></Error>`)
    if (fault.losesResponse) response.end = () => response.destroy()
    const { etag } = fault
    if (etag !== undefined) {
      const writeHead = response.writeHead.bind(response)
      response.writeHead = (status: number) => writeHead(status, { etag })
    }
    if (uploadId !== null) return handleUpload(request, response, { key, body, url, uploadId, completesAfter: fault.completesAfter })
    if (request.method === 'GET' && key === '')
      return url.searchParams.has('uploads') ? sendUploads(response, url) : sendObjects(response, url)
    if (request.method === 'POST' && url.searchParams.has('uploads')) return startUpload(response, key)
    if (request.method === 'PUT') return storeObject(response, key, body)
    if (request.method === 'DELETE') return deleteObject(response, key)
    return sendObject(request, response, key, fault.closeAfterBytes)
  }

  function sendObjects(response: ServerResponse, { searchParams }: URL): void {
    const after = searchParams.get('continuation-token') ?? ''
    const keys = [...objects.keys()].filter((key) => key.startsWith(searchParams.get('prefix') ?? '') && key > after).toSorted()
    const page = keys.slice(0, maxEntriesPerPage)
    const contents = page.map(
      (key) =>
        `<Contents><Key>${key}</Key><LastModified>${startedAt}</LastModified><Size>${objects.get(key)?.byteLength}</Size></Contents>`,
    )
    const next = keys.length > page.length ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    sendXml(response, `<ListBucketResult><IsTruncated>${next !== ''}</IsTruncated>${contents.join('')}${next}</ListBucketResult>`)
  }

  function sendUploads(response: ServerResponse, { searchParams }: URL): void {
    const after = [searchParams.get('key-marker') ?? '', searchParams.get('upload-id-marker') ?? ''].join(' ')
    const sortable = [...uploadKeys].map(([id, key]) => ({ id, key, order: `${key} ${id}` }))
    const matching = sortable.filter(({ key, order }) => key.startsWith(searchParams.get('prefix') ?? '') && order > after)
    const page = matching.toSorted((first, second) => (first.order < second.order ? -1 : 1)).slice(0, maxEntriesPerPage)
    const last = matching.length > page.length ? page.at(-1) : undefined
    const markers = last ? `<NextKeyMarker>${last.key}</NextKeyMarker><NextUploadIdMarker>${last.id}</NextUploadIdMarker>` : ''
    const contents = page.map(
      ({ id, key }) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${startedAt}</Initiated></Upload>`,
    )
    sendXml(
      response,
      `<ListMultipartUploadsResult><IsTruncated>${last !== undefined}</IsTruncated>${markers}${contents.join('')}</ListMultipartUploadsResult>`,
    )
  }

  function startUpload(response: ServerResponse, key: string): void {
    const id = randomUUID()
    uploads.set(id, new Map())
    uploadKeys.set(id, key)
    sendXml(response, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
  }

  async function handleUpload(
    request: IncomingMessage,
    response: ServerResponse,
    { key, body, url, uploadId, completesAfter }: Pick<Fault, 'completesAfter'> & { key: string; body: Buffer; url: URL; uploadId: string },
  ): Promise<void> {
    const parts = uploads.get(uploadId)
    if (!parts) return sendError(request, response, 404, 'NoSuchUpload')
    if (request.method === 'PUT') {
      const etag = etagOf(body)
      parts.set(Number(url.searchParams.get('partNumber')), { body, etag })
      response.writeHead(200, { etag }).end()
      return
    }
    const remove = (): void => {
      uploads.delete(uploadId)
      uploadKeys.delete(uploadId)
    }
    if (request.method === 'DELETE') {
      remove()
      return void response.writeHead(204).end()
    }
    const listedParts = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag>/g)]
    const bodies = listedParts.flatMap(([, number, etag]) => {
      const part = parts.get(Number(number))
      return part && part.etag === etag?.replaceAll('&quot;', '"') ? [part.body] : []
    })
    if (bodies.length !== listedParts.length) return sendError(request, response, 400, 'InvalidPart')
    if (bodies.slice(0, -1).some(({ byteLength }) => byteLength < minPartBytes)) return sendError(request, response, 400, 'EntityTooSmall')
    await completesAfter
    objects.set(key, Buffer.concat(bodies))
    remove()
    sendXml(response, '<CompleteMultipartUploadResult><ETag>"multipart"</ETag></CompleteMultipartUploadResult>')
  }

  function storeObject(response: ServerResponse, key: string, body: Buffer): void {
    objects.set(key, body)
    response.writeHead(200, { etag: etagOf(body) }).end()
  }

  function deleteObject(response: ServerResponse, key: string): void {
    objects.delete(key)
    response.writeHead(204).end()
  }

  function sendObject(request: IncomingMessage, response: ServerResponse, key: string, closeAfterBytes?: number): void {
    const object = objects.get(key)
    if (!object) return sendError(request, response, 404, 'NoSuchKey')
    const [, first = '0', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
    const start = Number(first)
    const end = last === '' ? object.byteLength : Math.min(Number(last) + 1, object.byteLength)
    if (start >= object.byteLength) return sendError(request, response, 416, 'InvalidRange')
    const body = object.subarray(start, end)
    response.writeHead(206, { 'content-length': body.byteLength, 'content-range': `bytes ${start}-${end - 1}/${object.byteLength}` })
    if (closeAfterBytes === undefined) return void response.end(body)
    response.write(body.subarray(0, closeAfterBytes), () => response.destroy())
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const endpoint = `http://127.0.0.1:${port}`
  return {
    settings: { endpoint, region, bucket, isPathStyle: true, accessKeyId, secretAccessKey },
    objects,
    uploads,
    uploadKeys,
    faults,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function operationOf(method: string | undefined, key: string, query: URLSearchParams): Operation {
  if (method === 'GET') return key === '' ? 'list' : 'read'
  if (method === 'POST') return query.has('uploads') ? 'start' : 'complete'
  if (method === 'DELETE') return query.has('uploadId') ? 'cancel' : 'delete'
  return query.has('uploadId') ? 'part' : 'store'
}

function closeWhileReceiving(request: IncomingMessage, bytes: number): void {
  let receivedBytes = 0
  request.on('data', (chunk: Buffer) => {
    receivedBytes += chunk.byteLength
    if (receivedBytes >= bytes) request.destroy()
  })
}

const etagOf = (body: Buffer): string => `"${createHash('md5').update(body).digest('hex')}"`

function sendXml(response: ServerResponse, xml: string): void {
  response.writeHead(200, { 'content-type': 'application/xml' }).end(`<?xml version="1.0" encoding="UTF-8"?>${xml}`)
}

function sendError(request: IncomingMessage, response: ServerResponse, status: number, code: string): void {
  request.resume()
  response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`)
}

/** Checks the signature as described in "Authenticating Requests: Using the Authorization Header (AWS Signature Version 4)". */
function isAuthentic(request: IncomingMessage, url: URL, body: Buffer): boolean {
  const { headers, method = 'GET' } = request
  const [, date = '', signedNames = '', signature = ''] =
    /Credential=foyer-test\/(\d{8})\/eu-west-1\/s3\/aws4_request,\s*SignedHeaders=([^,]+),\s*Signature=(\w+)/.exec(
      headers.authorization ?? '',
    ) ?? []
  const bodyHash = String(headers['x-amz-content-sha256'])
  if (bodyHash !== 'UNSIGNED-PAYLOAD' && bodyHash !== sha256(body)) return false
  const query = [...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).toSorted()
  const signedHeaders = signedNames.split(';').map((name) => `${name}:${String(headers[name]).trim()}`)
  const canonical = [method, url.pathname, query.join('&'), ...signedHeaders, '', signedNames, bodyHash].join('\n')
  const scope = `${date}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(Buffer.from(canonical))].join('\n')
  const signingKey = [date, region, 's3', 'aws4_request'].reduce<string | Buffer>((key, part) => hmac(key, part), `AWS4${secretAccessKey}`)
  return hmac(signingKey, text).toString('hex') === signature
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

import type { ByteRange } from '../http/range.ts'
import { createResponseError, createSender, readElement, readXml, toStorageError, type S3Request, type S3Settings } from './s3-requests.ts'
import { checkSize, StorageError, type ListedObject, type Storage, type StoredUpload } from './storage.ts'

/**
 * Stores objects in a bucket by multipart uploads, so that a part that arrives late cannot change a finished object. Only an object without
 * bytes, which has no parts in S3, is written by one request; the id of its upload is ''.
 */
export function openS3Storage(settings: S3Settings): Storage {
  const send = createSender(settings)
  const sendForXml = async (request: S3Request): Promise<string> => readXml(await send(request))

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

  /** Lists the objects, then the unfinished uploads. Each list has pages; the store names the next one until there is none. */
  async function* list(prefix: string): AsyncGenerator<ListedObject> {
    let objectsQuery: Record<string, string> | undefined = { 'list-type': '2', prefix }
    while (objectsQuery) {
      const xml = await sendForXml({ method: 'GET', key: '', query: objectsQuery })
      for (const object of readElements(xml, 'Contents'))
        yield {
          key: readText(object, 'Key'),
          size: Number(readText(object, 'Size')),
          writtenAt: readTime(object, 'LastModified'),
          uploadId: undefined,
        }
      const token = readElement(xml, 'NextContinuationToken')
      objectsQuery = token === undefined ? undefined : { 'list-type': '2', prefix, 'continuation-token': token }
    }
    let uploadsQuery: Record<string, string> | undefined = { uploads: '', prefix }
    while (uploadsQuery) {
      const xml = await sendForXml({ method: 'GET', key: '', query: uploadsQuery })
      for (const upload of readElements(xml, 'Upload'))
        yield {
          key: readText(upload, 'Key'),
          size: undefined,
          writtenAt: readTime(upload, 'Initiated'),
          uploadId: readText(upload, 'UploadId'),
        }
      const isLastPage = readElement(xml, 'IsTruncated') !== 'true'
      const markers = { 'key-marker': readText(xml, 'NextKeyMarker'), 'upload-id-marker': readText(xml, 'NextUploadIdMarker') }
      uploadsQuery = isLastPage ? undefined : { uploads: '', prefix, ...markers }
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
      return response.headers.etag ?? fail('The store returned no ETag')
    },
    finishUpload: async (upload, etags) => {
      if (upload.id === '') return
      const request = createCompletion(upload, etags)
      await complete(request).catch(async (error: unknown) => {
        if (!(await isFinished(upload.key))) throw error // an earlier request may have finished the upload and lost its response
      })
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

  async function complete(request: S3Request): Promise<void> {
    const xml = await sendForXml(request)
    // the store sends the status 200 before it has completed the upload; the body names an error that occurs after that
    if (xml.includes('<Error>')) throw createResponseError(readElement(xml, 'Code'), 500, request.method)
  }

  /** Whether the object exists, which means that its upload is finished. */
  async function isFinished(key: string): Promise<boolean> {
    const response = await send({ method: 'GET', key, headers: { range: 'bytes=0-0' } }).catch(() => undefined)
    response?.destroy()
    return response !== undefined
  }
}

/** Creates the request that finishes an upload: it lists the parts with their ETags. */
function createCompletion({ key, id }: StoredUpload, etags: readonly string[]): S3Request {
  const parts = etags.map((etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`)
  const content = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)
  return { method: 'POST', key, query: { uploadId: id }, body: { content, size: content.byteLength } }
}

/** Ignores the error that the object or the upload does not exist, because a delete may be repeated. Throws other errors. */
function ignoreMissing(error: unknown): string {
  if (error instanceof StorageError && error.reason === 'missing') return ''
  throw error
}

/** Throws the error for a response without a required value. */
function fail(message: string): never {
  throw new StorageError('unavailable', message)
}

/** Returns the XML inside each element with this name. Elements with this name must not contain each other. */
const readElements = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(([, content = '']) => content)

const readText = (xml: string, name: string): string => readElement(xml, name) ?? ''

const readTime = (xml: string, name: string): Date => new Date(readText(xml, name))

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

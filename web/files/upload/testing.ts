import { screen, within } from '@testing-library/react'
import { vi } from 'vitest'
import type { NewUpload, Upload } from '#contract/uploads.ts'
import { folderRoutes, quillstone, quillstoneAddress, surveyFile } from '#web/files/testing.ts'
import { changeResponse, mockServer, problemResponse, renderApp } from '#web/testing.ts'
import type { AddedFiles } from './readFiles.ts'

/** The folder to which the tests upload. */
export const place = { folder_id: quillstone.id, contact_id: null }
/** Describes files as if the user had dropped them. */
export const toAddedFiles = (...files: File[]): AddedFiles => ({ files: files.map((file) => ({ file, path: file.name })), folders: [] })
/** Waits for the panel of uploads and returns its queries. */
export const findPanel = async () => within(await screen.findByRole('region', { name: 'Uploads' }))

/** Opens the page of the folder, with a fake server. */
export async function openFolder(handlers: Parameters<typeof mockUploadServer>[0] = {}) {
  const server = mockUploadServer({ ...folderRoutes, ...handlers })
  await renderApp(quillstoneAddress)
  await screen.findByRole('heading', { name: 'Quillstone Dental' })
  return server
}

/** A handler of parts that does not respond until the request is aborted. */
export const waitUntilAborted = ({ signal }: { signal: AbortSignal }) =>
  new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined)))

/** The size of a part on the fake server, so that short texts are files of several parts. */
const testPartSize = 4

/** A part that the browser sends. `progress` reports how many of its bytes were sent. */
type SentPart = { id: string; name: string; number: number; bytes: string; signal: AbortSignal; progress: (sentBytes: number) => void }
/** An error response, a lost connection, or undefined when the part is stored. */
type PartResult = Response | 'lost' | undefined
type OnPart = (part: SentPart) => PartResult | Promise<PartResult>

/**
 * A fake server that stores uploads in memory. It replaces `fetch` and, for the bytes, XMLHttpRequest. A test sets `state.onPart` to decide
 * what happens to each part. `sentParts` lists the received parts: "wall.txt 0".
 */
export function mockUploadServer(handlers: Parameters<typeof mockServer>[0] = {}) {
  const uploads = new Map<string, Upload>()
  const bytes = new Map<string, string[]>()
  /** The finished files: name and content, in the order in which they were finished. */
  const files: { name: string; content: string; folder_id: string | null }[] = []
  const sentParts: string[] = []
  const state: { onPart: OnPart } = { onPart: () => undefined }

  const server = mockServer({
    'POST /api/uploads': ({ body }) => {
      const upload = createUpload(readBody<NewUpload>(body))
      if (!uploads.has(upload.id)) uploads.set(upload.id, upload)
      return Response.json(uploads.get(upload.id), { status: 201 })
    },
    'GET /api/uploads': () => ({ rows: [...uploads.values()].filter((upload) => upload.file_id === null) }),
    'GET /api/uploads/{id}': ({ params }) => uploads.get(params['id'] ?? '') ?? problemResponse('not_found'),
    'DELETE /api/uploads/{id}': ({ params }) => (uploads.delete(params['id'] ?? '') ? undefined : problemResponse('not_found')),
    'POST /api/uploads/{id}/finish': ({ params }) => {
      const upload = uploads.get(params['id'] ?? '')
      if (!upload) return problemResponse('not_found')
      if (upload.parts.length < upload.part_count) return problemResponse('invalid', { fields: { parts: '1 parts are missing' } })
      const { folder_id, contact_id, file_name, file_size } = upload
      if (upload.file_id === null) files.push({ name: file_name, content: (bytes.get(upload.id) ?? []).join(''), folder_id })
      uploads.set(upload.id, { ...upload, file_id: upload.id })
      return changeResponse(`upload-of-${file_name}`, { ...surveyFile, id: upload.id, folder_id, contact_id, file_name, file_size })
    },
    'POST /api/files/taken-names': { rows: [] },
    ...handlers,
  })

  async function receivePart(
    id: string,
    number: number,
    body: Blob,
    signal: AbortSignal,
    progress: SentPart['progress'],
  ): Promise<PartResult> {
    const upload = uploads.get(id)
    if (!upload) return problemResponse('not_found')
    const text = await body.text()
    sentParts.push(`${upload.file_name} ${number}`)
    const result = await state.onPart({ id, name: upload.file_name, number, bytes: text, signal, progress })
    if (result !== undefined || signal.aborted) return result
    const stored = bytes.get(id) ?? []
    stored[number] = text
    bytes.set(id, stored)
    const current = uploads.get(id)
    if (current) uploads.set(id, { ...current, parts: [...new Set([...current.parts, number])].toSorted((one, other) => one - other) })
    return undefined
  }
  /** Receives a file that is sent in one request: starts an upload, stores its only part and finishes it. */
  async function receiveWhole(
    query: URLSearchParams,
    body: Blob,
    signal: AbortSignal,
    progress: SentPart['progress'],
  ): Promise<PartResult> {
    const folder_id = query.get('folder_id')
    const [id, file_name] = [query.get('id') ?? '', query.get('file_name') ?? '']
    const contact_id = query.get('contact_id')
    const if_exists = query.get('if_exists') === 'replace' ? 'replace' : 'keep_both'
    const upload = createUpload({ id, file_name, file_size: body.size, mime_type: '', folder_id, contact_id, if_exists })
    if (!uploads.has(id)) uploads.set(id, upload)
    const result = body.size > 0 ? await receivePart(id, 0, body, signal, progress) : undefined
    if (result !== undefined || signal.aborted) return result
    files.push({ name: file_name, content: (bytes.get(id) ?? []).join(''), folder_id })
    uploads.set(id, { ...upload, file_id: id })
    return undefined
  }
  vi.stubGlobal('XMLHttpRequest', createRequestClass(receivePart, receiveWhole))
  return { ...server, uploads, files, sentParts, state }
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the body was created by the code under test
const readBody = <T>(body: unknown): T => JSON.parse(JSON.stringify(body))

function createUpload({ id = crypto.randomUUID(), ...fields }: NewUpload): Upload {
  const at = '2026-11-22T09:00:00.000Z'
  return {
    ...fields,
    id,
    created_at: at,
    expires_at: at,
    mime_type: 'text/plain',
    if_exists: fields.if_exists ?? 'keep_both',
    part_size: testPartSize,
    part_count: Math.ceil(fields.file_size / testPartSize),
    parts: [],
    file_id: null,
  }
}

type Receive = (id: string, number: number, body: Blob, signal: AbortSignal, progress: SentPart['progress']) => Promise<PartResult>

type ReceiveWhole = (query: URLSearchParams, body: Blob, signal: AbortSignal, progress: SentPart['progress']) => Promise<PartResult>

/** Creates a class that replaces XMLHttpRequest and calls `receivePart` or `receiveWhole` for each request that is sent. */
function createRequestClass(receivePart: Receive, receiveWhole: ReceiveWhole) {
  return class extends EventTarget {
    readonly upload = new EventTarget()
    status = 0
    responseText = ''
    #path = ''
    readonly #stop = new AbortController()
    open(_method: string, path: string): void {
      this.#path = path
    }
    setRequestHeader(): void {}
    abort(): void {
      this.#stop.abort()
      this.#end('abort')
    }
    /** The id of the change of a file that was sent in one request. */
    getResponseHeader(): string | null {
      const name = new URLSearchParams(this.#path.split('?')[1]).get('file_name')
      return name === null || this.status >= 400 ? null : `upload-of-${name}`
    }
    send(body: Blob): void {
      void this.#receive(body)
    }
    async #receive(body: Blob): Promise<void> {
      const ids = /uploads\/(?<id>[^/]+)\/parts\/(?<number>\d+)$/.exec(this.#path)?.groups
      const progress = (loaded: number): void => {
        this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded }))
      }
      const { signal } = this.#stop
      const [path, query] = this.#path.split('?')
      const result = await (path === '/api/uploads/whole'
        ? receiveWhole(new URLSearchParams(query), body, signal, progress)
        : receivePart(ids?.['id'] ?? '', Number(ids?.['number']), body, signal, progress))
      if (this.#stop.signal.aborted) return
      if (result === 'lost') return this.#end('error')
      this.status = result?.status ?? 204
      this.responseText = result ? await result.text() : ''
      this.#end('load')
    }
    #end(name: string): void {
      this.dispatchEvent(new Event(name))
      this.dispatchEvent(new Event('loadend'))
    }
  }
}

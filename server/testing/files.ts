import { randomBytes } from 'node:crypto'
import { vi } from 'vitest'
import { Problem } from '#contract/errors.ts'
import { File } from '#contract/files.ts'
import { partBytes, Upload } from '#contract/uploads.ts'
import type { TestApp } from './app.ts'
import type { Person } from './people.ts'

type Fields = Record<string, unknown>

/** Sends the requests of one user for files and uploads over real HTTP. `address`: the origin of a server that listens. */
export function createFileClient(address: string, token: string) {
  const request = (
    method: string,
    path: string,
    { body, headers = {}, signal = null }: Pick<RequestInit, 'body' | 'signal'> & { headers?: Record<string, string> } = {},
  ) =>
    fetch(`${address}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
      signal,
      ...(body && { body, duplex: 'half' }),
    })
  const postJson = (path: string, payload: Fields, signal: AbortSignal | null = null) =>
    request('POST', path, { body: JSON.stringify(payload), headers: { 'content-type': 'application/json' }, signal })
  const start = async (fields: Fields): Promise<Upload> => {
    const response = await postJson('/api/uploads', { file_name: 'Offer.bin', ...fields })
    if (response.status !== 201) throw new Error(`The upload was not started: ${await response.text()}`)
    return Upload.parse(await response.json())
  }
  const sendPart = (id: string, number: number, bytes: Buffer<ArrayBuffer>) =>
    request('PUT', `/api/uploads/${id}/parts/${number}`, { body: bytes, headers: { 'content-type': 'application/octet-stream' } })
  const finish = (id: string) => request('POST', `/api/uploads/${id}/finish`)
  /** Sends the parts of an upload that are not stored yet, three at a time. */
  const sendMissingParts = async ({ id, part_count, parts }: Upload, bytes: Buffer<ArrayBuffer>): Promise<void> => {
    const missing = Array.from({ length: part_count }, (_, number) => number).filter((number) => !parts.includes(number))
    const sendNext = async (): Promise<void> => {
      for (let number = missing.shift(); number !== undefined; number = missing.shift()) {
        const part = bytes.subarray(number * partBytes, (number + 1) * partBytes)
        const first = await sendPart(id, number, part)
        const response = first.status === 503 ? await sendPart(id, number, part) : first // the store may have closed an idle connection
        if (response.status !== 204) throw new Error(`Part ${number} was not stored: ${await response.text()}`)
      }
    }
    await Promise.all([sendNext(), sendNext(), sendNext()])
  }
  const sendWhole = (bytes: Buffer<ArrayBuffer>, fields: Record<string, string>) => {
    const query = new URLSearchParams({ file_name: 'Offer.bin', file_size: String(bytes.byteLength), ...fields })
    return request('POST', `/api/uploads/whole?${query.toString()}`, {
      body: bytes,
      headers: { 'content-type': 'application/octet-stream' },
    })
  }
  return {
    request,
    sendWhole,
    postJson,
    start,
    sendPart,
    finish,
    sendMissingParts,
    read: async (id: string): Promise<Upload> => Upload.parse(await (await request('GET', `/api/uploads/${id}`)).json()),
    /** Uploads a file with all its parts. */
    upload: async (bytes: Buffer<ArrayBuffer>, fields: Fields = {}): Promise<File> => {
      const upload = await start({ file_size: bytes.byteLength, ...fields })
      await sendMissingParts(upload, bytes)
      const response = await finish(upload.id)
      if (response.status !== 200) throw new Error(`The upload was not finished: ${await response.text()}`)
      return parseFileResponse(response)
    },
    download: async (id: string): Promise<Buffer> => Buffer.from(await (await request('GET', `/api/files/${id}/content`)).arrayBuffer()),
  }
}

/** Returns the file of a response. */
export const parseFileResponse = async (response: Response): Promise<File> => File.parse(await response.json())

/** Returns the status of a response and the sentences for its fields. */
export const readProblem = async (response: Response) => ({
  status: response.status,
  fields: Problem.parse(await response.json()).fields,
})

export type FileClient = ReturnType<typeof createFileClient>

/** Adds a small file with `person.send`, which needs no server that listens. */
export async function addFile(person: Person, fields: Fields = {}, bytes: Buffer = randomBytes(10)): Promise<File> {
  const send = async (options: Parameters<Person['send']>[0]) => {
    const response = await person.send(options)
    if (response.statusCode >= 300) throw new Error(`The file was not added: ${response.body}`)
    return response
  }
  const payload = { file_name: 'Offer.bin', file_size: bytes.byteLength, ...fields }
  const { id }: Upload = (await send({ method: 'POST', url: '/api/uploads', payload })).json()
  const headers = { 'content-type': 'application/octet-stream' }
  for (let number = 0; number * partBytes < bytes.byteLength; number++) {
    const part = bytes.subarray(number * partBytes, (number + 1) * partBytes)
    await send({ method: 'PUT', url: `/api/uploads/${id}/parts/${number}`, payload: part, headers })
  }
  return (await send({ method: 'POST', url: `/api/uploads/${id}/finish` })).json()
}

/** Adds rows of files without bytes, for lists: they share one stored object. `columns` is SQL for file_name, file_size and folder_id. */
export async function addFileRows(app: TestApp, owner: string, count: number, columns: string): Promise<void> {
  await app.tableOwner.query(
    `with object as (insert into stored_objects (user_id, storage_path, file_size) values ($1, gen_random_uuid()::text, 0) returning id)
     insert into files (user_id, object_id, storage_path, file_name, file_size, folder_id)
     select $1, object.id, '', ${columns} from object, generate_series(1, $2) number`,
    [owner, count],
  )
}

/** Adds rows of folders at the root with the names "Folder 1", "Folder 2" and so on. */
export async function addFolderRows(app: TestApp, owner: string, count: number): Promise<void> {
  await app.tableOwner.query(`insert into folders (user_id, name) select $1, 'Folder ' || number from generate_series(1, $2) number`, [
    owner,
    count,
  ])
}

/** Waits until the text of a file has been read, and returns the response of its route. */
export async function waitForText(person: Pick<Person, 'send'>, { id }: { id: string }): Promise<FileText> {
  const read = async (): Promise<FileText> => (await person.send({ url: `/api/files/${id}/text` })).json()
  await vi.waitUntil(async () => (await read()).state !== 'waiting', { timeout: 30_000, interval: 10 })
  return read()
}

type FileText = { state: string; reason: string | null; text: string; is_cut: boolean; pages: number[] | null }

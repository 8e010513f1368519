import { expect, vi } from 'vitest'
import type { Import, ImportDetails, ImportKind, ImportMode, ImportRow, ImportRowStatus } from '#contract/imports.ts'
import type { Person } from './people.ts'

type Options = { fileName?: string; kind?: ImportKind; mode?: ImportMode; fields?: (string | null)[] }

/** Returns functions that import files as this user. All of them check the status of the responses. */
export function importsOf(person: Pick<Person, 'send'>) {
  const send: Person['send'] = async (request) => {
    const response = await person.send(request)
    expect(response.statusCode, response.body).toBeLessThan(300)
    return response
  }
  const upload = async (
    content: string | Uint8Array,
    { fileName = 'people.csv', kind = 'contact' }: Options = {},
  ): Promise<ImportDetails> => {
    const query = new URLSearchParams({ file_name: fileName, kind }).toString()
    const headers = { 'content-type': 'application/octet-stream' }
    return (await send({ method: 'POST', url: `/api/imports?${query}`, payload: Buffer.from(content), headers })).json()
  }
  const start = async (id: string, { mode = 'both', fields }: Options = {}): Promise<Import> =>
    (await send({ method: 'POST', url: `/api/imports/${id}/start`, payload: { mode, ...(fields && { fields }) } })).json()
  const get = async (id: string): Promise<ImportDetails> => (await send({ url: `/api/imports/${id}` })).json()
  const waitForEnd = async (id: string): Promise<ImportDetails> => {
    // reads the list, because the columns and the preview of one import would take time from its job
    const isRunning = async (): Promise<boolean> => {
      const { rows }: { rows: Import[] } = (await send({ url: '/api/imports?limit=200' })).json()
      return rows.some((each) => each.id === id && each.status === 'running')
    }
    await vi.waitUntil(async () => !(await isRunning()), { timeout: 60_000, interval: 20 })
    return get(id)
  }
  return {
    upload,
    start,
    get,
    waitForEnd,
    /** Uploads a file, imports it and waits for the end. */
    run: async (content: string | Uint8Array, options: Options = {}): Promise<ImportDetails> => {
      const { id } = await upload(content, options)
      await start(id, options)
      return waitForEnd(id)
    },
    /** Returns the rows of all pages. */
    rows: async (id: string, status: ImportRowStatus): Promise<ImportRow[]> => {
      const rows: ImportRow[] = []
      let after: string | null = ''
      do {
        const url: string = `/api/imports/${id}/rows?status=${status}&limit=50${after && `&after=${after}`}`
        const page: { rows: ImportRow[]; next: string | null } = (await send({ url })).json()
        rows.push(...page.rows)
        after = page.next
      } while (after !== null)
      return rows
    },
    failedRows: async (id: string): Promise<string> => (await send({ url: `/api/imports/${id}/failed-rows` })).body,
    stop: async (id: string): Promise<Import> => (await send({ method: 'POST', url: `/api/imports/${id}/stop` })).json(),
    /** Undoes or redoes a change, and waits until the job has ended. Returns the id of the undo. */
    undo: async (change: string | null): Promise<string> => {
      const { id } = (await send({ method: 'POST', url: `/api/changes/${change}/undo` })).json()
      const isFinished = async (): Promise<boolean> => (await send({ url: `/api/changes/${id}` })).json().progress?.finished ?? true
      await vi.waitUntil(isFinished, { timeout: 60_000, interval: 20 })
      return id
    },
  }
}

import { expect } from 'vitest'
import type { Person } from './people.ts'

type Fields = Record<string, unknown>
export type ListedRecord = Fields & { id: string; version: number }
export type Query = { filter?: Fields[]; search?: string; sort?: string; order?: string; after?: string; limit?: string }

/**
 * Returns functions that read and write a user's records of one kind through the API. `path`: the path of the list, such as "/api/deals".
 * `post`, `patch`, `remove` and `query` return the response. `get` returns the body without checking the status. The other functions check
 * the status and return the body.
 */
export function recordsOf(person: Person, path: string) {
  const post = (subpath: string, payload: Fields) => person.send({ method: 'POST', url: `${path}${subpath}`, payload })
  const patch = (id: string, payload: Fields) => person.send({ method: 'PATCH', url: `${path}/${id}`, payload })
  const remove = (id: string) => person.send({ method: 'DELETE', url: `${path}/${id}` })
  const query = (subpath: string, { filter, ...parameters }: Query = {}) => {
    const search = new URLSearchParams({ ...parameters, ...(filter && { filter: JSON.stringify(filter) }) })
    return person.send({ url: `${path}${subpath}?${search.toString()}` })
  }
  const list = async (filters: Query = {}): Promise<{ rows: ListedRecord[]; next: string | null }> => {
    const response = await query('', filters)
    expect(response.statusCode, response.body).toBe(200)
    return response.json()
  }
  return {
    post,
    patch,
    remove,
    query,
    list,
    get: async (id: string): Promise<ListedRecord> => (await person.send({ url: `${path}/${id}` })).json(),
    add: async (fields: Fields): Promise<ListedRecord> => {
      const response = await post('', fields)
      expect(response.statusCode, response.body).toBe(201)
      return response.json()
    },
    edit: async (id: string, fields: Fields): Promise<ListedRecord> => {
      const response = await patch(id, fields)
      expect(response.statusCode, response.body).toBe(200)
      return response.json()
    },
    /** Returns the rows of all pages. */
    listAll: async (filters: Query): Promise<ListedRecord[]> => {
      const rows: ListedRecord[] = []
      let after: string | null = null
      do {
        const page: Awaited<ReturnType<typeof list>> = await list({ ...filters, ...(after !== null && { after }) })
        rows.push(...page.rows)
        after = page.next
      } while (after !== null)
      return rows
    },
  }
}

/** Undoes the change that the response reports in its header. Returns the header of the undo, so that the undo can be undone too. */
export async function undo(person: Person, response: { headers: Fields }): Promise<{ headers: Fields }> {
  const undoResponse = await person.send({ method: 'POST', url: `/api/changes/${String(response.headers['foyer-change'])}/undo` })
  expect(undoResponse.statusCode, undoResponse.body).toBe(200)
  return { headers: { 'foyer-change': undoResponse.json().id } }
}

/** Returns the label under which the history shows the change that the response reports in its header. */
export async function readLabel(person: Person, response: { headers: Fields }): Promise<string> {
  const change: { label: string } = (await person.send({ url: `/api/changes/${String(response.headers['foyer-change'])}` })).json()
  return change.label
}

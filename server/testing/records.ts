import { expect } from 'vitest'
import type { Person } from './cast.ts'

type Fields = Record<string, unknown>
export type Listed = Fields & { id: string; version: number }
export type Query = { filter?: Fields[]; search?: string; sort?: string; order?: string; after?: string; limit?: string }

/** Returns functions that read and write a user's records of one kind through the API. `path`: for example "/api/deals". */
export function recordsOf(person: Person, path: string) {
  const post = (place: string, payload: Fields) => person.ask({ method: 'POST', url: `${path}${place}`, payload })
  const patch = (id: string, payload: Fields) => person.ask({ method: 'PATCH', url: `${path}/${id}`, payload })
  const remove = (id: string) => person.ask({ method: 'DELETE', url: `${path}/${id}` })
  const ask = (place: string, { filter, ...query }: Query = {}) => {
    const asked = new URLSearchParams({ ...query, ...(filter && { filter: JSON.stringify(filter) }) })
    return person.ask({ url: `${path}${place}?${asked.toString()}` })
  }
  const list = async (query: Query = {}): Promise<{ rows: Listed[]; next: string | null }> => {
    const response = await ask('', query)
    expect(response.statusCode, response.body).toBe(200)
    return response.json()
  }
  return {
    post,
    patch,
    remove,
    ask,
    list,
    get: async (id: string): Promise<Listed> => (await person.ask({ url: `${path}/${id}` })).json(),
    add: async (fields: Fields): Promise<Listed> => {
      const response = await post('', fields)
      expect(response.statusCode, response.body).toBe(201)
      return response.json()
    },
    edit: async (id: string, fields: Fields): Promise<Listed> => {
      const response = await patch(id, fields)
      expect(response.statusCode, response.body).toBe(200)
      return response.json()
    },
    /** Returns the rows of all pages. */
    listEvery: async (query: Query): Promise<Listed[]> => {
      const rows: Listed[] = []
      let after: string | null = null
      do {
        const page: Awaited<ReturnType<typeof list>> = await list({ ...query, ...(after !== null && { after }) })
        rows.push(...page.rows)
        after = page.next
      } while (after !== null)
      return rows
    },
  }
}

/** Undoes a write or an undo; returns the headers of the new change. */
export async function undo(person: Person, response: { headers: Fields }): Promise<{ headers: Fields }> {
  const undone = await person.ask({ method: 'POST', url: `/api/changes/${String(response.headers['foyer-change'])}/undo` })
  expect(undone.statusCode, undone.body).toBe(200)
  return { headers: { 'foyer-change': undone.json().id } }
}

/** Returns the label of a write in the history. */
export async function labelOf(person: Person, response: { headers: Fields }): Promise<string> {
  const change: { label: string } = (await person.ask({ url: `/api/changes/${String(response.headers['foyer-change'])}` })).json()
  return change.label
}

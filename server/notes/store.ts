import type { Note } from '#contract/notes.ts'
import { sql } from '#server/platform/database/database.ts'
import { readPage, type Page } from '#server/platform/records/page.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { notes } from './kind.ts'

type NotesRequest = { contact_id: string; after?: string | undefined; limit: number }

/** Reads a page of a contact's notes, newest first, and their number. Throws `not_found` if there is no such contact. */
export async function readNotes(owner: string, { contact_id, ...page }: NotesRequest, now: Date): Promise<Page<Note> & { count: number }> {
  const filter = [{ field: 'contact_id', is: [contact_id] }]
  const order = 'asc' // has no effect: the sort `newest` is always newest first
  const [{ rows, next }, [contact]] = await Promise.all([
    readPage<Note>(notes, owner, { ...page, search: '', filter, sort: 'newest', order, now }),
    sql<{ count: number }>(
      `select (select count(*) from notes where user_id = $1 and contact_id = $2) as count from crm_contacts where user_id = $1 and id = $2`,
      [owner, contact_id],
    ),
  ])
  if (!contact) throw new Refusal('not_found')
  return { rows, next, count: contact.count }
}

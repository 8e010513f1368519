import { infiniteQueryOptions, type InfiniteData } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { noteRoutes } from '#contract/notes.ts'
import { call } from '#web/lib/client.ts'

export const notesTable = 'notes'

export type NotePages = InfiniteData<z.infer<typeof noteRoutes.list.out>>

const pageLimit = 20

/** The query of the notes on a contact, newest first. Each page also has the count of all notes on the contact. */
export const notesQuery = (contactId: string) =>
  infiniteQueryOptions({
    queryKey: [notesTable, 'on', contactId],
    meta: { tables: [notesTable] }, // a change in this table refetches the query
    queryFn: ({ pageParam, signal }) =>
      call(noteRoutes.list, { query: { contact_id: contactId, limit: pageLimit, after: pageParam } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })

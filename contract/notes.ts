import * as z from 'zod/mini'
import { exampleId } from './examples.ts'
import { wholeNumber } from './numbers.ts'
import { visibleText } from './fields.ts'
import { systemFields, NewRecordId, Version } from './records.ts'
import { defineRoutes } from './route.ts'

const content = z.string().check(z.trim(), ...visibleText('Write a note'), z.maxLength(20_000, 'At most 20,000 characters'))

export const Note = z.object({ ...systemFields, contact_id: z.uuid(), content: z.string() })
export type Note = z.infer<typeof Note>

const Id = z.strictObject({ id: z.uuid() })

export const noteRoutes = defineRoutes({
  list: {
    method: 'GET',
    path: '/api/notes',
    summary: 'The notes on a contact, newest first, and their number',
    caller: 'user',
    changes: 'nothing',
    query: z.strictObject({
      contact_id: z.uuid(),
      after: z.optional(z.string().check(z.maxLength(2000))),
      limit: z._default(wholeNumber({ min: 1, max: 200 }), 50),
    }),
    out: z.object({ rows: z.array(Note), next: z.nullable(z.string()), count: z.int() }),
    example: { query: { contact_id: exampleId('contact') } },
  },
  get: {
    method: 'GET',
    path: '/api/notes/{id}',
    summary: 'One note',
    caller: 'user',
    changes: 'nothing',
    params: Id,
    out: Note,
    example: { params: { id: exampleId('note') } },
  },
  create: {
    method: 'POST',
    path: '/api/notes',
    summary: 'Add a note to a contact',
    caller: 'user',
    changes: 'journaled',
    body: z.strictObject({ id: NewRecordId, contact_id: z.uuid(), content }),
    out: Note,
    status: 201,
    responseIfRepeated: { fromRoute: 'get', idFrom: 'record' },
    example: { body: { contact_id: exampleId('contact'), content: 'Wants the oak sample by Friday.' } },
  },
  update: {
    method: 'PATCH',
    path: '/api/notes/{id}',
    summary: 'Change the text of a note',
    caller: 'user',
    changes: 'journaled',
    params: Id,
    body: z.strictObject({ content, version: Version }),
    out: Note,
    responseIfRepeated: { fromRoute: 'get' },
    errors: ['conflict'],
    example: { params: { id: exampleId('note') }, body: { content: 'Wants the ash sample by Monday.' } },
  },
  delete: {
    method: 'DELETE',
    path: '/api/notes/{id}',
    summary: 'Delete a note; it stays in the trash for 30 days',
    caller: 'user',
    changes: 'journaled',
    params: Id,
    example: { params: { id: exampleId('note') } },
  },
})

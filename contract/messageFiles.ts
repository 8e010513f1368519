import * as z from 'zod/mini'
import { exampleId } from './examples.ts'
import { File } from './files.ts'
import { defineRoutes } from './route.ts'

const Id = z.strictObject({ id: z.uuid() })

/** The files that answers of the assistant contain. */
export const messageFileRoutes = defineRoutes({
  content: {
    method: 'GET',
    path: '/api/message-files/{id}/content',
    summary: 'The bytes of a file in an answer',
    caller: 'user',
    changes: 'nothing',
    params: Id,
    download: true,
    example: { params: { id: exampleId('messageFile') } },
  },
  save: {
    method: 'POST',
    path: '/api/message-files/{id}/save',
    summary: 'Add a file of an answer to Files',
    caller: 'user',
    changes: 'journaled',
    params: Id,
    body: z.strictObject({ folder_id: z._default(z.nullable(z.uuid()), null) }),
    out: File,
    status: 201,
    responseIfRepeated: { fromRoute: 'saved', idFrom: 'record' },
    errors: ['quota_exceeded', 'storage_full'],
    example: { params: { id: exampleId('messageFile') }, body: {} },
  },
  saved: {
    method: 'GET',
    path: '/api/message-files/saved/{id}',
    summary: 'A file in Files that was saved from an answer, by the id of the file',
    caller: 'user',
    changes: 'nothing',
    params: Id,
    out: File,
    example: { params: { id: exampleId('file') } },
  },
})

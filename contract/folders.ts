import * as z from 'zod/mini'
import { exampleId } from './examples.ts'
import { NewRecordId, requiredText, systemFields, Version } from './records.ts'
import { defineRoutes } from './route.ts'

/** A folder. `parent_folder_id` is null in the root folder. */
export const Folder = z.object({ ...systemFields, name: z.string(), parent_folder_id: z.nullable(z.uuid()) })
export type Folder = z.infer<typeof Folder>

const fields = { name: requiredText('name', 200), parent_folder_id: z.nullable(z.uuid()) }

const Id = z.strictObject({ id: z.uuid() })

export const folderRoutes = defineRoutes({
  list: {
    method: 'GET',
    path: '/api/folders',
    summary: 'The folders in a folder, by name; without parent_folder_id those in the root folder',
    caller: 'user',
    changes: 'nothing',
    query: z.strictObject({
      parent_folder_id: z.optional(z.uuid()),
      after: z.optional(z.string().check(z.maxLength(2000))),
      limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(200)), 200),
    }),
    out: z.object({ rows: z.array(Folder), next: z.nullable(z.string()) }),
    example: { query: { parent_folder_id: exampleId('folder') } },
  },
  get: {
    method: 'GET',
    path: '/api/folders/{id}',
    summary: 'One folder',
    caller: 'user',
    changes: 'nothing',
    params: Id,
    out: Folder,
    example: { params: { id: exampleId('folder') } },
  },
  path: {
    method: 'GET',
    path: '/api/folders/{id}/path',
    summary: 'The folders from the root folder to a folder, which is the last',
    caller: 'user',
    changes: 'nothing',
    params: Id,
    out: z.object({ rows: z.array(z.object({ id: z.uuid(), name: z.string() })) }),
    example: { params: { id: exampleId('folder') } },
  },
  create: {
    method: 'POST',
    path: '/api/folders',
    summary: 'Add a folder. Its name must differ from those beside it',
    caller: 'user',
    changes: 'journaled',
    body: z.strictObject({ id: NewRecordId, name: fields.name, parent_folder_id: z._default(fields.parent_folder_id, null) }),
    out: Folder,
    status: 201,
    onKeyRepeat: { route: 'get', idFrom: 'record' },
    errors: ['duplicate'],
    example: { body: { name: 'Offers' } },
  },
  update: {
    method: 'PATCH',
    path: '/api/folders/{id}',
    summary: 'Rename a folder, or move it into another folder',
    caller: 'user',
    changes: 'journaled',
    params: Id,
    body: z.strictObject({ name: z.optional(fields.name), parent_folder_id: z.optional(fields.parent_folder_id), version: Version }),
    out: Folder,
    onKeyRepeat: { route: 'get', idFrom: 'params' },
    errors: ['conflict', 'duplicate'],
    example: { params: { id: exampleId('folder') }, body: { name: 'Signed contracts' } },
  },
  delete: {
    method: 'DELETE',
    path: '/api/folders/{id}',
    summary: 'Delete a folder with everything in it; it stays in the trash for 30 days',
    caller: 'user',
    changes: 'journaled',
    params: Id,
    example: { params: { id: exampleId('folder') } },
  },
})

import * as z from 'zod/mini'
import { exampleId } from './examples.ts'
import { hasOnePlace, placeFields } from './files.ts'
import { idsLimit } from './lists.ts'
import { Instant } from './records.ts'
import { defineRoutes } from './route.ts'

/** Files and folders that are selected together: ids of both, at least one and at most 1,000 in all. */
const fields = { file_ids: z._default(z.array(z.uuid()), []), folder_ids: z._default(z.array(z.uuid()), []) }
export type FileSelection = { file_ids: string[]; folder_ids: string[] }

const hasIds = z.refine<FileSelection>(({ file_ids, folder_ids }) => file_ids.length + folder_ids.length > 0, {
  error: 'Select a file or a folder',
  path: ['file_ids'],
})
const hasFewIds = z.refine<FileSelection>(({ file_ids, folder_ids }) => file_ids.length + folder_ids.length <= idsLimit, {
  error: 'Select at most 1,000 files and folders',
  path: ['file_ids'],
})
/** A contact has no folders. */
const hasPlaceForFolders = z.refine<FileSelection & { contact_id: string | null }>(
  ({ folder_ids, contact_id }) => contact_id === null || folder_ids.length === 0,
  { error: 'A folder cannot be attached to a contact', path: ['folder_ids'] },
)
const hasOneSource = z.refine<FileSelection & { contact_id: string | null }>(
  ({ file_ids, folder_ids, contact_id }) => (contact_id === null) !== (file_ids.length + folder_ids.length === 0),
  { error: 'Select files and folders, or a contact', path: ['file_ids'] },
)

/** The limits of a zip. */
export const zipLimits = { entries: 10_000, bytes: 20 * 1024 ** 3 } as const

/** A zip that is ready to be downloaded. */
export const Zip = z.object({
  id: z.uuid(),
  /** The address from which the browser downloads the zip, with the session of the user. */
  url: z.string(),
  name: z.string(),
  /** The number of files and folders. */
  entry_count: z.int(),
  /** The size of the zip in bytes. */
  size: z.int(),
  expires_at: Instant,
})
export type Zip = z.infer<typeof Zip>

const ids = { file_ids: [exampleId('file')], folder_ids: [exampleId('folder')] }

/** The routes for files and folders that are selected together. */
export const fileSelectionRoutes = defineRoutes({
  move: {
    method: 'POST',
    path: '/api/files/selection/move',
    summary:
      'Move files and folders into a folder, or files to a contact, as one change; two nulls are the root folder. Files may have equal names, folders not',
    caller: 'user',
    changes: 'journaled',
    body: z
      .strictObject({ ...fields, folder_id: z.nullable(z.uuid()), contact_id: placeFields.contact_id })
      .check(hasIds, hasFewIds, hasOnePlace, hasPlaceForFolders),
    errors: ['duplicate'],
    example: { body: { file_ids: ids.file_ids, folder_id: exampleId('folder') } },
  },
  delete: {
    method: 'POST',
    path: '/api/files/selection/delete',
    summary: 'Delete files, and folders with everything in them, as one change; they stay in the trash for 30 days',
    caller: 'user',
    changes: 'journaled',
    body: z.strictObject(fields).check(hasIds, hasFewIds),
    example: { body: ids },
  },
  prepareZip: {
    method: 'POST',
    path: '/api/files/zip',
    summary: 'Prepare a zip of files and folders, or of the attachments of a contact',
    caller: 'user',
    changes: { irreversible: 'It creates a link, which ends by itself.' },
    body: z.strictObject({ ...fields, contact_id: z._default(z.nullable(z.uuid()), null) }).check(hasOneSource, hasFewIds),
    out: Zip,
    status: 201,
    errors: ['too_many', 'too_large'],
    example: { body: ids },
  },
  zip: {
    method: 'GET',
    path: '/api/zips/{id}',
    summary: 'A zip that was prepared in the last five minutes. It is refused when its files have changed since',
    caller: 'user',
    changes: 'nothing',
    params: z.strictObject({ id: z.uuid() }),
    file: 'application/zip',
    errors: ['link_expired', 'too_many_requests'],
    example: { params: { id: exampleId('zip') } },
  },
})

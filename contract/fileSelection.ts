import * as z from 'zod/mini'
import { exampleId } from './examples.ts'
import { fileFilters, hasAtMostOnePlace, placeFields } from './files.ts'
import { folderFilters } from './folders.ts'
import { conditionsSchema, SearchText, type Filters } from './lists.ts'
import { Instant } from './fields.ts'
import { defineRoutes } from './route.ts'

/**
 * The maximum number of ids in a selection, and of the files or folders that match its filter. The undo of more rows could exceed the time
 * limit of a write.
 */
export const selectionLimits = { ids: 10_000, matching: 20_000 } as const

/** Returns the schema of the search and the filter of a list. */
const optionalFilter = (filters: Filters) =>
  z.optional(z.strictObject({ search: SearchText, filter: z._default(conditionsSchema(filters), []) }))

/**
 * All files and all folders that match a search and a filter, as in the lists of files and folders. Without `files` no file matches, and
 * without `folders` no folder.
 */
const Matching = z.strictObject({ files: optionalFilter(fileFilters), folders: optionalFilter(folderFilters) })
export type Matching = z.infer<typeof Matching>

/** Files and folders that are selected together: ids of both, or everything that matches. */
const fields = {
  file_ids: z._default(z.array(z.uuid()), []),
  folder_ids: z._default(z.array(z.uuid()), []),
  matching: z.optional(Matching),
}
export type FileSelection = { file_ids: string[]; folder_ids: string[]; matching?: Matching | undefined }

const countIds = ({ file_ids, folder_ids }: FileSelection): number => file_ids.length + folder_ids.length

const hasOneSelection = z.refine<FileSelection>((selection) => (selection.matching === undefined) !== (countIds(selection) === 0), {
  error: 'Select a file or a folder',
  path: ['file_ids'],
})
const hasFewIds = z.refine<FileSelection>((selection) => countIds(selection) <= selectionLimits.ids, {
  error: 'Select at most 10,000 files and folders',
  path: ['file_ids'],
})
/** Only files can be moved to a contact, because a contact has no folders. */
const hasPlaceForFolders = z.refine<FileSelection & { contact_id: string | null }>(
  ({ folder_ids, matching, contact_id }) => contact_id === null || (folder_ids.length === 0 && matching?.folders === undefined),
  { error: 'A folder cannot be attached to a contact', path: ['folder_ids'] },
)
const hasOneSource = z.refine<FileSelection & { contact_id: string | null }>(
  (selection) => [countIds(selection) > 0, selection.matching !== undefined, selection.contact_id !== null].filter(Boolean).length === 1,
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
  count: {
    method: 'POST',
    path: '/api/files/selection/count',
    summary: 'How many files and how many folders match. Each count stops at 20,001, one more than can be selected',
    caller: 'user',
    changes: 'nothing',
    body: z.strictObject({ matching: Matching }),
    out: z.object({ file_count: z.int(), folder_count: z.int() }),
    example: { body: { matching: { files: { filter: [{ field: 'folder_id', empty: true }] } } } },
  },
  move: {
    method: 'POST',
    path: '/api/files/selection/move',
    summary:
      'Move files and folders into a folder, or files to a contact, as one change. Without folder_id and contact_id they move to the root folder. Files in one place may have equal names, folders may not',
    caller: 'user',
    changes: 'journaled',
    body: z
      .strictObject({ ...fields, folder_id: z.nullable(z.uuid()), contact_id: placeFields.contact_id })
      .check(hasOneSelection, hasFewIds, hasAtMostOnePlace, hasPlaceForFolders),
    errors: ['duplicate', 'too_many'],
    example: { body: { file_ids: ids.file_ids, folder_id: exampleId('folder') } },
  },
  delete: {
    method: 'POST',
    path: '/api/files/selection/delete',
    summary: 'Delete files, and folders with everything in them, as one change; they stay in the trash for 30 days',
    caller: 'user',
    changes: 'journaled',
    mayContinue: true,
    body: z.strictObject(fields).check(hasOneSelection, hasFewIds),
    errors: ['too_many'],
    example: { body: ids },
  },
  prepareZip: {
    method: 'POST',
    path: '/api/files/zip',
    summary: 'Prepare a zip of files and folders, or of the attachments of a contact',
    caller: 'user',
    scope: 'read',
    changes: { noUndo: 'It only creates a link, which expires.' },
    body: z.strictObject({ ...fields, contact_id: z._default(z.nullable(z.uuid()), null) }).check(hasOneSource, hasFewIds),
    out: Zip,
    status: 201,
    errors: ['too_many', 'too_large', 'too_many_requests'],
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

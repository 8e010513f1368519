import * as z from 'zod/mini'
import { exampleId } from './examples.ts'
import { cleanFileName } from './fileNames.ts'
import { textReasons } from './fileTexts.ts'
import { pathFields } from './folders.ts'
import { recordKinds } from './kinds.ts'
import { Passage, type Filters } from './lists.ts'
import { Instant } from './fields.ts'
import { recordRoutes, systemFields, Version } from './records.ts'
import { defineRoutes } from './route.ts'
import { sumRoutes } from './sums.ts'

/** The columns of an export, in their order. */
export const fileColumns = ['file_name', 'file_type', 'file_size', 'mime_type', 'is_ai_generated', 'created_at'] as const

export const fileFilters = {
  folder_id: 'link',
  /** In the folder or in a folder below it. */
  below_folder_id: 'link',
  contact_id: 'link',
  file_name: 'text',
  file_type: 'text',
  file_size: 'number',
  created_at: 'instant',
} as const satisfies Filters

/** A name with characters that cannot be stored is not refused. Such characters are removed: see `cleanFileName`. */
export const FileName = z.string().check(z.maxLength(2000, 'At most 2,000 characters'), z.overwrite(cleanFileName))

/** Where a file is: in a folder, attached to a contact, or in the root folder. */
export const placeFields = { folder_id: z._default(z.nullable(z.uuid()), null), contact_id: z._default(z.nullable(z.uuid()), null) }

export const hasAtMostOnePlace = z.refine<{ folder_id: string | null; contact_id: string | null }>(
  ({ folder_id, contact_id }) => folder_id === null || contact_id === null,
  { error: 'Name a folder or a contact, not both', path: ['contact_id'] },
)

/** `waiting`: the text has not been read yet. `failed`: the file has no text, or it cannot be read. */
const TextState = z.enum(['waiting', 'ready', 'failed'])

/** A file. In the root folder `folder_id` and `contact_id` are null; an attachment of a contact has no folder. */
export const File = z.object({
  ...systemFields,
  folder_id: z.nullable(z.uuid()),
  contact_id: z.nullable(z.uuid()),
  file_name: z.string(),
  /** The extension in lower case, or "unknown". */
  file_type: z.string(),
  /** In bytes. */
  file_size: z.int(),
  /** The type that the client named. It has no influence on how the file is served. */
  mime_type: z.string(),
  storage_path: z.string(),
  is_ai_generated: z.boolean(),
  text_state: TextState,
  /** Null unless the state is "failed". */
  text_reason: z.nullable(z.enum(textReasons)),
  has_thumbnail: z.boolean(),
})
export type File = z.infer<typeof File>

/**
 * A file in a list. `passage` is the part of its text in which a search found words. `path` has the folders that contain the file; it is
 * left out in a list of one folder, of the root folder or of one contact, because all rows of such a list have the same path.
 */
export const FileRow = z.extend(File, { passage: z.optional(Passage), ...pathFields })
export type FileRow = z.infer<typeof FileRow>

const Edit = { file_name: z.optional(FileName), folder_id: z.optional(z.nullable(z.uuid())) }

// files have no route `create`, because an upload creates a file
const { create: _, ...routes } = recordRoutes({
  kind: recordKinds.file,
  FullRecord: File,
  Row: FileRow,
  New: z.strictObject({}),
  Patch: z.strictObject({ ...Edit, version: Version }),
  BulkPatch: z.strictObject({ folder_id: Edit.folder_id }),
  sorts: ['newest', 'file_name', 'file_size'],
  filters: fileFilters,
  columns: fileColumns,
  example: {
    query: { search: 'offer', sort: 'file_size', limit: '10', filter: '[{"field":"folder_id","empty":true}]' },
    new: {},
    patch: { file_name: 'Offer, signed.txt' },
    bulkPatch: { folder_id: exampleId('folder') },
  },
})

/** An existing file that has a requested name, and the name that an upload with `keep_both` would give to a new file instead. */
const TakenName = z.object({
  /** The name as the server cleans it: see `cleanFileName`. */
  file_name: z.string(),
  file: z.object({ id: z.uuid(), file_name: z.string(), file_size: z.int(), created_at: Instant }),
  free_name: z.string(),
})
export type TakenName = z.infer<typeof TakenName>

/** The maximum number of names in a request of the route `takenNames`. */
export const maxTakenNames = 1000

const Disposition = z._default(z.enum(['attachment', 'inline']), 'attachment')

/** The routes of files. */
export const fileRoutes = {
  ...routes,
  ...sumRoutes(recordKinds.file, fileFilters, 'file_size'),
  ...defineRoutes({
    takenNames: {
      method: 'POST',
      path: '/api/files/taken-names',
      summary:
        'Which of these names a folder, a contact or the root folder has already. Each name is checked as if the others were not sent',
      caller: 'user',
      changes: 'nothing',
      body: z
        .strictObject({ ...placeFields, names: z.array(FileName).check(z.minLength(1), z.maxLength(maxTakenNames)) })
        .check(hasAtMostOnePlace),
      out: z.object({ rows: z.array(TakenName) }),
      example: { body: { folder_id: exampleId('folder'), names: ['Offer.txt'] } },
    },
    content: {
      method: 'GET',
      path: '/api/files/{id}/content',
      summary: 'The bytes of a file. With disposition=inline a browser shows it, if its type is safe',
      caller: 'user',
      changes: 'nothing',
      params: z.strictObject({ id: z.uuid() }),
      query: z.strictObject({ disposition: Disposition }),
      download: true,
      errors: ['not_ready'],
      example: { params: { id: exampleId('file') } },
    },
    checksum: {
      method: 'GET',
      path: '/api/files/{id}/checksum',
      summary: 'The SHA-256 of a file in hexadecimal; null until it has been computed',
      caller: 'user',
      changes: 'nothing',
      params: z.strictObject({ id: z.uuid() }),
      out: z.object({ sha256: z.nullable(z.string()) }),
      example: { params: { id: exampleId('file') } },
    },
    text: {
      method: 'GET',
      path: '/api/files/{id}/text',
      summary: 'The text of a file',
      caller: 'user',
      changes: 'nothing',
      params: z.strictObject({ id: z.uuid() }),
      out: z.object({
        state: TextState,
        reason: z.nullable(z.enum(textReasons)),
        text: z.string(),
        /** Whether the file has more than this text. */
        is_cut: z.boolean(),
        /** Where the pages or slides begin in the text, in UTF-16 code units. Null if the document has no pages. */
        pages: z.nullable(z.array(z.int())),
      }),
      example: { params: { id: exampleId('file') } },
    },
    thumbnail: {
      method: 'GET',
      path: '/api/files/{id}/thumbnail',
      summary: 'A WebP picture of an image, at most 320 pixels wide and high',
      caller: 'user',
      changes: 'nothing',
      params: z.strictObject({ id: z.uuid() }),
      download: true,
      example: { params: { id: exampleId('file') } },
    },
    link: {
      method: 'GET',
      path: '/api/file-links/{token}',
      summary: 'The bytes of a file, by a link that works for a minute without a session',
      caller: 'anyone',
      changes: 'nothing',
      params: z.strictObject({ token: z.string() }),
      download: true,
      errors: ['link_expired', 'not_ready'],
      example: { params: { token: 'a-token' } },
    },
  }),
}

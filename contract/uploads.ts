import * as z from 'zod/mini'
import { exampleId } from './examples.ts'
import { File, FileName, hasAtMostOnePlace, placeFields } from './files.ts'
import { wholeNumber } from './numbers.ts'
import { Instant } from './fields.ts'
import { NewRecordId } from './records.ts'
import { defineRoutes } from './route.ts'

/** The size of each part of an upload; only the last part may be shorter. A test checks that the storage uses parts of the same size. */
export const partBytes = 8 * 1024 * 1024
/** The maximum number of unfinished uploads of one owner. */
export const maxOpenUploads = 1000
/** The maximum number of parts that S3 accepts. With this number of parts a file has 78 GiB. */
const maxParts = 10_000
const maxFileBytes = maxParts * partBytes

const MimeType = z.string().check(
  z.overwrite((text) => (/^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(text) ? text.toLowerCase() : 'application/octet-stream')),
  z.maxLength(255),
)

/** What happens if the folder has a file with the same name when the upload is finished. `skip`: no file is added. */
const IfExists = z.enum(['keep_both', 'replace', 'skip'])

export const NewUpload = z
  .strictObject({
    /** The id may be chosen by the client. A repeated request with this id then returns the upload that the first request started. */
    id: NewRecordId,
    file_name: FileName,
    file_size: z.int().check(z.gte(0, 'At least 0'), z.lte(maxFileBytes, 'At most 78 GiB')),
    mime_type: z._default(MimeType, 'application/octet-stream'),
    ...placeFields,
    if_exists: z._default(IfExists, 'keep_both'),
  })
  .check(hasAtMostOnePlace)
export type NewUpload = z.output<typeof NewUpload>

export const Upload = z.object({
  id: z.uuid(),
  created_at: Instant,
  expires_at: Instant,
  file_name: z.string(),
  file_size: z.int(),
  mime_type: z.string(),
  folder_id: z.nullable(z.uuid()),
  contact_id: z.nullable(z.uuid()),
  if_exists: IfExists,
  /** The size of each part, in bytes. Only the last part may be shorter. */
  part_size: z.int(),
  part_count: z.int(),
  /** The numbers of the stored parts, from 0. */
  parts: z.array(z.int()),
  /** The file of a finished upload; null before. */
  file_id: z.nullable(z.uuid()),
})
export type Upload = z.infer<typeof Upload>

/** A file of at most the size of one part (8 MiB), which is sent in one request. */
const WholeFile = z
  .strictObject({
    /** The id of the upload, chosen by the client. A repeated request with this id returns the file that the first request added. */
    id: z.uuidv7('Send a UUID of version 7'),
    file_name: FileName,
    file_size: wholeNumber({ max: partBytes, tooLarge: 'At most 8 MiB. Send larger files in parts' }),
    mime_type: z._default(MimeType, 'application/octet-stream'),
    ...placeFields,
    if_exists: z._default(IfExists, 'keep_both'),
  })
  .check(hasAtMostOnePlace)
export type WholeFile = z.output<typeof WholeFile>

const Id = z.strictObject({ id: z.uuid() })
const notUndoable = { noUndo: 'An unfinished upload is not a record: the user sees no file before the upload is finished.' }

export const uploadRoutes = defineRoutes({
  list: {
    method: 'GET',
    path: '/api/uploads',
    summary: 'The newest 200 unfinished uploads',
    caller: 'user',
    changes: 'nothing',
    out: z.object({ rows: z.array(Upload) }),
    example: {},
  },
  get: {
    method: 'GET',
    path: '/api/uploads/{id}',
    summary: 'An upload with its stored parts',
    caller: 'user',
    changes: 'nothing',
    params: Id,
    out: Upload,
    example: { params: { id: exampleId('upload') } },
  },
  create: {
    method: 'POST',
    path: '/api/uploads',
    summary: 'Start an upload. It is deleted after seven days if it is not finished',
    caller: 'user',
    scope: 'write',
    changes: notUndoable,
    body: NewUpload,
    out: Upload,
    status: 201,
    errors: ['quota_exceeded', 'too_many', 'storage_full', 'not_ready'],
    example: { body: { file_name: 'Offer.pdf', file_size: 7, mime_type: 'application/pdf', folder_id: exampleId('folder') } },
  },
  sendWhole: {
    method: 'POST',
    path: '/api/uploads/whole',
    summary: 'Upload a file of at most one part in one request. May be repeated with the same id',
    caller: 'user',
    changes: 'journaled',
    query: WholeFile,
    upload: true,
    out: File,
    responseIfRepeated: { fromRoute: 'finish', idFrom: 'query' }, // `finish` returns the file of an upload that is finished already
    errors: ['quota_exceeded', 'too_many', 'storage_full', 'not_ready'],
    example: {
      // tests send the body as JSON, in which "Hello" with its quotes has 7 bytes, here and in `writePart`
      query: { id: '01930000-0000-7000-8000-0000000000ff', file_name: 'Small.txt', file_size: '7', folder_id: exampleId('folder') },
      body: 'Hello',
    },
  },
  writePart: {
    method: 'PUT',
    path: '/api/uploads/{id}/parts/{number}',
    summary: 'Store a part of an upload, in any order. Each part has part_size bytes, except the last, which has the rest of the file',
    caller: 'user',
    scope: 'write',
    changes: notUndoable,
    params: z.strictObject({ id: z.uuid(), number: wholeNumber({ max: maxParts - 1 }) }),
    upload: true,
    errors: ['storage_full', 'not_ready'],
    example: { params: { id: exampleId('upload'), number: '0' }, body: 'Hello' },
  },
  finish: {
    method: 'POST',
    path: '/api/uploads/{id}/finish',
    summary: 'Create the file of an upload whose parts are all stored. May be repeated',
    caller: 'user',
    changes: 'journaled',
    params: Id,
    out: File,
    responseIfRepeated: { fromRoute: 'finish' }, // `finish` returns the file of an upload that is finished already
    errors: ['storage_full', 'not_ready'],
    example: { params: { id: exampleId('uploadWithAllParts') } },
  },
  cancel: {
    method: 'DELETE',
    path: '/api/uploads/{id}',
    summary: 'Delete an unfinished upload and its parts',
    caller: 'user',
    scope: 'write',
    changes: notUndoable,
    params: Id,
    example: { params: { id: exampleId('upload') } },
  },
})

/** Existing storage paths are far shorter than 200 characters. */
const StoragePath = z.string().check(z.maxLength(200))
const examplePath = `${exampleId('owner')}/${exampleId('storedObject')}`

/**
 * Routes for files with the paths and the field names of an earlier version of the API, so that its clients still work. The first adds a
 * small file, the second returns a link to any file.
 */
export const fileFunctionRoutes = defineRoutes({
  uploadToS3: {
    method: 'POST',
    path: '/functions/v1/upload-to-s3',
    summary: 'Add a file from base64 in JSON, for small files',
    caller: 'user',
    changes: 'journaled',
    body: z.strictObject({
      fileName: FileName,
      fileType: z.optional(z.string().check(z.maxLength(255))),
      fileSize: z.int().check(z.gte(0)),
      mimeType: z._default(MimeType, 'application/octet-stream'),
      folderId: z.optional(z.nullable(z.uuid())),
      contactId: z.optional(z.nullable(z.uuid())),
      fileData: z.string(),
    }),
    largeBody: { tooLarge: 'This file is too large for one request. Send it in parts: POST /api/uploads' },
    out: z.object({ success: z.boolean() }),
    responseIfRepeated: { body: { success: true } },
    errors: ['quota_exceeded', 'storage_full', 'not_ready'],
    example: {
      body: {
        fileName: 'Hello.txt',
        fileType: 'txt',
        fileSize: 5,
        mimeType: 'text/plain',
        folderId: exampleId('folder'),
        fileData: 'SGVsbG8=',
      },
    },
  },
  downloadFromS3: {
    method: 'POST',
    path: '/functions/v1/download-from-s3',
    summary: 'A link to the bytes of a file, which works for a minute. s3Key and storagePath are the storage_path of a file',
    caller: 'user',
    scope: 'read',
    changes: { noUndo: 'It only creates a link, which expires.' },
    body: z.strictObject({ s3Key: z.optional(StoragePath), storagePath: z.optional(StoragePath) }).check(
      z.refine(({ s3Key, storagePath }) => (s3Key === undefined) !== (storagePath === undefined), {
        error: 'Send either s3Key or storagePath',
        path: ['s3Key'],
      }),
    ),
    out: z.object({ url: z.url() }),
    example: { body: { s3Key: examplePath } },
  },
})

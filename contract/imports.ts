import * as z from 'zod/mini'
import { exampleId } from './examples.ts'
import { FileName } from './files.ts'
import { wholeNumber } from './numbers.ts'
import { Instant } from './fields.ts'
import { defineRoutes } from './route.ts'

/** The extensions of the files that can be imported. */
export const importFileTypes = ['csv', 'txt', 'text', 'tsv', 'vcf', 'xlsx'] as const

/** The encodings in which texts are read. */
export const textEncodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1250', 'windows-1252', 'windows-1254'] as const
export type TextEncoding = (typeof textEncodings)[number]

/** The record kinds that can be imported. */
export const ImportKind = z.enum(['contact', 'company', 'deal', 'task'])
export type ImportKind = z.infer<typeof ImportKind>

/** `create`: existing records are skipped. `update`: only existing records are changed. `both`: the others are created too. */
export const ImportMode = z.enum(['create', 'update', 'both'])
export type ImportMode = z.infer<typeof ImportMode>

/** An import in the history. `created`, `updated`, `skipped` and `failed` count rows; their sum is `rows_done`. */
export const Import = z.object({
  id: z.uuid(),
  created_at: Instant,
  kind: ImportKind,
  file_name: z.string(),
  /** In bytes. */
  file_size: z.int(),
  /**
   * `uploaded`: the file is stored and nothing was imported yet. `running`: a job imports the rows. `finished`: all rows were imported.
   * `failed`: the job could not read or store the rest of the rows; `problem` says why. `stopped`: the user stopped or undid the import.
   */
  status: z.enum(['uploaded', 'running', 'finished', 'failed', 'stopped']),
  mode: ImportMode,
  created: z.int(),
  updated: z.int(),
  skipped: z.int(),
  failed: z.int(),
  /** The created and updated rows of which a cell is not, or not completely, stored in its field. */
  with_remarks: z.int(),
  rows_done: z.int(),
  /** The number of rows in the file without its header and the empty rows at its end; null until they are counted at the start. */
  rows_total: z.nullable(z.int()),
  /** Why the import failed, in a sentence; otherwise empty. */
  problem: z.string(),
  started_at: z.nullable(Instant),
  finished_at: z.nullable(Instant),
  /** The change group of the import in the history; null before the start. */
  change_id: z.nullable(z.uuid()),
  /** Whether the import is undone now. */
  undone: z.boolean(),
  /** While it is undone: the number of its records that the undo has kept, wholly or in part, as edited since or in use. Otherwise 0. */
  kept: z.int(),
  /** The id for `POST /api/changes/{id}/undo`, also while it runs. Null if it wrote nothing, is undone, or began over 30 days ago. */
  undo_id: z.nullable(z.uuid()),
  /** The id with which `POST /api/changes/{id}/undo` redoes the import. Null if it is not undone. */
  redo_id: z.nullable(z.uuid()),
})
export type Import = z.infer<typeof Import>

/** How a column of the file is mapped. */
export const ImportColumn = z.object({
  header: z.string(),
  /** Up to five different values of the first rows. */
  samples: z.array(z.string()),
  /** One of `importFields`; null if the column has no field. Contacts keep the values of such columns; other kinds do not. */
  field: z.nullable(z.string()),
  /** Whether the mapper is sure of the field. */
  certainty: z.enum(['sure', 'unsure']),
  /**
   * Why the column has this field or no field. `header_excluded`: the words of the header are known, but no field has all of them.
   * `unknown`: neither the header nor the values say anything. `content_contradicts`: the values do not fit the field that the header
   * names. `other_column_preferred`: another column has the field. `chosen`: the user has chosen it. `ai`: the AI has suggested it.
   */
  reason: z.enum(['header', 'content', 'header_excluded', 'unknown', 'content_contradicts', 'other_column_preferred', 'chosen', 'ai']),
})
export type ImportColumn = z.infer<typeof ImportColumn>

/** Whether the AI can be asked about a column: it is unsure, and the AI has not decided yet. A choice of the user makes a column sure. */
export const canAskAi = ({ certainty, reason }: Pick<ImportColumn, 'certainty' | 'reason'>): boolean =>
  certainty === 'unsure' && reason !== 'ai'

/** The maximum number of columns about which the AI is asked at once; it is asked about the first ones. */
export const maxColumnsForAi = 100

/** The record that the import would make of a row of the preview. */
const PreviewRecord = z.object({
  fields: z.record(z.string(), z.union([z.string(), z.number(), z.array(z.string())])),
  /** Names or emails of linked records, by field. */
  links: z.record(z.string(), z.string()),
  notes: z.string(),
  /** The cells that have no field, or that cannot be read for their field, by header. Only contacts keep them. */
  raw_data: z.record(z.string(), z.string()),
  /** Why the row would fail, in a sentence; otherwise empty. */
  problem: z.string(),
  /** For each cell that the fields do not have completely: the header of its column, and a sentence that says why and where it goes. */
  remarks: z.array(z.object({ column: z.string(), reason: z.string() })),
})

/** What was found in the file. */
const ImportTable = z.object({
  format: z.enum(['delimited', 'excel', 'vcard', 'free_text']),
  /** One of `textEncodings`; null for Excel files. */
  encoding: z.nullable(z.string()),
  /** Null for other formats than `delimited`. */
  separator: z.nullable(z.string()),
  /** The sheet that is imported, and all sheets of an Excel file. */
  sheet: z.nullable(z.string()),
  sheets: z.array(z.string()),
  has_header: z.boolean(),
  /** Sentences for the user. */
  findings: z.array(z.object({ code: z.string(), message: z.string() })),
  columns: z.array(ImportColumn),
  /** The first rows, with long cells cut. `line` is the line in the file, or the row of the sheet, from 1. */
  preview: z.array(z.object({ line: z.int(), cells: z.array(z.string()), record: PreviewRecord })),
})
export type ImportTable = z.infer<typeof ImportTable>

/** An import with its file. The preview, and the samples of the columns, are empty after the start. */
export const ImportDetails = z.extend(Import, { table: ImportTable })
export type ImportDetails = z.infer<typeof ImportDetails>

/** `remark`: the row was imported, but a cell is not, or not completely, stored in its field. A row can have several remarks. */
export const ImportRowStatus = z.enum(['failed', 'skipped', 'remark'])
export type ImportRowStatus = z.infer<typeof ImportRowStatus>

/** A row that failed or was skipped, or a remark on an imported row. Empty rows after one another are one, with the line of the first. */
export const ImportRow = z.object({
  id: z.uuid(),
  line: z.int(),
  /** The header of the column that is wrong; empty if it is the whole row. */
  column: z.string(),
  /** Why the row failed or was skipped, or what of it is not stored in its field, in a sentence. */
  reason: z.string(),
  /** The cells in the order of the columns. Only of failed rows all cells are kept; of others the first ones, and long ones are cut. */
  cells: z.array(z.string()),
})
export type ImportRow = z.infer<typeof ImportRow>
/**
 * A reason for which rows failed, were skipped or have a remark, and how many rows. The reason with the most rows comes first. The values
 * of the cells are left out of the reason: "“…” is not an email."
 */
const ImportRowReason = z.object({ column: z.string(), reason: z.string(), count: z.int() })
export type ImportRowReason = z.infer<typeof ImportRowReason>

const Fields = z.array(z.nullable(z.string().check(z.maxLength(50)))).check(z.maxLength(1000))
const After = z.optional(z.string().check(z.maxLength(200)))
const Limit = z._default(wholeNumber({ min: 1, max: 200 }), 50)
const Id = z.strictObject({ id: z.uuid() })

const path = '/api/imports'
const notUndoable = { noUndo: 'A file that waits for its import is not a record.' }
/** Only the request has no undo. The records that its job writes are undone with the `undo_id` of the import. */
const startsJob = { noUndo: 'A job writes the records as a change of its own, which the user can undo.' }
const example = { params: { id: exampleId('import') } }

export const importRoutes = defineRoutes({
  list: {
    method: 'GET',
    path,
    summary: 'The imports, newest first',
    caller: 'user',
    changes: 'nothing',
    query: z.strictObject({ after: After, limit: Limit }),
    out: z.object({ rows: z.array(Import), next: z.nullable(z.string()) }),
    example: { query: { limit: '10' } },
  },
  get: {
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'An import with its progress, its columns and a preview of its rows',
    caller: 'user',
    changes: 'nothing',
    params: Id,
    out: ImportDetails,
    example,
  },
  upload: {
    method: 'POST',
    path,
    summary: 'Upload a file to import. Imports nothing yet; the response has the columns and a preview. Expires after seven days',
    caller: 'user',
    changes: notUndoable,
    query: z.strictObject({ file_name: FileName, kind: z._default(ImportKind, 'contact') }),
    upload: true,
    out: ImportDetails,
    status: 201,
    errors: ['invalid', 'quota_exceeded', 'too_many', 'storage_full', 'not_ready'],
    example: { query: { file_name: 'People.csv', kind: 'contact' }, body: 'First name,Last name' },
  },
  change: {
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: 'Correct how the file is read, or the fields of its columns. Without fields, a file that is read again is mapped again',
    caller: 'user',
    changes: notUndoable,
    params: Id,
    body: z.strictObject({
      /** Not for Excel files. */
      encoding: z.optional(z.enum(textEncodings)),
      separator: z.optional(
        z.string().check(z.minLength(1), z.maxLength(1), z.regex(/^[^"\r\n]*$/, 'A quotation mark or a line break cannot separate cells')),
      ),
      sheet: z.optional(z.string().check(z.maxLength(200))),
      has_header: z.optional(z.boolean()),
      /** The field of each column, in the order of the columns. */
      fields: z.optional(Fields),
    }),
    out: ImportDetails,
    errors: ['import_started'],
    example: { ...example, body: { has_header: true } },
  },
  askAi: {
    method: 'POST',
    path: `${path}/{id}/ask-ai`,
    summary: 'Ask the AI about the columns that are unsure. Sends their names and at most five masked values of each, never the file',
    caller: 'user',
    changes: notUndoable,
    params: Id,
    out: ImportDetails,
    errors: ['import_started', 'ai_off', 'ai_limit', 'ai_failed', 'conflict'],
    example,
  },
  start: {
    method: 'POST',
    path: `${path}/{id}/start`,
    summary: 'Import the rows of the file. A job continues after the response',
    caller: 'user',
    changes: startsJob,
    params: Id,
    body: z.strictObject({ mode: ImportMode, fields: z.optional(Fields) }),
    out: Import,
    errors: ['import_started', 'disk_low'],
    example: { ...example, body: { mode: 'both' } },
  },
  stop: {
    method: 'POST',
    path: `${path}/{id}/stop`,
    summary: 'Stop an import that runs. The rows that were imported stay. Does nothing if it does not run',
    caller: 'user',
    changes: { noUndo: 'Stopping writes no records. Those that were imported are undone with the import.' },
    params: Id,
    out: Import,
    example,
  },
  rows: {
    method: 'GET',
    path: `${path}/{id}/rows`,
    summary:
      'The rows that failed or were skipped, or the remarks on imported rows, in their order, and on the first page how many rows have each reason. A page of very long rows has fewer than `limit`',
    caller: 'user',
    changes: 'nothing',
    params: Id,
    query: z.strictObject({ status: ImportRowStatus, after: After, limit: Limit }),
    out: z.object({ rows: z.array(ImportRow), next: z.nullable(z.string()), reasons: z.array(ImportRowReason) }),
    example: { ...example, query: { status: 'failed' } },
  },
  failedRows: {
    method: 'GET',
    path: `${path}/{id}/failed-rows`,
    summary: 'The rows that failed as a CSV file with the headers of the original file, to correct and import again',
    caller: 'user',
    changes: 'nothing',
    params: Id,
    file: 'text/csv',
    example,
  },
  delete: {
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Delete an import that does not run, and its file. The imported records stay',
    caller: 'user',
    changes: { noUndo: 'It deletes only the file and the report of the import.' },
    params: Id,
    errors: ['import_running'],
    example,
  },
})

/** The import with the path and the field names of an earlier version of the API, so that its clients still work. */
export const importFunctionRoutes = defineRoutes({
  importCrmContacts: {
    method: 'POST',
    path: '/functions/v1/import-crm-contacts',
    summary: 'Import contacts from a text. Waits at most 60 seconds for the result, and otherwise responds with status 202',
    caller: 'user',
    changes: startsJob,
    body: z.strictObject({ fileContent: z.string(), fileName: FileName }),
    largeBody: { tooLarge: 'This file is too large for one request. Upload it: POST /api/imports' },
    /** `imported`: the number of rows that created or updated a contact, so far if the status is 202. */
    out: z.object({ imported: z.int(), import_id: z.uuid() }),
    mayContinue: true,
    errors: ['import_failed', 'invalid', 'quota_exceeded', 'storage_full', 'not_ready'],
    example: { body: { fileContent: 'First name,Last name,Email\nLuigi,Menabrea,luigi@example.com', fileName: 'People.csv' } },
  },
})

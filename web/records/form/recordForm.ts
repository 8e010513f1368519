import * as z from 'zod/mini'
import { call, callForChange } from '#web/lib/client.ts'
import { capitalise } from '#web/lib/format.ts'
import { queries, refreshTables } from '#web/lib/queries.ts'
import { toastChange } from '#web/lib/undo.ts'
import type { EditableKind } from '#web/records/kind/kind.ts'
import { recordKeys } from '#web/records/kind/queries.ts'
import { FieldValues, toFormValues, type FieldLabels } from './fields.ts'

/** What `useRecordEditor` needs to know about a form. `Full` is the saved record with all fields. */
export type RecordForm<Full extends SavedRecord> = {
  /** The name under which drafts are stored in the browser tab. */
  draftName: string
  labels: FieldLabels
  /** The schema of the form values. */
  valuesSchema: z.ZodMiniType<FieldValues>
  /** The schema of the fields that the server accepts. */
  inputSchema: z.ZodMiniType
  /** Converts a record to form values. Without a record, returns the form values of a new record. */
  toValues: (record: Full | undefined) => FieldValues
  /** Converts changed form values to the fields of a request. */
  parse: (changes: FieldValues) => Record<string, unknown>
  /** Creates a record, or updates `record`. Shows a toast. Throws a `ProblemError`. */
  save: (request: SaveRequest<Full>) => Promise<Full>
  /** Loads a record that was created by a request whose response was lost, and shows a toast. Missing if the form creates no records. */
  loadAdded?: (id: string) => Promise<Full>
}

type SaveRequest<Full> = {
  record: Full | undefined
  /** The id of the record. A new record gets its id before it is saved. */
  id: string
  fields: Record<string, unknown>
  /** The version that the edit started from. */
  version: number
  allowDuplicate: boolean
  idempotencyKey: string
}

/** Returns the labels of the fields that the form of a kind contains. */
const getFormLabels = ({ fields, blank }: Pick<EditableKind<SavedRecord>, 'fields' | 'blank'>): FieldLabels =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, { label }]) => (name in blank ? [[name, label]] : [])))

export type SavedRecord = { id: string; version: number }

/** Describes the form of a record kind, or a form with only some of its fields, which has drafts of its own. */
export function createRecordForm<Full extends SavedRecord>(kind: EditableKind<Full>, fields?: readonly string[]): RecordForm<Full> {
  const { singular, table, blank, input, routes } = kind
  const allLabels = getFormLabels(kind)
  const labels = fields ? Object.fromEntries(fields.map((field) => [field, allLabels[field] ?? field])) : allLabels
  const announceCreated = (record: Full, changeId: string | undefined) =>
    void announceSaved(record, { singular, table, outcome: 'created', changeId, message: kind.describeCreated?.(record) })
  return {
    draftName: [singular, ...(fields ?? [])].join(' '),
    labels,
    valuesSchema: FieldValues,
    inputSchema: input,
    toValues: (record) => toFormValues({ ...(record ?? blank) }, labels),
    parse: (changes) => z.parse(z.partial(input), changes),
    save: async ({ record, id, fields: changedFields, version, allowDuplicate, idempotencyKey }) => {
      const { response, changeId } = record
        ? await callForChange(routes.update, { params: { id }, body: { ...changedFields, version } }, { idempotencyKey })
        : await callForChange(
            routes.create,
            { body: { id, ...changedFields, ...(allowDuplicate && { allow_duplicate: true }) } },
            { idempotencyKey },
          )
      if (record) void announceSaved(response, { singular, table, outcome: 'updated', changeId })
      else announceCreated(response, changeId)
      return response
    },
    loadAdded: async (id) => {
      const record = await call(routes.get, { params: { id } })
      announceCreated(record, undefined)
      return record
    },
  }
}

type Announcement = {
  singular: string
  table: string
  outcome: 'created' | 'updated'
  changeId: string | undefined
  /** Details below the title "Deal updated". */
  message?: string | undefined
}

/** Shows a toast with Undo. Resolves when all screens show the saved record. */
export function announceSaved(record: SavedRecord, { singular, table, outcome, changeId, message }: Announcement): Promise<void> {
  toastChange(`${capitalise(singular)} ${outcome}`, changeId, message)
  const isNewer = (cachedRecord: SavedRecord | undefined): boolean => cachedRecord !== undefined && cachedRecord.version > record.version
  // of two saves at the same time, the response to the first may arrive last
  queries.setQueryData<SavedRecord>(recordKeys(table).one(record.id), (cachedRecord) => (isNewer(cachedRecord) ? cachedRecord : record))
  return refreshTables([table])
}

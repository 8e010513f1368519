import * as z from 'zod/mini'
import { callForChange } from '#web/lib/client.ts'
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
  /** Creates a record, or updates a record that still has this `version`. Shows a toast. Throws a `ProblemError`. */
  save: (record: Full | undefined, changes: FieldValues, version: number, allowDuplicate: boolean) => Promise<Full>
}

/** Returns the labels of the fields that the form of a kind contains. */
const getFormLabels = ({ fields, blank }: Pick<EditableKind<SavedRecord>, 'fields' | 'blank'>): FieldLabels =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, { label }]) => (name in blank ? [[name, label]] : [])))

export type SavedRecord = { id: string; version: number }

/** Describes the form of a record kind. */
export function createRecordForm<Full extends SavedRecord>(kind: EditableKind<Full>): RecordForm<Full> {
  const { singular, table, blank, input, routes } = kind
  const labels = getFormLabels(kind)
  return {
    draftName: singular,
    labels,
    valuesSchema: FieldValues,
    inputSchema: input,
    toValues: (record) => toFormValues({ ...(record ?? blank) }, labels),
    save: async (record, changes, version, allowDuplicate) => {
      const fields = z.parse(z.partial(input), changes)
      const { response, changeId } = record
        ? await callForChange(routes.update, { params: { id: record.id }, body: { ...fields, version } })
        : await callForChange(routes.create, { body: { ...fields, ...(allowDuplicate && { allow_duplicate: true }) } })
      void announceSaved(response, { singular, table, outcome: record ? 'updated' : 'created', changeId })
      return response
    },
  }
}

type Announcement = {
  singular: string
  table: string
  outcome: 'created' | 'updated'
  changeId: string | undefined
  /** Details below the title "Deal updated". */
  message?: string
}

/** Shows a toast with Undo. Resolves when all screens show the saved record. */
export function announceSaved(record: { id: string }, { singular, table, outcome, changeId, message }: Announcement): Promise<void> {
  toastChange(`${capitalise(singular)} ${outcome}`, changeId, message)
  queries.setQueryData(recordKeys(table).one(record.id), record)
  return refreshTables([table])
}

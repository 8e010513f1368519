import * as z from 'zod/mini'
import { callForChange } from '#web/lib/client.ts'
import { capitalised } from '#web/lib/format.ts'
import { queries, refreshTables } from '#web/lib/queries.ts'
import { sayDone } from '#web/lib/undo.ts'
import type { EditableKind } from '#web/records/kind/kind.ts'
import { recordKeys } from '#web/records/kind/queries.ts'
import { FieldValues, toFormValues, type FieldLabels } from './fields.ts'

/** A form that `useRecordEditor` edits a record with. */
export type RecordForm<Full extends SavedRecord> = {
  /** Drafts in this tab are stored under it. */
  draftName: string
  labels: FieldLabels
  /** The fields as the form holds them. */
  values: z.ZodMiniType<FieldValues>
  /** The fields as the server takes them. */
  accepts: z.ZodMiniType
  /** The fields of a record; without one, of a new record. */
  valuesOf: (record: Full | undefined) => FieldValues
  /** Adds a record, or changes fields of one on top of `version`. Shows a toast, and throws a `ProblemError`. */
  save: (record: Full | undefined, changes: FieldValues, version: number, allowDuplicate: boolean) => Promise<Full>
}

/** The labels of the fields that the form of a kind holds. */
const formLabels = ({ fields, blank }: Pick<EditableKind<SavedRecord>, 'fields' | 'blank'>): FieldLabels =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, { label }]) => (name in blank ? [[name, label]] : [])))

export type SavedRecord = { id: string; version: number }

/** The form of a kind of record. */
export function recordForm<Full extends SavedRecord>(kind: EditableKind<Full>): RecordForm<Full> {
  const { singular, table, blank, input, routes } = kind
  const labels = formLabels(kind)
  return {
    draftName: singular,
    labels,
    values: FieldValues,
    accepts: input,
    valuesOf: (record) => toFormValues({ ...(record ?? blank) }, labels),
    save: async (record, changes, version, allowDuplicate) => {
      const fields = z.parse(z.partial(input), changes)
      const { answer, change } = record
        ? await callForChange(routes.update, { params: { id: record.id }, body: { ...fields, version } })
        : await callForChange(routes.create, { body: { ...fields, ...(allowDuplicate && { allow_duplicate: true }) } })
      void announceSaved(answer, { singular, table, how: record ? 'updated' : 'created', change })
      return answer
    },
  }
}

type Announcement = {
  singular: string
  table: string
  how: 'created' | 'updated'
  change: string | undefined
  /** Details that "Deal updated" does not tell. */
  message?: string
}

/** Shows a toast with Undo. Resolves when all screens show the saved record. */
export function announceSaved(record: { id: string }, { singular, table, how, change, message }: Announcement): Promise<void> {
  sayDone(`${capitalised(singular)} ${how}`, change, message)
  queries.setQueryData(recordKeys(table).one(record.id), record)
  return refreshTables([table])
}

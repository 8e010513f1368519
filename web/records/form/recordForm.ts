import type * as z from 'zod/mini'
import type { KindName, KindNames } from '#contract/kinds.ts'
import { FieldValues, valuesIn, type FieldLabels } from './fields.ts'
import type { FormKind } from './useRecordEditor.ts'
import { capitalised } from '#web/lib/format.ts'
import { queries, refreshTables } from '#web/lib/queries.ts'
import { sayDone } from '#web/lib/undo.ts'
import { recordKeys } from '#web/records/kind/queries.ts'

type Row = Readonly<Record<string, unknown>> & { id: string; version: number }
type Saved<R> = Promise<{ answer: R; change: string | undefined }>

type Described<R extends Row> = {
  kind: KindNames
  /** What each field is called, in the order of the form. */
  labels: FieldLabels
  /** A record of which nothing is known yet. */
  empty: Readonly<Record<string, unknown>>
  /** The fields as the server takes them, of what was typed. */
  accepts: z.ZodMiniType
  /** `allowDuplicate`: though it seems to be here already. */
  create: (changes: FieldValues, allowDuplicate: boolean) => Saved<R>
  update: (id: string, changes: FieldValues, version: number) => Saved<R>
}

/** The form of a kind of record that is added and edited by routes of its own, and says so with Undo. */
export const formKind = <R extends Row>({
  kind,
  labels,
  empty,
  accepts,
  create,
  update,
}: Described<R>): FormKind<R> & { name: KindName } => ({
  name: kind.singular,
  labels,
  values: FieldValues,
  accepts,
  valuesOf: (record) => valuesIn(record ?? empty, labels),
  save: async (record, changes, version, allowDuplicate) => {
    const { answer, change } = await (record ? update(record.id, changes, version) : create(changes, allowDuplicate))
    void announceSaved(answer, { noun: kind.singular, table: kind.table, how: record ? 'updated' : 'created', change })
    return answer
  },
})

type Announcement = {
  /** "deal" */
  noun: string
  table: string
  how: 'created' | 'updated'
  change: string | undefined
  /** What exactly, where "Deal updated" leaves it open. */
  message?: string
}

/** Says that a record was added or changed, with Undo. Resolves when it stands everywhere as it is now. */
export function announceSaved(record: { id: string }, { noun, table, how, change, message }: Announcement): Promise<void> {
  const title = `${capitalised(noun)} ${how}`
  sayDone(title, change, message)
  queries.setQueryData(recordKeys(table).one(record.id), record)
  return refreshTables([table])
}

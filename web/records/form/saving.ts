import { capitalised } from '#web/lib/format.ts'
import { queries, refreshTables } from '#web/lib/queries.ts'
import { sayDone } from '#web/lib/undo.ts'
import { recordKeys } from '#web/records/keys.ts'

type Saved = {
  /** "deal" */
  noun: string
  table: string
  how: 'created' | 'updated'
  change: string | undefined
  /** What exactly, where "Deal updated" leaves it open. */
  message?: string
}

/** Says that a record was added or changed, with Undo. Resolves when it stands everywhere as it is now. */
export function announceSaved(record: { id: string }, { noun, table, how, change, message }: Saved): Promise<void> {
  const title = `${capitalised(noun)} ${how}`
  sayDone(title, change, message)
  queries.setQueryData(recordKeys(table).one(record.id), record)
  return refreshTables([table])
}

import type { Database } from './database/database.ts'
import type { Tail } from './journal/tail.ts'
import type { RecordKind } from './records/kind.ts'
import type { Mail } from './mail/mail.ts'

/** What every feature may use. */
export type AppContext = {
  database: Database
  mail: Mail
  /** Tells what has changed, as it happens. */
  tail: Tail
  now: () => Date
  settings: { address: string; signUpOpen: boolean }
}

/** A table that a person deletes from, how its rows are called by their columns, and what they are linked to. */
export type TitledTable = Pick<RecordKind, 'nameOf' | 'table'> & Partial<Pick<RecordKind, 'singular' | 'links' | 'told'>>

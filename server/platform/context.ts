import type { Database } from './database/database.ts'
import type { Sessions } from './http/sessions.ts'
import type { Tail } from './journal/tail.ts'
import type { RecordKind } from './records/kind.ts'
import type { Mail } from './mail/mail.ts'

/** The services that every feature gets. */
export type AppContext = {
  database: Database
  mail: Mail
  sessions: Sessions
  /** Tells what has changed, as it happens. */
  tail: Tail
  now: () => Date
  settings: { address: string; signUpOpen: boolean }
  /** The record kinds of all features. */
  kinds: readonly RecordKind[]
  /** All tables whose deleted rows the trash shows. */
  tables: readonly TitledTable[]
}

/** A table that a person deletes from, how its rows are called by their columns, and what they are linked to. */
export type TitledTable = Pick<RecordKind, 'nameOf' | 'table'> & Partial<Pick<RecordKind, 'singular' | 'links' | 'told'>>

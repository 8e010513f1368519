import type { Database } from './database/database.ts'
import type { Tail } from './journal/tail.ts'
import type { Mail } from './mail/mail.ts'

/** What every feature may use. */
export type House = {
  database: Database
  mail: Mail
  /** Tells what has changed, as it happens. */
  tail: Tail
  now: () => Date
  settings: { address: string; signUpOpen: boolean }
}

/** How a feature's deleted records are named in the trash, by their columns. */
export type DeletedKind = { table: string; title: (columns: Record<string, unknown>) => string }

import type { Database } from '../database/database.ts'
import type { SharedSlots } from '../database/shared-slots.ts'
import type { ChangeFeed } from '../journal/change-feed.ts'
import type { RecordKind } from '../records/kind.ts'
import type { Mail } from '../mail/mail.ts'

/** The services that every feature gets. */
export type AppContext = {
  database: Database
  mail: Mail
  /** Publishes changes as they are committed. */
  changeFeed: ChangeFeed
  slots: SharedSlots
  now: () => Date
  settings: { address: string; isSignUpOpen: boolean }
  /** The record kinds of all features. */
  kinds: readonly RecordKind[]
  /** All tables whose deleted rows the trash shows. */
  tables: readonly TitledTable[]
}

/** A table whose rows appear in history and trash, with the title and the links of a row. */
export type TitledTable = Pick<RecordKind, 'titleOf' | 'table'> & Partial<Pick<RecordKind, 'singular' | 'links' | 'timelineFields'>>

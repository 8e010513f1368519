import type { Database } from '../database/database.ts'
import type { SharedSlots } from '../database/shared-slots.ts'
import type { ChangeFeed } from '../journal/change-feed.ts'
import type { RecordKind } from '../records/kind.ts'
import type { Mail } from '../mail/mail.ts'
import type { Storage } from '../storage/storage.ts'
import type { ZipEntry } from '../zip/zip.ts'

/** The services that every feature gets. */
export type AppContext = {
  database: Database
  mail: Mail
  /** Tells subscribers about each change after its commit. */
  changeFeed: ChangeFeed
  /** Limits how much runs at the same time in all processes together. */
  slots: SharedSlots
  now: () => Date
  storage: Storage
  /** The installation's key. */
  secret: string
  /** `quotaBytes`: the maximum size of all files of an owner. `jsonFileBytes`: the maximum size of a file in a JSON body. */
  settings: { address: string; isSignUpOpen: boolean; quotaBytes: number; jsonFileBytes: number }
  /** The record kinds of all features. */
  kinds: readonly RecordKind[]
  /** All tables with the owner's data: those of record kinds, `tables`, and the further ones of features. */
  ownedTables: readonly OwnedTable[]
  /** The functions of features that list the owner's files. They run in a snapshot. */
  ownedFiles: readonly ((context: AppContext, owner: string) => Promise<OwnedFiles>)[]
  /** All tables whose deleted rows the trash shows: those of the record kinds, and further tables of features. */
  tables: readonly TitledTable[]
}

/** A table whose rows appear in history and trash, with functions that read the title and the links of a row. */
export type TitledTable = Pick<RecordKind, 'titleOf' | 'table'> &
  Partial<Pick<RecordKind, 'singular' | 'linksByConstraint' | 'timelineFields'>>

/**
 * A table of the owner's data in the download of everything. `name` is the name of its files there. `ownerColumn` is `user_id` and `columns`
 * are all by default.
 */
export type OwnedTable = { table: string; name: string; ownerColumn?: 'id'; columns?: readonly string[]; kind?: RecordKind }

/** The entries for the owner's files in the download of everything, and the paths of the entries by the id of their row in `table`. */
export type OwnedFiles = { table: string; entries: readonly ZipEntry[]; paths: ReadonlyMap<string, string> }

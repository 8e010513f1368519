import type { AiSettings } from '../ai/settings.ts'
import type { Ai } from '../ai/types.ts'
import type { Database } from '../database/database.ts'
import type { DiskWatch } from '../database/disk-watch.ts'
import type { SharedSlots } from '../database/shared-slots.ts'
import type { ChangeFeed } from '../journal/change-feed.ts'
import type { OutboundFetch } from '../outbound/outbound.ts'
import type { RecordKind } from '../records/kind.ts'
import type { Mail } from '../mail/mail.ts'
import type { Storage } from '../storage/storage.ts'
import type { ZipEntry } from '../zip/zip.ts'

/** The services that every feature gets. */
export type AppContext = {
  database: Database
  mail: Mail
  ai: Ai
  /** Sends requests to addresses that users enter. */
  outbound: OutboundFetch
  /** Tells subscribers about each change after its commit. */
  changeFeed: ChangeFeed
  /** Shared slots are permits that limit how much runs at the same time in all processes together. */
  slots: SharedSlots
  /** The space of the database's disk. */
  disk: Pick<DiskWatch, 'state'>
  now: () => Date
  storage: Storage
  installationKey: string
  /**
   * `address`: the public origin of this server, such as `https://foyer.example`. `quotaBytes`: the maximum size of all files of an owner.
   * `recordQuotaBytes`: the maximum size of all records of an owner with their history. `jsonFileBytes`: the maximum size of a file in a
   * JSON body.
   */
  settings: {
    address: string
    isSignUpOpen: boolean
    quotaBytes: number
    recordQuotaBytes: number
    jsonFileBytes: number
    ai: AiSettings
    /** Hosts with private addresses that `outbound` may reach. */
    allowedHosts: readonly string[]
  }
  /** The record kinds of all features. */
  kinds: readonly RecordKind[]
  /**
   * All tables whose rows are in the download of everything (`server/takeout`): the tables of `kinds`, `trashTables` and `takeoutTables` of
   * features.
   */
  takeoutTables: readonly TakeoutTable[]
  /** The functions of features that list the owner's files for the download of everything, all in the same snapshot transaction. */
  takeoutFiles: readonly ((context: AppContext, owner: string) => Promise<TakeoutFiles>)[]
  /** All tables whose rows have titles in history and trash: those of the record kinds, and the `trashTables` of features. */
  titledTables: readonly TitledTable[]
  /** The tables of all features whose changes only callers with all rights see and undo. */
  tablesForSessionsOnly: readonly string[]
}

/** A table whose rows appear in history and trash, with what is needed to read the title, the links and the parent of a row. */
export type TitledTable = Pick<RecordKind, 'titleOf' | 'table'> &
  Partial<Pick<RecordKind, 'singular' | 'linksByConstraint' | 'timelineFields' | 'searchResult'>>

/**
 * A table whose rows of the owner are in the download of everything, as the files `NAME.csv` and `NAME.json`. `ownerColumn` is the column
 * with the owner's id, `user_id` by default. `columns` are the columns to download, all by default.
 */
export type TakeoutTable = { table: string; name: string; ownerColumn?: 'id'; columns?: readonly string[]; kind?: RecordKind }

/** The owner's files as entries of a zip. `paths` has the path of each entry in the zip, by the id of the file's row in `table`. */
export type TakeoutFiles = { table: string; entries: readonly ZipEntry[]; paths: ReadonlyMap<string, string> }

import type pg from 'pg'
import type { AppContext, TakeoutTable, TitledTable } from './context.ts'
import type { Check, CheckContext } from '../doctor/check.ts'
import type { Router } from '../http/mount.ts'
import type { PublicPage } from '../http/public-pages.ts'
import type { Screen } from '../http/screens.ts'
import type { JobHandler } from '../jobs/handler.ts'
import type { Schedule } from '../jobs/schedules.ts'
import type { RecordKind } from '../records/kind.ts'

/** The parts that a feature adds to the server. `server/features.ts` lists all features. */
export type Feature = {
  /** Adds the routes of the feature. */
  mount?: (router: Router, context: AppContext) => void
  /** The record kinds of the feature. Search and trash cover them, and a workspace without records of these kinds counts as empty. */
  kinds?: readonly RecordKind[]
  /** Tables that belong to no record kind and whose deleted rows the trash shows. */
  trashTables?: readonly TitledTable[]
  /**
   * Further tables whose rows are in the download of everything, besides those of the record kinds and those in `trashTables`.
   */
  takeoutTables?: readonly TakeoutTable[]
  /** The journaled tables that only routes with `isForSessionsOnly` write. An API key neither sees nor undoes their changes. */
  tablesForSessionsOnly?: readonly string[]
  /** Lists the owner's files for the download of everything. Runs in a snapshot. */
  listTakeoutFiles?: AppContext['takeoutFiles'][number]
  /** The job handlers. `tableOwner` connects as the role that owns the tables and bypasses row security. */
  jobs?: (context: AppContext, tableOwner: pg.Pool) => readonly JobHandler[]
  /** Work that runs at intervals. Each run serves all owners. `tableOwner` connects as for `jobs`. */
  schedules?: (tableOwner: pg.Pool, now: () => Date) => readonly Schedule[]
  /** Checks of the feature's rows and stored bytes, for `npm run doctor`. */
  checks?: (context: CheckContext) => readonly Check[]
  /** The addresses at which the server sends the document of the web application, which then shows the screen. */
  webScreens?: readonly Screen[]
  /** The pages that need no session. */
  publicPages?: readonly PublicPage[]
}

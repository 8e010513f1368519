import type pg from 'pg'
import type { AppContext, TitledTable } from './context.ts'
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
  /** The record kinds of the feature. They are searched, shown in the trash, and counted to find out whether a workspace is empty. */
  kinds?: readonly RecordKind[]
  /** The other tables whose deleted rows the trash shows. */
  tables?: readonly TitledTable[]
  /** The job handlers. `tableOwner` connects as the role that owns the tables and bypasses row security. */
  jobs?: (context: AppContext, tableOwner: pg.Pool) => readonly JobHandler[]
  /** The schedules, each for all owners together. */
  schedules?: (tableOwner: pg.Pool, now: () => Date) => readonly Schedule[]
  screens?: readonly Screen[]
  /** The pages that need no session. */
  publicPages?: readonly PublicPage[]
}

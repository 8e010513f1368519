import type pg from 'pg'
import type { AppContext, TitledTable } from './context.ts'
import type { Router } from '../http/mount.ts'
import type { PublicPage } from '../http/public-pages.ts'
import type { Screen } from '../http/screens.ts'
import type { JobHandler } from '../jobs/handler.ts'
import type { Schedule } from '../jobs/schedules.ts'
import type { RecordKind } from '../records/kind.ts'

/** What one feature adds to the server. `server/features.ts` lists all of them. */
export type Feature = {
  /** Adds its routes. */
  mount?: (router: Router, context: AppContext) => void
  /** Its kinds of record: searched, shown in the trash, counted when a workspace is asked whether it is empty. */
  kinds?: readonly RecordKind[]
  /** Its tables that are no kind of record and whose deleted rows the trash shows. */
  tables?: readonly TitledTable[]
  /** Its job handlers. `tableOwner` connects as the role that owns the tables, above row security. */
  jobs?: (context: AppContext, tableOwner: pg.Pool) => readonly JobHandler[]
  /** What it runs by the clock, for all owners together. */
  schedules?: (tableOwner: pg.Pool, now: () => Date) => readonly Schedule[]
  screens?: readonly Screen[]
  /** Its pages that need no session. */
  publicPages?: readonly PublicPage[]
}

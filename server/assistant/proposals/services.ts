import type { AppContext } from '#server/platform/feature/context.ts'
import type { Router } from '#server/platform/http/mount.ts'

/** What proposals use: `router` runs the routes of the changed records. */
export type ProposalServices = { context: AppContext; router: Router }

import { mountAccounts } from '#server/accounts/routes.ts'
import type { Sessions } from '#server/accounts/sessions.ts'
import { companies } from '#server/companies/kind.ts'
import { mountCompanies } from '#server/companies/routes.ts'
import { contacts } from '#server/contacts/kind.ts'
import { mountContacts } from '#server/contacts/routes.ts'
import { notes } from '#server/notes/kind.ts'
import { mountNotes } from '#server/notes/routes.ts'
import { deals } from '#server/deals/kind.ts'
import { mountDeals } from '#server/deals/routes.ts'
import { tasks } from '#server/tasks/kind.ts'
import { mountTasks } from '#server/tasks/routes.ts'
import { mountSearch } from '#server/search/routes.ts'
import { mountDashboard } from '#server/dashboard/routes.ts'
import { views } from '#server/views/views.ts'
import { mountViews } from '#server/views/routes.ts'
import { mountChanges } from '#server/changes/routes.ts'
import { mountEvents } from '#server/events/routes.ts'
import type { AppContext } from '#server/platform/context.ts'
import type { Router } from '#server/platform/http/mount.ts'
import type { RecordKind } from '#server/platform/records/kind.ts'

/** Every kind of record: the palette finds them, the trash names them, and a workspace with one of them is not empty. */
export const kinds: readonly RecordKind[] = [contacts, companies, deals, tasks, notes]

/** Opens the rooms, in the order in which they may know each other. */
export function mountFeatures(router: Router, context: AppContext, sessions: Sessions): void {
  mountAccounts(router, context, sessions)
  mountCompanies(router, context)
  mountContacts(router, context)
  mountNotes(router, context)
  mountDeals(router, context)
  mountTasks(router, context)
  mountSearch(router, context, kinds)
  mountDashboard(router, context, kinds)
  mountViews(router, context)
  mountChanges(router, context, [...kinds, views])
  mountEvents(router, context)
}

import { mountAccounts } from '#server/accounts/routes.ts'
import type { Sessions } from '#server/accounts/sessions.ts'
import { mountCompanies } from '#server/companies/routes.ts'
import { contactTitle } from '#server/contacts/contacts.ts'
import { mountContacts } from '#server/contacts/routes.ts'
import { mountNotes } from '#server/notes/routes.ts'
import { mountDeals } from '#server/deals/routes.ts'
import { mountTasks } from '#server/tasks/routes.ts'
import { mountSearch } from '#server/search/routes.ts'
import { mountDashboard } from '#server/dashboard/routes.ts'
import { mountViews } from '#server/views/routes.ts'
import { mountChanges } from '#server/changes/routes.ts'
import { mountEvents } from '#server/events/routes.ts'
import type { House, DeletedKind } from '#server/platform/feature.ts'
import type { Door } from '#server/platform/http/mount.ts'

/** How deleted records are named in the trash: one line for each table that a person deletes from. */
const records: DeletedKind[] = [
  { table: 'crm_contacts', title: contactTitle },
  { table: 'companies', title: ({ name }) => String(name) },
  { table: 'deals', title: ({ title }) => String(title) },
  { table: 'tasks', title: ({ title }) => String(title) },
  { table: 'notes', title: ({ content }) => String(content).slice(0, 100) },
  { table: 'views', title: ({ name }) => String(name) },
]

/** Opens the rooms, in the order in which they may know each other. */
export function mountFeatures(door: Door, house: House, sessions: Sessions): void {
  mountAccounts(door, house, sessions)
  mountCompanies(door, house)
  mountContacts(door, house)
  mountNotes(door, house)
  mountDeals(door, house)
  mountTasks(door, house)
  mountSearch(door, house)
  mountDashboard(door, house)
  mountViews(door, house)
  mountChanges(door, house, records)
  mountEvents(door, house)
}

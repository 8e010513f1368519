import { accountRoutes } from '#contract/accounts.ts'
import { changeRoutes } from '#contract/changes.ts'
import { companyRoutes } from '#contract/companies.ts'
import { contactRoutes } from '#contract/contacts.ts'
import { dashboardRoutes } from '#contract/dashboard.ts'
import { dealRoutes } from '#contract/deals.ts'
import { eventRoutes } from '#contract/events.ts'
import { healthRoutes } from '#contract/health.ts'
import { noteRoutes } from '#contract/notes.ts'
import { searchRoutes } from '#contract/search.ts'
import { taskRoutes } from '#contract/tasks.ts'
import { viewRoutes } from '#contract/views.ts'
import type { Route } from '#contract/route.ts'

/** Every route, for tests that are made from the list; one of them checks that the house serves exactly these. */
export const routesOfTheHouse: Route[] = [
  healthRoutes,
  accountRoutes,
  companyRoutes,
  contactRoutes,
  noteRoutes,
  dealRoutes,
  taskRoutes,
  searchRoutes,
  dashboardRoutes,
  viewRoutes,
  changeRoutes,
  eventRoutes,
].flatMap((routes) => Object.values<Route>(routes))

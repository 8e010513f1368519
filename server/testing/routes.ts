import { accountRoutes } from '#contract/accounts.ts'
import { changeRoutes } from '#contract/changes.ts'
import { contactRoutes } from '#contract/contacts.ts'
import { eventRoutes } from '#contract/events.ts'
import { healthRoutes } from '#contract/health.ts'
import type { Route } from '#contract/route.ts'

/** Every route, for tests that are made from the list; one of them checks that the house serves exactly these. */
export const routesOfTheHouse: Route[] = [healthRoutes, accountRoutes, contactRoutes, changeRoutes, eventRoutes].flatMap((routes) =>
  Object.values<Route>(routes),
)

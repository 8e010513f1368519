// Dashboard: due tasks, bookings to come, open deals by stage, new contacts by week, and the first steps that are done. All queries are
// sent in two round trips: the second has those that need the owner's time zone.
import { dashboardRoutes } from '#contract/dashboard.ts'
import { readUpcoming } from '#server/bookings/bookings.ts'
import { readTotalsOfOpenStages } from '#server/deals/deals.ts'
import type { Feature } from '#server/platform/feature/feature.ts'
import { mount } from '#server/platform/http/mount.ts'
import { readDoneSteps } from './first-steps.store.ts'
import { countNewContacts, isEmpty, readDueTasks } from './store.ts'

export const dashboardFeature: Feature = {
  mount: (router, { database, now, kinds }) =>
    mount(router, dashboardRoutes, {
      get: ({ caller }) =>
        database.read(caller, async () => {
          const [empty, first_steps_done, tasks, bookings, pipeline, new_contacts] = await Promise.all([
            isEmpty(caller.owner, kinds),
            readDoneSteps(caller.owner),
            readDueTasks(caller.owner, now()),
            readUpcoming(caller.owner, now()),
            readTotalsOfOpenStages(caller.owner),
            countNewContacts(caller.owner, now()),
          ])
          return { empty, first_steps_done, tasks, bookings, pipeline, new_contacts }
        }),
    }),
  webScreens: [{ path: '/dashboard', module: 'web/dashboard/DashboardPage.tsx' }],
}

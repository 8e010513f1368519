// Dashboard: what matters today, read in one round trip.
import { dashboardRoutes } from '#contract/dashboard.ts'
import { totalOpenStages } from '#server/deals/deals.ts'
import type { AppContext } from '#server/platform/context.ts'
import { mount, type Router } from '#server/platform/http/mount.ts'
import type { RecordKind } from '#server/platform/records/kind.ts'
import { countNewContacts, isEmpty, readDueTasks } from './store.ts'

export function mountDashboard(router: Router, { database, now }: AppContext, kinds: readonly RecordKind[]): void {
  mount(router, dashboardRoutes, {
    get: ({ caller }) =>
      database.read(caller, async () => {
        const [empty, tasks, pipeline, new_contacts] = await Promise.all([
          isEmpty(caller.owner, kinds),
          readDueTasks(caller.owner, now()),
          totalOpenStages(caller.owner),
          countNewContacts(caller.owner, now()),
        ])
        return { empty, tasks, pipeline, new_contacts }
      }),
  })
}

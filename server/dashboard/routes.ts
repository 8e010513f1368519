// Dashboard: what matters today, read in one round trip.
import { dashboardRoutes } from '#contract/dashboard.ts'
import { totalOpenStages } from '#server/deals/deals.ts'
import type { House } from '#server/platform/feature.ts'
import { mount, type Door } from '#server/platform/http/mount.ts'
import type { RecordKind } from '#server/platform/records/kind.ts'
import { countNewContacts, isEmpty, readDueTasks } from './store.ts'

export function mountDashboard(door: Door, { database, now }: House, kinds: readonly RecordKind[]): void {
  mount(door, dashboardRoutes, {
    get: ({ who }) =>
      database.read(who, async () => {
        const [empty, tasks, pipeline, new_contacts] = await Promise.all([
          isEmpty(who.owner, kinds),
          readDueTasks(who.owner, now()),
          totalOpenStages(who.owner),
          countNewContacts(who.owner, now()),
        ])
        return { empty, tasks, pipeline, new_contacts }
      }),
  })
}

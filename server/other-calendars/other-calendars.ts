// Other calendars: visitors cannot book the times at which the owner is busy in the calendars of other programs.
import { busyTimeRoutes, otherCalendarRoutes } from '#contract/otherCalendars.ts'
import type { Feature } from '#server/platform/feature/feature.ts'
import { mount } from '#server/platform/http/mount.ts'
import { addCalendar, enqueueRead, getCalendar, listBusyTimes, listCalendars, removeCalendar } from './calendars.ts'
import { deleteDataOfRemoved, enqueueDueCalendars, createReadCalendarJobHandler, hasDueCalendars } from './read.job.ts'

export const otherCalendarFeature: Feature = {
  mount: (router, context) => {
    const { database } = context
    mount(router, otherCalendarRoutes, {
      list: async ({ caller }) => ({ rows: await database.read(caller, () => listCalendars(context, caller.owner)) }),
      create: ({ caller, body, signal }) => addCalendar(context, caller, body, signal),
      get: ({ caller, params }) => database.read(caller, () => getCalendar(context, caller.owner, params.id)),
      delete: ({ caller, params }) => removeCalendar(context, caller, params.id),
      read: ({ caller, params }) => enqueueRead(context, caller, params.id),
    })
    mount(router, busyTimeRoutes, {
      list: async ({ caller, query }) => ({ rows: await database.read(caller, () => listBusyTimes(caller.owner, query)) }),
    })
  },
  jobs: (context) => [createReadCalendarJobHandler(context)],
  schedules: (tableOwner, now) => [
    {
      name: 'other calendars',
      everySeconds: 60,
      hasWork: () => hasDueCalendars(tableOwner, now()),
      run: () => enqueueDueCalendars(tableOwner, now()),
    },
    // the database stores the name, so it must not change; the schedule deletes the data of removed calendars
    { name: 'unused other calendars', everySeconds: 24 * 60 * 60, run: () => deleteDataOfRemoved(tableOwner) },
  ],
  trashTables: [{ table: 'other_calendars', titleOf: ({ name }) => (typeof name === 'string' ? name : '') }],
  takeoutTables: [
    { table: 'other_calendar_sources', name: 'other_calendar_sources', columns: ['id', 'host', 'last_read_at', 'problem'] },
    { table: 'other_calendar_times', name: 'other_calendar_times' },
  ],
  tablesForSessionsOnly: ['other_calendars'],
}

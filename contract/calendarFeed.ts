import * as z from 'zod/mini'
import { defineRoutes } from './route.ts'

/** The secret address at which other calendars read the bookings; null while the feed is off. */
const CalendarFeed = z.object({ address: z.nullable(z.string()) })
export type CalendarFeed = z.infer<typeof CalendarFeed>

const path = '/api/calendar-feed'

export const calendarFeedRoutes = defineRoutes({
  get: {
    method: 'GET',
    path,
    summary: 'The secret address at which other calendars read the bookings',
    caller: 'user',
    isForSessionsOnly: true,
    changes: 'nothing',
    out: CalendarFeed,
    example: {},
  },
  renew: {
    method: 'POST',
    path,
    summary: 'Turn on the calendar feed with a new secret address. An earlier address stops working',
    caller: 'user',
    isForSessionsOnly: true,
    changes: { noUndo: 'Others may know an address that was replaced, so it never works again.' },
    out: CalendarFeed,
    maxRequestsIn15Minutes: { perIdentity: 100 },
    example: {},
  },
  delete: {
    method: 'DELETE',
    path,
    summary: 'Turn off the calendar feed. Its address stops working',
    caller: 'user',
    isForSessionsOnly: true,
    changes: { noUndo: 'Others may know the address, so it never works again.' },
    example: {},
  },
})

export const publicCalendarFeedRoutes = defineRoutes({
  read: {
    method: 'GET',
    path: '/api/public/calendar-feeds/{token}',
    summary: 'The bookings as an iCalendar file, for other calendars that know the secret address',
    caller: 'visitor',
    changes: 'nothing',
    params: z.strictObject({ token: z.string().check(z.minLength(1), z.maxLength(200)) }),
    download: true,
    // a calendar service reads the feeds of many users from one network; the identity is the owner of a feed
    maxRequestsIn15Minutes: { perNetwork: 3000, perIdentity: 300 },
    example: { params: { token: 'a-token-from-the-dialog.ics' } },
  },
})

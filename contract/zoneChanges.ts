import * as z from 'zod/mini'
import { Instant } from './fields.ts'
import { defineRoutes } from './route.ts'

/**
 * A booking whose local time has changed, although its instant has not, because the rules of its time zone have changed. `timezone` is the
 * time zone of the booking or of its owner. `before` and `after` are times in this zone, such as `Tuesday, 1 December 2026, 09:00`.
 */
export const ZoneChange = z.object({
  booking_id: z.uuid(),
  title: z.string(),
  attendee_name: z.string(),
  start_time: Instant,
  timezone: z.string(),
  before: z.string(),
  after: z.string(),
})
export type ZoneChange = z.infer<typeof ZoneChange>

/** The maximum number of bookings in a response. */
export const maxZoneChanges = 200

const path = '/api/bookings/zone-changes'

export const zoneChangeRoutes = defineRoutes({
  list: {
    method: 'GET',
    path,
    summary: `The next ${maxZoneChanges} bookings whose time on the clock has changed with the rules of a time zone, by start`,
    caller: 'user',
    changes: 'nothing',
    out: z.object({ rows: z.array(ZoneChange), count: z.int() }),
    example: {},
  },
  dismiss: {
    method: 'POST',
    path: `${path}/dismiss`,
    summary: 'Do not show these bookings as changed any more',
    caller: 'user',
    changes: { noUndo: 'Only a notice is removed.' },
    example: {},
  },
})

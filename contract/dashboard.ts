import * as z from 'zod/mini'
import { StageTotal } from './deals.ts'
import { defineRoutes } from './route.ts'
import { TaskRow } from './tasks.ts'

/**
 * The number of new contacts per lead source ('' for none) in the week from `monday`, in the owner's time zone. `others`: those of the
 * sources that are too many to be counted one by one; the sources of the contact form are never among them.
 */
const Week = z.object({ monday: z.iso.date(), sources: z.record(z.string(), z.int()), others: z.int() })

/**
 * The first steps that the dashboard proposes: adding the first record of four kinds, and setting or confirming time zone and currency
 * (`region`).
 */
export const firstStepNames = ['contact', 'company', 'deal', 'task', 'region'] as const
export type FirstStepName = (typeof firstStepNames)[number]

/** An upcoming booking. `local_start` is its time in the zone of the profile as `YYYY-MM-DDTHH:MM`. */
const UpcomingBooking = z.object({ id: z.uuid(), title: z.string(), name: z.string(), color: z.string(), local_start: z.string() })

export const Dashboard = z.object({
  /** True if the workspace has no records. */
  empty: z.boolean(),
  /** The first steps that are done, as the data of the workspace show. */
  first_steps_done: z.array(z.enum(firstStepNames)),
  /** The first open tasks that are overdue or due today, oldest due date first; `due` and `overdue` count all of them. */
  tasks: z.object({ rows: z.array(TaskRow), due: z.int(), overdue: z.int() }),
  /** The next confirmed bookings that have not ended, sorted by start; `today` counts those of today, `upcoming` all of them. */
  bookings: z.object({ rows: z.array(UpcomingBooking), today: z.int(), upcoming: z.int() }),
  /** The totals of the open stages, in their order. */
  pipeline: z.array(StageTotal),
  /** The last twelve weeks, the current one last. */
  new_contacts: z.array(Week),
})
export type Dashboard = z.infer<typeof Dashboard>

export const dashboardRoutes = defineRoutes({
  get: {
    method: 'GET',
    path: '/api/dashboard',
    summary: 'Due tasks, bookings to come, open deals by stage, new contacts by week and the first steps that are done',
    caller: 'user',
    changes: 'nothing',
    out: Dashboard,
    example: {},
  },
})

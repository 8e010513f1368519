import * as z from 'zod/mini'
import { StageTotal } from './deals.ts'
import { defineRoutes } from './route.ts'
import { TaskRow } from './tasks.ts'

/** The number of new contacts by lead source ('' is none) in the week from `monday`, in the owner's time zone. */
const Week = z.object({ monday: z.iso.date(), sources: z.record(z.string(), z.int()) })

export const Dashboard = z.object({
  /** The workspace has no records. */
  empty: z.boolean(),
  /** Open tasks that are overdue or due today, the oldest first, and how many there are. */
  tasks: z.object({ rows: z.array(TaskRow), due: z.int(), overdue: z.int() }),
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
    summary: 'What matters today',
    caller: 'user',
    changes: 'nothing',
    out: Dashboard,
    example: {},
  },
})

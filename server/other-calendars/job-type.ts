import * as z from 'zod/mini'
import { defineJobType } from '#server/platform/jobs/enqueue.ts'

/** Reads one calendar. Other servers may take long to answer, so these jobs have slots of their own. */
export const readCalendarJob = defineJobType('read calendar', z.object({ calendar: z.uuid() }), { maxRunning: 2 })

import * as z from 'zod/mini'
import { defineJobType } from '#server/platform/jobs/enqueue.ts'

/**
 * The job that imports the rows of a file. In each process at most two run at the same time; other jobs do not wait for them. A failing job
 * is retried for an hour, because attempts count over the whole time of a long import; then the user can import the file again.
 */
export const importJob = defineJobType('import', z.object({ import: z.uuid() }), { maxRunning: 2, retryForMinutes: 60 })

import * as z from 'zod/mini'
import { defineJobType } from '#server/platform/jobs/enqueue.ts'

/** A job that sends one mail of the outbox. A response of the mail server may take a minute. */
export const outboxJob = defineJobType('outbox mail', z.object({ id: z.uuid() }), { maxRunning: 3, retryForMinutes: 2 * 24 * 60 })

import * as z from 'zod/mini'
import { defineJobType } from '#server/platform/jobs/enqueue.ts'

/** A mail is tried for this time, and then fails. */
export const retryMs = 2 * 24 * 60 * 60 * 1000

/**
 * A job that sends one mail of the outbox; its key is the id of the mail. It does not use the slots of other jobs (`maxRunning`), because a
 * response of the mail server may take a minute. It is retried for longer than `retryMs`, so that a later attempt marks the mail as failed.
 */
export const outboxJob = defineJobType('outbox mail', z.object({ id: z.uuid() }), { maxRunning: 3, retryForMinutes: 3 * 24 * 60 })

import * as z from 'zod/mini'
import { defineJobType } from '#server/platform/jobs/enqueue.ts'

/** A mail is tried for this time, and then fails. */
export const giveUpAfterMs = 2 * 24 * 60 * 60 * 1000

/**
 * A job that sends one mail of the outbox; its key is the id of the mail. `maxRunning` gives these jobs three slots of their own, so that a
 * slow mail server does not fill the slots that other types share. The job is retried for longer than `giveUpAfterMs`, so that a later
 * attempt marks the mail as failed.
 */
export const outboxJob = defineJobType('outbox mail', z.object({ id: z.uuid() }), { maxRunning: 3, retryForMinutes: 3 * 24 * 60 })

import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { defineJobType } from '../jobs/enqueue.ts'
import { handleJobs, JobFailure, type Job, type JobHandler } from '../jobs/handler.ts'
import type { Mail } from './mail.ts'
import { MailFailure } from './message.ts'

/** Sends one mail. Runs on slots of its own, as many as the mail server gets connections: an answer may take a minute. */
export const mailJob = defineJobType('mail', z.object({ to: z.string(), subject: z.string(), text: z.string() }), { maxRunning: 3 })

/**
 * A mail that the server will never take fails at once; any other is tried again by the queue. After a crash it may be sent twice, with
 * the same message id, by which mail programs recognise a repeat.
 */
export function handleMailJobs(mail: Mail): JobHandler {
  return handleJobs(mailJob, async (job) => {
    try {
      await mail.send({ ...job.payload, messageId: messageIdOf(job) })
    } catch (error) {
      if (error instanceof MailFailure && ['refused', 'off'].includes(error.reason))
        throw new JobFailure(error.reason, error.message, error)
      throw error
    }
  })
}

/** Reveals nothing of the job, and differs between mails even where a restored backup gives out the same job ids again. */
function messageIdOf({ id, owner, payload }: Job): string {
  return createHash('sha256')
    .update(JSON.stringify([id, owner, payload]))
    .digest('base64url')
}

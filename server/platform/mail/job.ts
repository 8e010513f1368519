import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { defineJobType } from '../jobs/enqueue.ts'
import { createJobHandler, JobFailure, type Job, type JobHandler } from '../jobs/handler.ts'
import type { Mail } from './mail.ts'
import { MailFailure } from './message.ts'

/**
 * A job that sends one mail. The mail is not sent after `expires_at`, for example because a link in its text does not work any more.
 * `maxRunning` is the number of connections to the mail server. Mails have a limit of their own, because a response may take a minute.
 */
export const mailJob = defineJobType(
  'mail',
  z.object({ to: z.string(), subject: z.string(), text: z.string(), expires_at: z.optional(z.iso.datetime()) }),
  { maxRunning: 3, retryForMinutes: 2 * 24 * 60 },
)

/**
 * Creates the handler of mail jobs. The job of a mail that the server permanently refuses or that has expired fails immediately; after
 * other failures the queue retries the job. After a crash a mail may be sent twice, with the same message id, by which mail programs
 * recognise a duplicate.
 */
export function createMailJobHandler(mail: Mail, now: () => Date): JobHandler {
  return createJobHandler(mailJob, async (job) => {
    const { expires_at: expiresAt, ...message } = job.payload
    if (expiresAt !== undefined && now() >= new Date(expiresAt))
      throw new JobFailure('expired', 'The content of the mail expired before the mail server accepted the mail')
    try {
      await mail.send({ ...message, messageId: createMessageId(job) })
    } catch (error) {
      const isFinal = error instanceof MailFailure && ['refused', 'off'].includes(error.reason)
      throw isFinal ? new JobFailure(error.reason, error.message, error) : error
    }
  })
}

/** Creates a message id that reveals nothing about the job. The id is unique even if a restored backup uses the same job ids again. */
function createMessageId({ id, owner, payload }: Job): string {
  return createHash('sha256')
    .update(JSON.stringify([id, owner, payload]))
    .digest('base64url')
}

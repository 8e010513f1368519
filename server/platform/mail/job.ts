import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { JobFailure } from '../jobs/failure.ts'
import type { Job, Task } from '../jobs/worker.ts'
import { MailFailure } from './failure.ts'
import type { Mail } from './mail.ts'

/** What a job of the task `mail` carries. */
const MailPayload = z.object({ to: z.string(), subject: z.string(), text: z.string() })

/**
 * Sends the mail of a job. What the mail server will never take fails at once; anything else is tried again by the queue. After a
 * crash it may be sent twice, with the same message id, by which mail programs know a repeat.
 */
export function mailTask(mail: Mail): Task {
  return async (job) => {
    const message = z.parse(MailPayload, job.payload)
    try {
      await mail.send({ ...message, messageId: messageIdOf(job) })
    } catch (error) {
      if (error instanceof MailFailure && ['refused', 'off'].includes(error.reason))
        throw new JobFailure(error.reason, error.message, error)
      throw error
    }
  }
}

/** Tells nothing of the job, and differs from another mail's even where a restored backup gives out the same numbers again. */
function messageIdOf({ id, owner, payload }: Job): string {
  return createHash('sha256')
    .update(JSON.stringify([id, owner, payload]))
    .digest('base64url')
}

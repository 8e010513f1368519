import { createHash } from 'node:crypto'
import type { OutboxMail } from '#contract/outbox.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { createJobHandler, type JobHandler } from '#server/platform/jobs/handler.ts'
import { MailFailure } from '#server/platform/mail/message.ts'
import { outboxJob, giveUpAfterMs } from './job-type.ts'
import { findOutdated, offProblem, readMail, setState } from './store.ts'

/**
 * Creates the handler of the jobs that send the mails of the outbox. After a crash between the mail server's confirmation and the write of
 * the new state, a mail is sent twice. Both have the same message id, by which mail programs recognise a duplicate.
 */
export function createOutboxJobHandler({ database, mail, now }: Pick<AppContext, 'database' | 'mail' | 'now'>): JobHandler {
  return createJobHandler(outboxJob, async ({ caller, payload: { id } }) => {
    const { owner } = caller
    const stored = await database.read(caller, () => readMail(owner, id))
    if (stored?.state !== 'waiting') return
    const storeState = (state: OutboxMail['state'], problem: string, sentAt: Date | null) =>
      database.transaction(caller, 'Sent mail', () => setState(owner, id, stored.queuedAt, { state, problem, sentAt }))
    if (!mail.isConfigured) return void (await storeState('off', offProblem, null))
    const outdated = findOutdated(stored, now())
    if (outdated !== undefined) return void (await storeState('failed', `Not sent: ${outdated}`, null))
    try {
      await mail.send({ ...stored.message, messageId: createHash('sha256').update(`${owner} ${id}`).digest('base64url') })
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error
      const isFinal = error.reason === 'refused' || now().getTime() - Date.parse(stored.queuedAt) >= giveUpAfterMs
      await storeState(isFinal ? 'failed' : 'waiting', error.message, null)
      if (isFinal) return
      throw error
    }
    await storeState('sent', '', now())
  })
}

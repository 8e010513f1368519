import type pg from 'pg'
import type { OutboxMail } from '#contract/outbox.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { enqueue } from '#server/platform/jobs/enqueue.ts'
import type { Message } from '#server/platform/mail/message.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { outboxJob } from './job-type.ts'

/** A mail to one address. `replyTo` is the address that gets the answers. */
export type NewMail = Pick<Message, 'to' | 'subject' | 'text' | 'replyTo' | 'calendar'>

/** Stores a mail and adds the job that sends it, in the open transaction. */
export async function addMail(owner: string, { to, subject, text, replyTo = '', calendar }: NewMail): Promise<void> {
  const id = newId()
  await Promise.all([
    sql(
      `insert into outbox_mails (user_id, id, to_address, reply_to, subject, content, calendar, calendar_method)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [owner, id, to, replyTo, subject, text, calendar?.content ?? '', calendar?.method ?? ''],
    ),
    enqueue(outboxJob, { id }),
  ])
}

const columns = 'id, created_at, to_address, subject, content, state, problem, sent_at'

/** Reads the mails that are older than `before`, newest first. */
export async function listMails(
  owner: string,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<{ rows: OutboxMail[]; more: boolean }> {
  const rows = await sql<OutboxMail>(
    `select ${columns} from outbox_mails where user_id = $1 and ($2::uuid is null or id < $2) order by id desc limit $3`,
    [owner, before ?? null, limit + 1],
  )
  return { rows: rows.slice(0, limit), more: rows.length > limit }
}

/** Adds the job of a mail again. Does nothing for a mail that was sent or waits. Throws `not_found`, and `mail_off` without a mail server. */
export async function sendAgain({ database, mail }: Pick<AppContext, 'database' | 'mail'>, caller: Caller, id: string): Promise<void> {
  await database.transaction(caller, 'Sent mail', async () => {
    const [row] = await sql<{ state: string }>('select state from outbox_mails where user_id = $1 and id = $2 for update', [
      caller.owner,
      id,
    ])
    if (!row) throw new Refusal('not_found')
    if (row.state === 'sent' || row.state === 'waiting') return
    if (!mail.isConfigured) throw new Refusal('mail_off')
    await sql(`update outbox_mails set state = 'waiting', problem = '' where user_id = $1 and id = $2`, [caller.owner, id])
    await enqueue(outboxJob, { id })
  })
}

/** The mail of a job with its state. */
export type StoredMail = { message: Message; state: OutboxMail['state'] }

/** Reads the mail of a job; undefined if it was deleted. */
export async function readMail(owner: string, id: string): Promise<StoredMail | undefined> {
  const [row] = await sql<
    Record<'to_address' | 'reply_to' | 'subject' | 'content' | 'calendar', string> & {
      calendar_method: '' | 'REQUEST' | 'CANCEL'
      state: OutboxMail['state']
    }
  >(`select to_address, reply_to, subject, content, calendar, calendar_method, state from outbox_mails where user_id = $1 and id = $2`, [
    owner,
    id,
  ])
  if (!row) return undefined
  const { calendar_method: method } = row
  return {
    state: row.state,
    message: {
      to: row.to_address,
      subject: row.subject,
      text: row.content,
      ...(row.reply_to !== '' && { replyTo: row.reply_to }),
      ...(method !== '' && { calendar: { method, content: row.calendar } }),
    },
  }
}

/** Stores what became of a mail. `sentAt` is null unless it was sent. */
export const setState = (owner: string, id: string, state: OutboxMail['state'], problem: string, sentAt: Date | null): Promise<unknown> =>
  sql('update outbox_mails set state = $3, problem = $4, sent_at = $5 where user_id = $1 and id = $2', [owner, id, state, problem, sentAt])

const keptDays = 90

/** Deletes mails after 90 days. `tableOwner` connects as the role that owns the tables. */
export async function deleteOldMails(tableOwner: pg.Pool, now: Date): Promise<void> {
  await tableOwner.query('delete from outbox_mails where created_at < $1', [new Date(now.getTime() - keptDays * 24 * 60 * 60 * 1000)])
}

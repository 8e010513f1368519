import * as z from 'zod/mini'
import { exampleId } from './examples.ts'
import { wholeNumber } from './numbers.ts'
import { Instant } from './fields.ts'
import { defineRoutes } from './route.ts'

/**
 * `off`: there was no mail server when the mail should have been sent. `failed`: the mail server refused it, all attempts failed, or its
 * content was out of date before it could be sent. `given_up`: the owner decided that it is not sent.
 */
const mailStates = ['waiting', 'sent', 'off', 'failed', 'given_up'] as const

/** What a mail is about. `parent_id` is the id of the form if the mail is about a submission, else null. */
const MailTopic = z.object({
  kind: z.enum(['booking', 'booking link', 'submission', 'webhook']),
  id: z.uuid(),
  parent_id: z.nullable(z.uuid()),
})
export type MailTopic = z.infer<typeof MailTopic>

/** A mail to or about a visitor, or about a webhook. `problem` says why it was not sent, or not yet. */
export const OutboxMail = z.object({
  id: z.uuid(),
  created_at: Instant,
  to_address: z.string(),
  subject: z.string(),
  content: z.string(),
  state: z.enum(mailStates),
  problem: z.string(),
  /** When a waiting mail is sent next; null if that is now. */
  next_attempt_at: z.nullable(Instant),
  sent_at: z.nullable(Instant),
  /** A newer mail has replaced it, or its time is over. If it was not sent yet, it cannot be sent any more. */
  is_outdated: z.boolean(),
  about: z.nullable(MailTopic),
})
export type OutboxMail = z.infer<typeof OutboxMail>

export const outboxRoutes = defineRoutes({
  list: {
    method: 'GET',
    path: '/api/outbox',
    summary:
      'The mails of the last 90 days to and about visitors and about webhooks, newest first: all, those with a state, or those about a record',
    caller: 'user',
    changes: 'nothing',
    isForSessionsOnly: true, // the rows have the texts of mails to visitors, whose links cancel and move bookings
    query: z.strictObject({
      state: z.optional(z.enum(mailStates)),
      about: z.optional(z.uuid()),
      before: z.optional(z.uuid()),
      limit: z._default(wholeNumber({ min: 1, max: 200 }), 50),
    }),
    /** `sends_mail`: whether there is a mail server. */
    out: z.object({ rows: z.array(OutboxMail), more: z.boolean(), sends_mail: z.boolean() }),
    example: { query: { limit: '20' } },
  },
  send: {
    method: 'POST',
    path: '/api/outbox/{id}/send',
    summary: 'Send a mail that was not sent, or try a waiting one at once. A mail that is out of date is refused',
    caller: 'user',
    changes: { noUndo: 'A mail that was sent cannot be taken back.' },
    params: z.strictObject({ id: z.uuid() }),
    maxRequestsIn15Minutes: { perIdentity: 100 },
    errors: ['mail_off'],
    example: { params: { id: exampleId('mail') } },
  },
  giveUp: {
    method: 'POST',
    path: '/api/outbox/{id}/give-up',
    summary: 'Stop the attempts to send a waiting mail. It can still be sent later, with the request that sends a mail',
    caller: 'user',
    changes: { noUndo: 'An undo is not needed, because the mail can be sent with another request.' },
    params: z.strictObject({ id: z.uuid() }),
    example: { params: { id: exampleId('mail') } },
  },
})

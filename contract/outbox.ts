import * as z from 'zod/mini'
import { exampleId } from './examples.ts'
import { wholeNumber } from './numbers.ts'
import { Instant } from './records.ts'
import { defineRoutes } from './route.ts'

/** `off`: there was no mail server when the mail should have been sent. `failed`: the mail server refused it. */
const mailStates = ['waiting', 'sent', 'off', 'failed'] as const

/** A mail to or about a visitor. `problem` says why it was not sent, or not yet. */
export const OutboxMail = z.object({
  id: z.uuid(),
  created_at: Instant,
  to_address: z.string(),
  subject: z.string(),
  content: z.string(),
  state: z.enum(mailStates),
  problem: z.string(),
  sent_at: z.nullable(Instant),
})
export type OutboxMail = z.infer<typeof OutboxMail>

export const outboxRoutes = defineRoutes({
  list: {
    method: 'GET',
    path: '/api/outbox',
    summary: 'The mails to and about visitors of the last 90 days, newest first',
    caller: 'user',
    changes: 'nothing',
    isForSessionsOnly: true, // the links in mails to visitors cancel and move bookings
    query: z.strictObject({ before: z.optional(z.uuid()), limit: z._default(wholeNumber({ min: 1, max: 200 }), 50) }),
    out: z.object({ rows: z.array(OutboxMail), more: z.boolean() }),
    example: { query: { limit: '20' } },
  },
  send: {
    method: 'POST',
    path: '/api/outbox/{id}/send',
    summary: 'Send a mail that was not sent',
    caller: 'user',
    changes: { irreversible: 'A mail that was sent cannot be taken back.' },
    params: z.strictObject({ id: z.uuid() }),
    maxAttempts: { perIdentity: 100 },
    errors: ['mail_off'],
    example: { params: { id: exampleId('mail') } },
  },
})

import * as z from 'zod/mini'
import { exampleId } from './examples.ts'
import { kindNames, type KindName } from './kinds.ts'
import { wholeNumber } from './numbers.ts'
import { Instant, singleLineText } from './fields.ts'
import { defineRoutes } from './route.ts'

/** The maximum number of endpoints of an owner. */
export const maxEndpoints = 20

/** What can happen to a record. */
const operations = ['created', 'updated', 'deleted'] as const

/** The kinds whose changes are not sent: the conversations of the user with the assistant. */
const omittedKinds: readonly KindName[] = ['conversation']
/** The kinds whose changes are sent, and their names in events, such as `booking_link`. */
export const webhookKinds = kindNames
  .filter((name) => !omittedKinds.includes(name))
  .map((kind) => ({ kind, name: kind.replaceAll(' ', '_') }))

/** All events, such as `contact.created`. */
export const webhookEvents: readonly string[] = webhookKinds.flatMap(({ name }) => operations.map((operation) => `${name}.${operation}`))
/** Stands for all events, also those of kinds that are added later. */
export const everyEvent = '*'

/** An address to which changes of records are sent. Its secret is shown only in the response that creates or replaces the secret. */
export const WebhookEndpoint = z.object({
  id: z.uuid(),
  created_at: Instant,
  url: z.string(),
  description: z.string(),
  /** Such as `contact.created`; `*` stands for all. */
  events: z.array(z.string()),
  /** Changes are sent only to active endpoints. Changes made while an endpoint is inactive are never sent to it. */
  is_active: z.boolean(),
  /** Why the last attempt failed; null if it did not. */
  problem: z.nullable(z.string()),
  /**
   * When the first attempt since the last success failed, also if the receiver has answered. Null after a success, and after the owner has
   * changed the endpoint or sent deliveries again.
   */
  failing_since: z.nullable(Instant),
  /** Nothing is sent before this time, because the receiver does not answer. */
  paused_until: z.nullable(Instant),
  /** When the first waiting delivery is sent; null if the endpoint is inactive or none waits. */
  next_attempt_at: z.nullable(Instant),
  last_success_at: z.nullable(Instant),
  /** The number of waiting deliveries, counted up to 1,000. */
  waiting: z.int(),
  /** The number of failed deliveries, counted up to 1,000. */
  failed: z.int(),
})
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>

/** A delivery of a change to an endpoint. */
export const WebhookDelivery = z.object({
  /** The receiver gets it in the header `webhook-id`, the same in every attempt. */
  id: z.uuid(),
  created_at: Instant,
  event: z.string(),
  /** The change in the history; null for a test. */
  change_id: z.nullable(z.uuid()),
  record_id: z.uuid(),
  /**
   * `waiting`: it was not sent yet, or is sent again at `next_at`. `failed`: it is sent again only if the owner asks for it. `problem` says
   * why: the receiver has not accepted it for three days, the history of the change was erased, or the secret can no longer be read.
   */
  status: z.enum(['waiting', 'delivered', 'failed']),
  attempts: z.int(),
  next_at: Instant,
  /** The status of the last response; null without one. */
  response_status: z.nullable(z.int()),
  problem: z.nullable(z.string()),
  duration_ms: z.nullable(z.int()),
  finished_at: z.nullable(Instant),
  /** The number of attempts before the owner sent it again the last time, and the last failure of these; null if it was not sent again. */
  earlier: z.nullable(z.object({ attempts: z.int(), problem: z.nullable(z.string()) })),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

const Url = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Enter the address'),
    z.maxLength(2000, 'At most 2,000 characters'),
    z.url({ protocol: /^https?$/, error: 'Enter an address like https://example.com/webhook' }),
    z.regex(/^[^@#]*$/, 'Enter the address without a password and without #'),
  )
const Events = z
  .array(z.string().check(z.refine((event) => event === everyEvent || webhookEvents.includes(event), 'There is no such event')))
  .check(z.minLength(1, 'Choose at least one event'), z.maxLength(200))

export const NewWebhookEndpoint = z.strictObject({
  url: Url,
  description: z._default(singleLineText(200), ''),
  events: z._default(Events, [everyEvent]),
})
export type NewWebhookEndpoint = z.output<typeof NewWebhookEndpoint>

const WebhookPatch = z.strictObject({
  url: z.optional(Url),
  description: z.optional(singleLineText(200)),
  events: z.optional(Events),
  is_active: z.optional(z.boolean()),
})
export type WebhookPatch = z.output<typeof WebhookPatch>

/** The secret with which the receiver verifies signatures, in the format of Standard Webhooks. */
const Secret = z.string()

const path = '/api/webhooks'
const Id = z.strictObject({ id: z.uuid() })
const example = { params: { id: exampleId('webhook') } }
/** What all routes of webhooks have in common. */
const forSessions = { caller: 'user', isForSessionsOnly: true } as const

export const webhookRoutes = defineRoutes({
  list: {
    method: 'GET',
    path,
    summary: 'The webhook endpoints, newest first',
    ...forSessions,
    changes: 'nothing',
    out: z.object({ rows: z.array(WebhookEndpoint) }),
    example: {},
  },
  create: {
    method: 'POST',
    path,
    summary: 'Add a webhook endpoint. The response is the only one that contains its secret',
    ...forSessions,
    changes: { noUndo: 'What was sent to an endpoint cannot be taken back.' },
    body: NewWebhookEndpoint,
    out: z.object({ ...WebhookEndpoint.shape, secret: Secret }),
    status: 201,
    example: { body: { url: 'https://example.com/webhook', events: ['contact.created'] } },
  },
  get: {
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'A webhook endpoint',
    ...forSessions,
    changes: 'nothing',
    params: Id,
    out: WebhookEndpoint,
    example,
  },
  update: {
    method: 'POST',
    path: `${path}/{id}`,
    summary: 'Change the address or the events of an endpoint, or turn it on or off',
    ...forSessions,
    changes: { noUndo: 'What was sent to an endpoint cannot be taken back.' },
    params: Id,
    body: WebhookPatch,
    out: WebhookEndpoint,
    example: { ...example, body: { description: 'The newsletter' } },
  },
  replaceSecret: {
    method: 'POST',
    path: `${path}/{id}/secret`,
    summary: 'Replace the secret of an endpoint',
    ...forSessions,
    changes: { noUndo: 'A secret is shown only once, so an earlier one cannot come back.' },
    params: Id,
    out: z.object({ secret: Secret }),
    example,
  },
  delete: {
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Delete an endpoint and the log of its deliveries',
    ...forSessions,
    changes: { noUndo: 'Its secret is deleted too, so it cannot come back.' },
    params: Id,
    example,
  },
  test: {
    method: 'POST',
    path: `${path}/{id}/test`,
    summary: 'Send a test to an endpoint',
    ...forSessions,
    changes: { noUndo: 'What was sent cannot be taken back.' },
    params: Id,
    out: WebhookDelivery,
    maxRequestsIn15Minutes: { perIdentity: 100 },
    example,
  },
  deliveries: {
    method: 'GET',
    path: `${path}/{id}/deliveries`,
    summary: 'The deliveries to an endpoint in the last 30 days, newest first',
    ...forSessions,
    changes: 'nothing',
    params: Id,
    query: z.strictObject({
      status: z.optional(WebhookDelivery.shape.status),
      after: z.optional(z.uuid()),
      limit: z._default(wholeNumber({ min: 1, max: 200 }), 50),
    }),
    out: z.object({ rows: z.array(WebhookDelivery), next: z.nullable(z.uuid()) }),
    example,
  },
  replay: {
    method: 'POST',
    path: `${path}/{id}/deliveries/{delivery}/replay`,
    summary: 'Send a delivery again, with the same id and body',
    ...forSessions,
    changes: { noUndo: 'What was sent cannot be taken back.' },
    params: z.strictObject({ id: z.uuid(), delivery: z.uuid() }),
    out: WebhookDelivery,
    example: { params: { id: exampleId('webhook'), delivery: exampleId('webhookDelivery') } },
  },
  replayFailed: {
    method: 'POST',
    path: `${path}/{id}/replay`,
    summary: 'Send all failed deliveries of an endpoint again, in their order',
    ...forSessions,
    changes: { noUndo: 'What was sent cannot be taken back.' },
    params: Id,
    out: z.object({ count: z.int() }),
    example,
  },
})

import type { WebhookDelivery } from '#contract/webhooks.ts'
import { sql } from '#server/platform/database/database.ts'
import { lowestId } from '#server/platform/database/uuid.ts'
import type { StoredEndpoint } from './endpoints.store.ts'

const columns = `id, created_at, event, change_id, record_id, status, attempts, next_at, response_status, problem, duration_ms, finished_at,
  case when earlier_attempts > 0 or earlier_problem is not null
    then json_build_object('attempts', earlier_attempts, 'problem', earlier_problem) end as earlier`

/** Returns a page of the deliveries to an endpoint, newest first. */
export const readDeliveries = (
  owner: string,
  endpointId: string,
  { status, after, limit }: { status?: string | undefined; after?: string | undefined; limit: number },
): Promise<WebhookDelivery[]> =>
  sql<WebhookDelivery>(
    `select ${columns} from webhook_deliveries where user_id = $1 and endpoint_id = $2
       and ($3::text is null or status = $3) and ($4::uuid is null or id < $4) order by id desc limit $5`,
    [owner, endpointId, status ?? null, after ?? null, limit],
  )

/** Adds a test delivery, which belongs to no record and waits for no other delivery. */
export async function insertTest(owner: string, endpointId: string, { id, now }: { id: string; now: Date }): Promise<WebhookDelivery[]> {
  return sql<WebhookDelivery>(
    `insert into webhook_deliveries (user_id, id, created_at, endpoint_id, event, record_id, is_next, queued_at, next_at)
     values ($1, $2, $4, $3, 'test', $2, true, $4, $4) returning ${columns}`,
    [owner, id, endpointId, now],
  )
}

/**
 * Puts a delivery back into the queue. `earlier_attempts` keeps the number of attempts so far, for the list of deliveries. The caller has
 * the lock of `lockWebhooks`.
 */
export async function requeue(owner: string, endpointId: string, id: string, now: Date): Promise<WebhookDelivery[]> {
  const requeued = await sql<WebhookDelivery>(
    `update webhook_deliveries set ${requeuedValues} where user_id = $1 and endpoint_id = $2 and id = $4 returning ${columns}`,
    [owner, endpointId, now, id],
  )
  await markNext(owner, endpointId, requeued)
  return requeued
}

const requeuedValues = `status = 'waiting', is_next = false, attempts = 0, earlier_attempts = earlier_attempts + attempts,
  earlier_problem = coalesce(problem, earlier_problem), queued_at = $3, next_at = $3, finished_at = null`

/** A transaction changes only about this number of deliveries, because its lock makes all other writers of deliveries wait. */
export const maxDeliveriesPerPart = 5000

/**
 * Puts a part of the failed deliveries back into the queue, like `requeue`: about 5000, of the records with ids after `after`. Deliveries
 * whose change was erased fail again. All failed deliveries of a record are in the same part, because otherwise a later change of the
 * record could be sent between two parts. Returns the number of deliveries and the last record; undefined after the last part. The caller
 * has the lock of `lockWebhooks`.
 */
export async function requeueFailed(
  owner: string,
  endpointId: string,
  now: Date,
  after: string = lowestId,
): Promise<{ count: number; lastRecord: string } | undefined> {
  const requeued = await sql<{ record_id: string }>(
    `with part as (
       select id from webhook_deliveries where user_id = $1 and endpoint_id = $2 and status = 'failed' and record_id > $4
       order by record_id fetch first ${maxDeliveriesPerPart} rows with ties
     ), requeued as (
       update webhook_deliveries set ${requeuedValues} where user_id = $1 and id in (select id from part) returning record_id
     ) select record_id from requeued order by record_id`,
    [owner, endpointId, now, after],
  )
  await markNext(owner, endpointId, requeued)
  const lastRecord = requeued.at(-1)?.record_id
  return lastRecord === undefined ? undefined : { count: requeued.length, lastRecord }
}

/** For the record of each of these deliveries, marks the first waiting delivery as the next one to send. */
async function markNext(owner: string, endpointId: string, deliveries: readonly { record_id: string }[]): Promise<void> {
  if (deliveries.length === 0) return
  await sql(
    `update webhook_deliveries d set is_next = d.id = first.id
     from unnest($3::uuid[]) r (record_id) cross join lateral (
       select id from webhook_deliveries w where w.user_id = $1 and w.endpoint_id = $2 and w.record_id = r.record_id and w.status = 'waiting'
       order by w.step, w.line, w.id limit 1) first
     where d.user_id = $1 and d.endpoint_id = $2 and d.record_id = r.record_id and d.status = 'waiting' and d.is_next <> (d.id = first.id)`,
    [owner, endpointId, [...new Set(deliveries.map(({ record_id }) => record_id))]],
  )
}

/** A delivery that is due, with the line of the journal that it sends. `at` is null if the change was erased. */
export type DueDelivery = {
  id: string
  event: string
  record_id: string
  created_at: string
  queued_at: string
  attempts: number
  table_name: string | null
  operation: 'I' | 'U' | 'D' | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  change_id: string | null
  actor: string | null
  actor_name: string | null
  at: string | null
}

/** Returns deliveries that are due, at most one of each record. An index finds them fast among many waiting ones. */
export const readDue = (owner: string, endpointId: string, now: Date, limit: number): Promise<DueDelivery[]> =>
  sql<DueDelivery>(
    `select d.id, d.event, d.record_id, d.created_at, d.queued_at, d.attempts, d.change_id, j.table_name, j.operation, j.before, j.after,
       c.actor, c.actor_name, c.at
     from (
       select * from webhook_deliveries where user_id = $1 and endpoint_id = $2 and status = 'waiting' and is_next and next_at <= $3
       order by next_at, id limit $4) d
     left join journal j on j.change = d.change_id and j.step = d.step and j.line = d.line and j.user_id = $1
     left join changesets c on c.id = d.change_id and c.user_id = $1
     order by d.next_at, d.id`,
    [owner, endpointId, now, limit],
  )

/** The result of an attempt. A waiting delivery is sent again at `next_at`. `queued_at` is the value before the attempt. */
export type Attempt = Pick<WebhookDelivery, 'id' | 'record_id' | 'status' | 'problem' | 'response_status' | 'duration_ms'> & {
  queued_at: string
  attempts: number
  next_at: Date
}

/**
 * Stores the results of attempts, except of deliveries that were put back into the queue during the attempt: they are sent again, perhaps
 * to another address. Then marks the next delivery of each of their records, which may be an earlier one that was put back into the queue
 * meanwhile. The caller has the lock of `lockWebhooks`.
 */
export async function storeAttempts(owner: string, endpointId: string, attempts: readonly Attempt[], now: Date): Promise<void> {
  await sql(
    `update webhook_deliveries d set status = a.status, problem = a.problem, response_status = a.response_status, duration_ms = a.duration_ms,
       attempts = a.attempts, next_at = a.next_at, is_next = false, finished_at = case when a.status <> 'waiting' then $4::timestamptz end
     from json_populate_recordset(null::webhook_deliveries, $3) a
     where d.user_id = $1 and d.endpoint_id = $2 and d.id = a.id and d.queued_at = a.queued_at`,
    [owner, endpointId, JSON.stringify(attempts), now],
  )
  await markNext(owner, endpointId, attempts)
}

/**
 * The state of an endpoint after its last batch of deliveries. `failures`: the number of batches in a row for which the receiver was down.
 * `failingSince`: the time of the first failed attempt since the last success; error responses such as 404 count too.
 */
export type EndpointState = {
  failures: number
  failingSince: Date | null
  pausedUntil: Date | null
  problem: string | null
  isActive: boolean
}

/**
 * Stores the state of an endpoint after a batch. An endpoint that was turned off stays off. Returns false, and stores nothing, if the owner
 * has changed the address or reset the failures since `endpoint` was read, because the batch says nothing about the endpoint as it is now.
 */
export async function storeEndpointState(
  owner: string,
  { id, url, failures, failing_since }: StoredEndpoint,
  state: EndpointState,
  lastSuccessAt: Date | null,
): Promise<boolean> {
  const rows = await sql(
    `update webhook_endpoints set failures = $3, failing_since = $4, paused_until = $5, problem = $6, is_active = is_active and $7,
       last_success_at = coalesce($8, last_success_at) where user_id = $1 and id = $2 and url = $9 and failures = $10
       and failing_since is not distinct from $11 returning id`,
    [
      owner,
      id,
      state.failures,
      state.failingSince,
      state.pausedUntil,
      state.problem,
      state.isActive,
      lastSuccessAt,
      url,
      failures,
      failing_since,
    ],
  )
  return rows.length > 0
}

/**
 * Gives up waiting deliveries that were queued at or before `queuedUntil`, at most 5000, and returns their number. Marks the next deliveries
 * of their records. The caller has the lock of `lockWebhooks`.
 */
export async function failOld(owner: string, endpointId: string, queuedUntil: Date, now: Date, problem: string): Promise<number> {
  const failed = await sql<{ record_id: string }>(
    `update webhook_deliveries set status = 'failed', is_next = false, finished_at = $4, problem = coalesce(problem, $5)
     where user_id = $1 and id = any(array(
       select id from webhook_deliveries where user_id = $1 and endpoint_id = $2 and status = 'waiting' and queued_at <= $3
       order by record_id, step, line, id limit ${maxDeliveriesPerPart}))
     returning record_id`,
    [owner, endpointId, queuedUntil, now, problem],
  )
  await markNext(owner, endpointId, failed)
  return failed.length
}

import type { WebhookEndpoint } from '#contract/webhooks.ts'
import { sql } from '#server/platform/database/database.ts'

export type StoredEndpoint = WebhookEndpoint & { sealed_secret: string; failures: number }

/** Counting stops here, because a receiver that does not answer may have very many waiting deliveries. */
const maxCounted = 1000
const count = (status: string): string =>
  `(select count(*) from (select from webhook_deliveries d where d.user_id = $1 and d.endpoint_id = e.id and d.status = '${status}' limit ${maxCounted}) n)::int`
/** When the first waiting delivery is sent. It waits until its own pause and the pause of the endpoint are over. */
const nextAttempt = `case when e.is_active then (select greatest(e.paused_until, d.next_at) from webhook_deliveries d
    where d.user_id = $1 and d.endpoint_id = e.id and d.status = 'waiting' and d.is_next order by d.next_at, d.id limit 1) end`
const selectEndpoints = `select e.id, e.created_at, e.url, e.description, e.events, e.is_active, e.problem, e.failing_since, e.paused_until,
    ${nextAttempt} as next_attempt_at, e.last_success_at, e.sealed_secret, e.failures, ${count('waiting')} as waiting, ${count('failed')} as failed
  from webhook_endpoints e where e.user_id = $1`

/** Returns the endpoints of the owner, newest first. */
export const readEndpoints = (owner: string): Promise<StoredEndpoint[]> =>
  sql<StoredEndpoint>(`${selectEndpoints} order by e.created_at desc, e.id desc`, [owner])

/** Returns an endpoint; undefined if the owner has no such endpoint. */
export async function findEndpoint(owner: string, id: string): Promise<StoredEndpoint | undefined> {
  const [endpoint] = await sql<StoredEndpoint>(`${selectEndpoints} and e.id = $2`, [owner, id])
  return endpoint
}

/** Blocks other transactions of the owner that add endpoints, make deliveries or store their results, until the end of this transaction. */
export const lockWebhooks = (owner: string): Promise<unknown> =>
  sql(`select pg_advisory_xact_lock(hashtextextended('webhooks ' || $1::text, 0))`, [owner])

export async function insertEndpoint(
  owner: string,
  { id, url, description, events, sealed_secret }: Pick<StoredEndpoint, 'id' | 'url' | 'description' | 'events' | 'sealed_secret'>,
): Promise<void> {
  await sql('insert into webhook_endpoints (user_id, id, url, description, events, sealed_secret) values ($1, $2, $3, $4, $5, $6)', [
    owner,
    id,
    url,
    description,
    events,
    sealed_secret,
  ])
}

type EndpointPatch = Partial<Record<'url' | 'description' | 'sealed_secret', string | undefined>> & {
  events?: readonly string[] | undefined
  is_active?: boolean | undefined
}

/**
 * Changes an endpoint and resets its failures and its pause, so that it is tried at once. The time at which it is turned on comes from
 * the clock of the database, because it is compared with the times of change sets. Returns false if there is no such endpoint.
 */
export async function updateEndpoint(owner: string, id: string, patch: EndpointPatch): Promise<boolean> {
  const updated = await sql(
    `update webhook_endpoints set url = coalesce($3, url), description = coalesce($4, description), events = coalesce($5, events),
       is_active = coalesce($6, is_active), turned_on_at = case when $6 and not is_active then now() else turned_on_at end,
       sealed_secret = coalesce($7, sealed_secret), failures = 0, failing_since = null, paused_until = null, problem = null
     where user_id = $1 and id = $2 returning id`,
    [owner, id, patch.url, patch.description, patch.events, patch.is_active, patch.sealed_secret],
  )
  return updated.length > 0
}

/**
 * Stores that the owner gets a mail about an endpoint. Returns false if that was stored already at or after `since`; of concurrent calls
 * only one returns true.
 */
export async function setMailTime(
  owner: string,
  id: string,
  { trouble, now, since }: { trouble: 'failing' | 'given_up'; now: Date; since: Date },
): Promise<boolean> {
  const column = trouble === 'failing' ? 'failing_mail_at' : 'given_up_mail_at'
  const updated = await sql(
    `update webhook_endpoints set ${column} = $3
     where user_id = $1 and id = $2 and (${column} is null or ${column} < $4) returning id`,
    [owner, id, now, since],
  )
  return updated.length > 0
}

/** Deletes an endpoint with its deliveries. Returns false if there is no such endpoint. */
export async function deleteEndpoint(owner: string, id: string): Promise<boolean> {
  return (await sql('delete from webhook_endpoints where user_id = $1 and id = $2 returning id', [owner, id])).length > 0
}

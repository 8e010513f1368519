import type pg from 'pg'
import { inTransaction } from '#server/platform/database/table-owner.ts'
import { listSentTables } from './body.ts'
import { maxDeliveriesPerPart } from './deliveries.store.ts'
import { webhookJob } from './webhooks.job.ts'

/** The maximum number of owners whose changes one run turns into deliveries. */
const maxOwners = 200

/** Returns whether an endpoint of any owner is active. */
export async function hasActiveEndpoints(tableOwner: pg.Pool): Promise<boolean> {
  const { rowCount } = await tableOwner.query('select from webhook_endpoints where is_active limit 1')
  return rowCount !== 0
}

/**
 * Makes deliveries from the rows of `webhook_changes`, which are the change sets without deliveries, and adds a job for each endpoint with
 * due deliveries. `tableOwner` connects as the role that owns the tables. A schedule runs it every two seconds while there are active
 * endpoints. If the deliveries of one owner cannot be made, those of the other owners are made; all failures are thrown together at the end.
 */
export async function makeDeliveries(tableOwner: pg.Pool, now: Date, signal: AbortSignal): Promise<void> {
  const { rows } = await tableOwner.query<{ user_id: string }>(`select distinct user_id from webhook_changes limit ${maxOwners}`)
  const failures: Error[] = []
  for (const { user_id: owner } of rows) {
    signal.throwIfAborted()
    try {
      await writeForOwner(tableOwner, owner, (client) => makeDeliveriesOfOwner(client, owner, now))
    } catch (cause) {
      failures.push(new Error(`The deliveries of the owner ${owner} could not be made`, { cause }))
    }
  }
  await enqueueDueEndpoints(tableOwner, now)
  if (failures.length > 0) throw new AggregateError(failures, 'Some deliveries could not be made')
}

/**
 * Runs the work in a transaction. Does nothing while the account is being deleted: the work would wait for the deletion, which may take
 * minutes, and so would the deliveries of all other owners.
 */
const writeForOwner = (tableOwner: pg.Pool, owner: string, work: (client: pg.ClientBase) => Promise<unknown>): Promise<void> =>
  inTransaction(tableOwner, async (client) => {
    const { rowCount } = await client.query('select from users where id = $1 for key share skip locked', [owner])
    if (rowCount === 1) await work(client)
  })

/** Takes the lock of `lockWebhooks`. */
const lockWebhooksOf = (client: pg.ClientBase, owner: string): Promise<unknown> =>
  client.query(`select pg_advisory_xact_lock(hashtextextended('webhooks ' || $1::text, 0))`, [owner])

/**
 * Deletes the rows of `webhook_changes` of an owner and inserts a delivery for each endpoint that gets the event. All committed changes are
 * taken together, and sorted by their steps in the journal, because change sets of transactions that ran at the same time are in no order.
 */
async function makeDeliveriesOfOwner(client: pg.ClientBase, owner: string, now: Date): Promise<void> {
  await lockWebhooksOf(client, owner)
  await client.query(
    `with taken as (delete from webhook_changes where user_id = $1 returning change_id),
     events as (
       select j.change, j.step, j.line, j.row_id, c.at, t.name || case j.operation when 'I' then '.created' when 'U' then '.updated' else '.deleted' end as event
       from taken join changesets c on c.id = taken.change_id join journal j on j.change = taken.change_id
       join json_to_recordset($2) t ("table" text, name text, fields text[]) on t."table" = j.table_name
       where j.user_id = $1 and (j.operation <> 'U' or j.after ?| t.fields)
     )
     insert into webhook_deliveries (user_id, created_at, endpoint_id, event, change_id, step, line, record_id, is_next, queued_at, next_at)
     select $1, $3, e.id, v.event, v.change, v.step, v.line, v.row_id,
       row_number() over (partition by e.id, v.row_id order by v.step, v.line) = 1 and not exists (
         select from webhook_deliveries d where d.user_id = $1 and d.endpoint_id = e.id and d.record_id = v.row_id and d.status = 'waiting'),
       $3, $3
     from events v join webhook_endpoints e on e.user_id = $1 and e.is_active and coalesce(e.turned_on_at, e.created_at) <= v.at
       and e.events && array[v.event, '*']
     order by v.step, v.line`,
    [owner, JSON.stringify(listSentTables()), now],
  )
}

/**
 * Adds a job for each active endpoint that is not paused and has a due delivery. An endpoint whose job runs, or waits for its next attempt,
 * gets no second job: that would end the wait.
 */
async function enqueueDueEndpoints(tableOwner: pg.Pool, now: Date): Promise<void> {
  const { rows } = await tableOwner.query<{ user_id: string; id: string }>(
    `select e.user_id, e.id from webhook_endpoints e where e.is_active and (e.paused_until is null or e.paused_until <= $1) and exists (
       select from webhook_deliveries d
       where d.user_id = e.user_id and d.endpoint_id = e.id and d.status = 'waiting' and d.is_next and d.next_at <= $1)
       and not exists (select from jobs.jobs j where j.owner = e.user_id and j.type = $2 and j.key = e.id::text and j.failed_at is null)`,
    [now, webhookJob.name],
  )
  for (const { user_id: owner, id } of rows)
    await writeForOwner(tableOwner, owner, async (client) => {
      await client.query(`select set_config('app.owner', $1, true)`, [owner])
      await client.query('select jobs.enqueue($1, $2, $3, null, false)', [webhookJob.name, JSON.stringify({ endpoint: id }), id])
    })
}

/**
 * Deletes deliveries that can no longer be sent again, because the journal no longer has their values. Those that still wait, such as the
 * ones of an endpoint that is off, are deleted too.
 */
export async function deleteOldDeliveries(tableOwner: pg.Pool, now: Date, signal: AbortSignal): Promise<void> {
  const { rows } = await tableOwner.query<{ user_id: string }>('select distinct user_id from webhook_endpoints')
  for (const { user_id: owner } of rows) {
    let deleted: number
    do {
      signal.throwIfAborted()
      deleted = 0
      await writeForOwner(tableOwner, owner, async (client) => {
        deleted = await deletePart(client, owner, now)
      })
    } while (deleted === maxDeliveriesPerPart)
  }
}

/**
 * Deletes a part of the old deliveries of an owner, and returns their number. Marks the next delivery of each record that has waiting ones
 * of which none is marked: those of the deleted deliveries, and those that an earlier version has left without a mark.
 */
async function deletePart(client: pg.ClientBase, owner: string, now: Date): Promise<number> {
  await lockWebhooksOf(client, owner)
  const { rowCount } = await client.query(
    `delete from webhook_deliveries where user_id = $1 and id = any(array(
       select id from webhook_deliveries where user_id = $1 and id < app.uuid_floor($2::timestamptz - app.undo_window())
       order by id limit ${maxDeliveriesPerPart}))`,
    [owner, now],
  )
  await client.query(
    `update webhook_deliveries set is_next = true where user_id = $1 and id in (
       select (array_agg(id order by step, line, id))[1] from webhook_deliveries where user_id = $1 and status = 'waiting'
       group by endpoint_id, record_id having not bool_or(is_next))`,
    [owner],
  )
  return rowCount ?? 0
}

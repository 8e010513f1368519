import type pg from 'pg'

/** A job that a worker has taken. */
export type TakenJob = { id: string; owner: string; type: string; payload: unknown }

/** Which jobs a worker may take: those of owners, and of an owner's types, that have at most this many running already. */
export type Room = { runningOfOwner: number; runningOfType: number }

const maxAttempts = 5
/** Fails a job that ends its process each time; restarts of the server interrupt a job far less often. */
const maxCrashes = 10

/**
 * The owner with the fewest running jobs goes first, then the type with the fewest, then the oldest job: a thousand jobs of one owner
 * delay neither another owner's job nor the owner's own jobs of other types. Only the job that is taken gets locked; one that another
 * worker is just taking is skipped.
 */
const takeSql = `with recursive waiting as (
    (select owner, type, run_at, id from jobs.jobs where taken_by is null and failed_at is null
      order by owner, type, run_at, id limit 1)
    union all
    select later.* from waiting cross join lateral (
      select owner, type, run_at, id from jobs.jobs
      where taken_by is null and failed_at is null and (owner, type) > (waiting.owner, waiting.type)
      order by owner, type, run_at, id limit 1) later
  ),
  busy_owners as materialized (select owner, count(*) as running from jobs.jobs where taken_by is not null group by owner),
  busy_types as materialized (select owner, type, count(*) as running from jobs.jobs where taken_by is not null group by owner, type),
  candidates as (
    select owner, type from waiting left join busy_owners using (owner) left join busy_types using (owner, type)
    where run_at <= $2 and type = any ($3::text[])
      and coalesce(busy_owners.running, 0) <= $5::float8 and coalesce(busy_types.running, 0) <= $6::float8
    order by coalesce(busy_owners.running, 0), coalesce(busy_types.running, 0), id
  ),
  chosen as (
    select next.id from candidates cross join lateral (
      select id from jobs.jobs due
      where due.owner = candidates.owner and due.type = candidates.type and due.taken_by is null and due.failed_at is null
        and due.run_at <= $2 and due.id <> all ($4::bigint[])
      order by due.run_at, due.id limit 1 for update skip locked) next
    limit 1
  )
  update jobs.jobs job set taken_by = $1, taken_at = $2 from chosen where job.id = chosen.id
  returning job.id::text, job.owner, job.type, job.payload`

/** Takes the next job of the given types; never one of `except`. */
export async function takeJob(
  client: pg.Client,
  worker: number,
  now: Date,
  { types, except, room }: { types: string[]; except: string[]; room: Room },
): Promise<TakenJob | undefined> {
  const values = [worker, now.toISOString(), types, except, room.runningOfOwner, room.runningOfType]
  const { rows } = await client.query<TakenJob>({ name: 'take-job', text: takeSql, values })
  return rows[0]
}

/** Frees the jobs of workers whose lease is gone, so that others take them at once. */
export async function freeLostJobs(client: pg.Client, now: Date): Promise<void> {
  await client.query({
    name: 'free-lost-jobs',
    text: `with lost as (
        select id, crashes + 1 >= $2 as is_last from jobs.jobs
        where taken_by is not null and not jobs.is_alive(taken_by) for update skip locked)
      update jobs.jobs job set taken_by = null, taken_at = null, added_again = false, crashes = crashes + 1,
        failed_at = case when is_last then $1::timestamptz end, payload = case when is_last then '{}' else payload end,
        reason = case when is_last then 'crashed' else reason end,
        error = case when is_last then 'The server ended ' || $2 || ' times while it was doing this' else error end
      from lost where job.id = lost.id`,
    values: [now.toISOString(), maxCrashes],
  })
}

/** Deletes a job that is done; one that was added again while it ran waits for its next run. */
export async function finishJob(pool: pg.Pool, worker: number, id: string): Promise<void> {
  const { rowCount } = await pool.query('delete from jobs.jobs where id = $1 and taken_by = $2 and not added_again', [id, worker])
  if (rowCount === 0) await releaseJob(pool, worker, id)
}

/** The job waits again as before it was taken; the try does not count. */
export async function releaseJob(pool: pg.Pool, worker: number, id: string): Promise<void> {
  await pool.query('update jobs.jobs set taken_by = null, taken_at = null, added_again = false where id = $1 and taken_by = $2', [
    id,
    worker,
  ])
}

/** Why a try failed: a sentence, a named reason if there is one, and whether no other try can succeed. */
export type Failure = { sentence: string; reason: string | undefined; isFinal: boolean }

/**
 * The job waits for 10, 20, 40 and 80 seconds between its tries and fails with the fifth. A job that was added again starts over.
 * Returns whether it failed for good.
 */
export async function failJob(
  pool: pg.Pool,
  worker: number,
  now: Date,
  id: string,
  { sentence, reason, isFinal }: Failure,
): Promise<boolean> {
  const { rows } = await pool.query<{ failed: boolean }>(
    `with job as (
        select *, not added_again and ($6 or attempts + 1 >= $7) as is_last from jobs.jobs where id = $1 and taken_by = $2 for update)
      update jobs.jobs set taken_by = null, taken_at = null, added_again = false, error = $4, reason = $5,
        attempts = case when job.added_again then 0 else job.attempts + 1 end,
        run_at = case when job.added_again then job.run_at else $3::timestamptz + make_interval(secs => 5 * 2 ^ (job.attempts + 1)) end,
        failed_at = case when job.is_last then $3::timestamptz end, payload = case when job.is_last then '{}' else job.payload end
      from job where jobs.id = job.id returning jobs.failed_at is not null as failed`,
    [id, worker, now.toISOString(), sentence, reason, isFinal, maxAttempts],
  )
  return rows[0]?.failed ?? false
}

/** Deletes jobs that failed for good more than 30 days ago. */
export async function deleteOldFailures(pool: pg.Pool, now: Date): Promise<void> {
  await pool.query(`delete from jobs.jobs where failed_at < $1::timestamptz - interval '30 days'`, [now])
}

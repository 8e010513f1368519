// Reads and writes the queue of jobs. A worker is identified by the number of its lease. A lease is a connection that holds an advisory
// lock on this number, and so shows that the process is alive.
import type pg from 'pg'
import { lowestId } from '../database/uuid.ts'

/** A job that a worker has taken. */
export type TakenJob = { id: string; owner: string; type: string; payload: unknown }

/**
 * A job type for which a worker has a free slot. The owner of the job may have at most `maxOfOwner` other running jobs, and at most
 * `maxOfOwnerAndType` other running jobs of this type. `lastOwner` is the owner of the last job of this type; the next owner in the
 * order of ids is served next.
 */
export type FreeType = { type: string; lastOwner: string | undefined; maxOfOwner: number; maxOfOwnerAndType: number }

const firstPauseSeconds = 10
const maxPauseSeconds = 10 * 60
const defaultRetryMinutes = 4 * 60
/** A job fails after its process has ended unexpectedly this many times while it ran. A few restarts of the server do not make it fail. */
const maxCrashes = 10

/**
 * The condition of the index `jobs_ready`, without the jobs in $7. These still run in this process, although their rows are free again
 * after a lost connection.
 */
const isReady = `taken_by is null and failed_at is null and run_at = '-infinity' and id <> all ($7::bigint[])`

/**
 * Takes one job. The order is: the owner with the fewest running jobs, the type of which this owner has the fewest running jobs, the type
 * with the fewest running jobs of all owners, the next owner in the order of ids (round-robin), the oldest job. So a thousand jobs of one
 * owner delay neither the job of another owner nor the owner's jobs of other types.
 *
 * The cost depends on the number of running jobs and not on the number of waiting ones: `ranges` splits the ids of owners at each owner
 * with running jobs, and `first_jobs` looks up one job for each of these owners and one in each range between them. Only the job that is
 * taken is locked, and a job that another worker is taking is skipped. Parameters: $1 is the worker, $2 the time, $3 to $6 are the columns
 * of `FreeType`, $7 the excluded ids.
 */
const takeSql = `with running_counts as materialized (
    select owner, type, count(*) as count from jobs.jobs where taken_by is not null group by owner, type
  ),
  owner_counts as materialized (select owner, sum(count) as count from running_counts group by owner),
  type_counts as materialized (select type, sum(count) as count from running_counts group by type),
  free_types as materialized (
    select * from unnest($3::text[], $4::uuid[], $5::float8[], $6::float8[]) t (type, last_owner, max_of_owner, max_of_owner_and_type)
  ),
  ranges as (
    select type, owner as low, lead(owner, 1, 'ffffffff-ffff-ffff-ffff-ffffffffffff') over (partition by type order by owner) as high
    from (
      select type, '${lowestId}'::uuid as owner from free_types union select type, last_owner from free_types
      union select free_types.type, owner_counts.owner from free_types cross join owner_counts) bounds
  ),
  first_jobs as (
    select ranges.type, job.owner, job.id from ranges cross join lateral (
      (select owner, id from jobs.jobs where type = ranges.type and owner = ranges.low and ${isReady} order by id limit 1)
      union all
      (select owner, id from jobs.jobs where type = ranges.type and owner > ranges.low and owner < ranges.high and ${isReady}
        order by owner, id limit 1)) job
  ),
  counted as (
    select type, owner, id, last_owner, max_of_owner, max_of_owner_and_type, coalesce(owner_counts.count, 0) as owner_running,
      coalesce(running_counts.count, 0) as owner_type_running, coalesce(type_counts.count, 0) as type_running
    from first_jobs join free_types using (type) left join type_counts using (type) left join owner_counts using (owner)
    left join running_counts using (owner, type)
  ),
  ranked as (
    select type, owner, id, owner_running, owner_type_running, type_running,
      row_number() over (partition by type order by owner_running, owner_type_running, owner <= last_owner, owner) as position
    from counted where owner_running <= max_of_owner and owner_type_running <= max_of_owner_and_type
  ),
  candidates as (select type, owner from ranked order by owner_running, owner_type_running, type_running, position, id),
  next_job as (
    select locked.id from candidates cross join lateral (
      select id from jobs.jobs where type = candidates.type and owner = candidates.owner and ${isReady}
      order by id limit 1 for update skip locked) locked
    limit 1
  )
  update jobs.jobs job set taken_by = $1, taken_at = $2 from next_job where job.id = next_job.id
  returning job.id::text, job.owner, job.type, job.payload`

/**
 * Makes PostgreSQL use the indexes of the queue independently of statistics, because a plan that it caches while few jobs wait must also be
 * fast when a hundred thousand jobs wait.
 */
export async function preparePlans(client: pg.Client): Promise<void> {
  await client.query('set enable_seqscan = off; set enable_bitmapscan = off')
}

/** Takes the next job of the types, except the jobs with the ids in `excludedIds`. Returns undefined when no such job is ready. */
export async function takeJob(
  client: pg.Client,
  worker: number,
  now: Date,
  { freeTypes, excludedIds }: { freeTypes: FreeType[]; excludedIds: string[] },
): Promise<TakenJob | undefined> {
  const values = [
    worker,
    now.toISOString(),
    freeTypes.map(({ type }) => type),
    freeTypes.map(({ lastOwner }) => lastOwner ?? lowestId),
    freeTypes.map(({ maxOfOwner }) => maxOfOwner),
    freeTypes.map(({ maxOfOwnerAndType }) => maxOfOwnerAndType),
    excludedIds,
  ]
  const { rows } = await client.query<TakenJob>({ name: 'take-job', text: takeSql, values })
  return rows[0]
}

/** Whether a job of this type waits for a slot, of another owner than this one. */
export async function hasOtherOwnerWaiting(pool: pg.Pool, { name }: { name: string }, owner: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from jobs.jobs where type = $1 and owner <> $2 and taken_by is null and failed_at is null and run_at = '-infinity' limit 1`,
    [name, owner],
  )
  return rowCount === 1
}

/** Marks waiting jobs as ready (`run_at` is -infinity) when their time has come, at most a thousand per call. Returns their number. */
export async function markDueJobsReady(client: pg.Client, now: Date): Promise<number> {
  const { rowCount } = await client.query({
    name: 'ready-due-jobs',
    text: `with due as (
        select id from jobs.jobs where taken_by is null and failed_at is null and run_at > '-infinity' and run_at <= $1
        order by run_at limit 1000 for update skip locked)
      update jobs.jobs job set run_at = '-infinity' from due where job.id = due.id`,
    values: [now.toISOString()],
  })
  return rowCount ?? 0
}

/** Frees the jobs of workers whose lease has ended, so that other workers can take them. */
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

/**
 * Selects a job of a worker for a write. Fails at once if the job is locked, such as by the deletion of its account, which may take
 * minutes: a few writes that wait for it would use all connections of the pool.
 */
const lockSql = 'select id from jobs.jobs where id = $1 and taken_by = $2 for update nowait'

/** PostgreSQL's code of a lock that is not available. */
export const lockedCode = '55P03'

/** Deletes a finished job. A job that was added again while it ran waits for its next run. Throws `lockedCode` if the job is locked. */
export async function finishJob(pool: pg.Pool, worker: number, id: string): Promise<void> {
  const { rowCount } = await pool.query(
    `with job as (${lockSql}) delete from jobs.jobs using job where jobs.id = job.id and not jobs.added_again`,
    [id, worker],
  )
  if (rowCount === 0) await releaseJob(pool, worker, id)
}

/** Returns a job to the queue. The interrupted attempt does not count. Throws `lockedCode` if the job is locked. */
export async function releaseJob(pool: pg.Pool, worker: number, id: string): Promise<void> {
  await pool.query(
    `with job as (${lockSql})
      update jobs.jobs set taken_by = null, taken_at = null, added_again = false from job where jobs.id = job.id`,
    [id, worker],
  )
}

/**
 * Returns all jobs of a worker to the queue when it stops. For jobs that ignore the signal to stop: without this, they would count as
 * crashed.
 */
export async function releaseJobs(pool: pg.Pool, worker: number): Promise<void> {
  await pool.query('update jobs.jobs set taken_by = null, taken_at = null, added_again = false where taken_by = $1', [worker])
}

/** The failure of an attempt: a sentence, a code for the reason if there is one, and whether the job must not be tried again. */
export type Failure = { message: string; reason: string | undefined; isPermanent: boolean }

/**
 * Stores a failed attempt. The job waits 10, 20, 40, ... and at most 600 seconds between its attempts, and fails permanently when the next
 * pause would end after `retryForMinutes`. A job that was added again meanwhile starts from the first attempt. Returns whether the job
 * failed permanently. Throws `lockedCode` if the job is locked.
 */
export async function failJob(
  pool: pg.Pool,
  worker: number,
  now: Date,
  id: string,
  { message, reason, isPermanent }: Failure,
  retryForMinutes = defaultRetryMinutes,
): Promise<boolean> {
  const { rows } = await pool.query<{ failed: boolean }>(
    `with job as (
        select *, not added_again and ($6 or attempts + 1 >= $7) as is_last from jobs.jobs where id = $1 and taken_by = $2 for update nowait)
      update jobs.jobs set taken_by = null, taken_at = null, added_again = false, error = $4, reason = $5,
        attempts = case when job.added_again then 0 else job.attempts + 1 end,
        run_at = case when job.added_again then job.run_at else $3::timestamptz + make_interval(secs => least($9, $8 * 2 ^ least(job.attempts, 20))) end,
        failed_at = case when job.is_last then $3::timestamptz end, payload = case when job.is_last then '{}' else job.payload end
      from job where jobs.id = job.id returning jobs.failed_at is not null as failed`,
    [id, worker, now.toISOString(), message, reason, isPermanent, countAttempts(retryForMinutes), firstPauseSeconds, maxPauseSeconds],
  )
  return rows[0]?.failed ?? false
}

/** Returns the number of attempts that are possible in this time, with the pauses between them. */
function countAttempts(minutes: number): number {
  let attempts = 1
  let pause = firstPauseSeconds
  for (let seconds = pause; seconds <= minutes * 60; seconds += pause) {
    attempts++
    pause = Math.min(maxPauseSeconds, pause * 2)
  }
  return attempts
}

/** Deletes jobs that failed permanently more than 30 days ago. */
export async function deleteOldFailures(pool: pg.Pool, now: Date): Promise<void> {
  await pool.query(`delete from jobs.jobs where failed_at < $1::timestamptz - interval '30 days'`, [now])
}

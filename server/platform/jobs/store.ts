import type pg from 'pg'

/** A job that a worker has taken. */
export type TakenJob = { id: string; owner: string; task: string; payload: unknown }

/** What a worker has room for: jobs of owners, and of an owner's tasks, that have at most so many running already. */
export type Room = { runningOfOwner: number; runningOfTask: number }

const attemptLimit = 5
/** A job that ends its process each time must end some time; one that was only interrupted by restarts must not. */
const crashLimit = 10

/**
 * The owner with the fewest running jobs goes first, then the task with the fewest, then who asked first: an import of a thousand
 * files delays neither another's mail nor one's own. One step for each waiting owner and task, not for each waiting job. Only the
 * job that is taken gets locked, and one that another worker is just taking is passed over.
 */
const takeSql = `with recursive waiting as (
    (select owner, task, run_at, id from jobs.jobs where taken_by is null and failed_at is null
      order by owner, task, run_at, id limit 1)
    union all
    select later.* from waiting cross join lateral (
      select owner, task, run_at, id from jobs.jobs
      where taken_by is null and failed_at is null and (owner, task) > (waiting.owner, waiting.task)
      order by owner, task, run_at, id limit 1) later
  ),
  busy_owners as materialized (select owner, count(*) as running from jobs.jobs where taken_by is not null group by owner),
  busy_tasks as materialized (select owner, task, count(*) as running from jobs.jobs where taken_by is not null group by owner, task),
  turns as (
    select owner, task from waiting left join busy_owners using (owner) left join busy_tasks using (owner, task)
    where run_at <= $2 and task = any ($3::text[])
      and coalesce(busy_owners.running, 0) <= $5::float8 and coalesce(busy_tasks.running, 0) <= $6::float8
    order by coalesce(busy_owners.running, 0), coalesce(busy_tasks.running, 0), id
  ),
  chosen as (
    select next.id from turns cross join lateral (
      select id from jobs.jobs due
      where due.owner = turns.owner and due.task = turns.task and due.taken_by is null and due.failed_at is null
        and due.run_at <= $2 and due.id <> all ($4::bigint[])
      order by due.run_at, due.id limit 1 for update skip locked) next
    limit 1
  )
  update jobs.jobs job set taken_by = $1, taken_at = $2 from chosen where job.id = chosen.id
  returning job.id::text, job.owner, job.task, job.payload`

/** Takes the job that should be next, of the tasks named and not among the jobs excepted. */
export async function takeJob(
  client: pg.Client,
  worker: number,
  now: Date,
  { tasks, except, room }: { tasks: string[]; except: string[]; room: Room },
): Promise<TakenJob | undefined> {
  const values = [worker, now.toISOString(), tasks, except, room.runningOfOwner, room.runningOfTask]
  const { rows } = await client.query<TakenJob>({ name: 'take-job', text: takeSql, values })
  return rows[0]
}

/** Frees the jobs of workers that are no more, to be done by others at once. */
export async function freeLostJobs(client: pg.Client, now: Date): Promise<void> {
  await client.query({
    name: 'free-lost-jobs',
    text: `with lost as (
        select id, crashes + 1 >= $2 as is_last from jobs.jobs
        where taken_by is not null and not jobs.is_alive(taken_by) for update skip locked)
      update jobs.jobs job set taken_by = null, taken_at = null, asked_again = false, crashes = crashes + 1,
        failed_at = case when is_last then $1::timestamptz end, payload = case when is_last then '{}' else payload end,
        reason = case when is_last then 'crashed' else reason end,
        error = case when is_last then 'The server ended ' || $2 || ' times while it was doing this' else error end
      from lost where job.id = lost.id`,
    values: [now.toISOString(), crashLimit],
  })
}

/** The job is done and goes away with its payload; if it was asked for again meanwhile, it waits for its next run. */
export async function finishJob(pool: pg.Pool, worker: number, id: string): Promise<void> {
  const { rowCount } = await pool.query('delete from jobs.jobs where id = $1 and taken_by = $2 and not asked_again', [id, worker])
  if (rowCount === 0) await giveBackJob(pool, worker, id)
}

/** The job waits as before, for whoever is next: the try does not count. */
export async function giveBackJob(pool: pg.Pool, worker: number, id: string): Promise<void> {
  await pool.query('update jobs.jobs set taken_by = null, taken_at = null, asked_again = false where id = $1 and taken_by = $2', [
    id,
    worker,
  ])
}

/** Why a try failed: a sentence, a name for the reason where there is one, and whether it was the last. */
export type Failing = { sentence: string; reason: string | undefined; isFinal: boolean }

/**
 * The job waits for 10, 20, 40 and 80 seconds between its tries and fails with the fifth. A job asked for again begins anew.
 * Answers whether it failed for good.
 */
export async function failJob(
  pool: pg.Pool,
  worker: number,
  now: Date,
  id: string,
  { sentence, reason, isFinal }: Failing,
): Promise<boolean> {
  const { rows } = await pool.query<{ failed: boolean }>(
    `with job as (
        select *, not asked_again and ($6 or attempts + 1 >= $7) as is_last from jobs.jobs where id = $1 and taken_by = $2 for update)
      update jobs.jobs set taken_by = null, taken_at = null, asked_again = false, error = $4, reason = $5,
        attempts = case when job.asked_again then 0 else job.attempts + 1 end,
        run_at = case when job.asked_again then job.run_at else $3::timestamptz + make_interval(secs => 5 * 2 ^ (job.attempts + 1)) end,
        failed_at = case when job.is_last then $3::timestamptz end, payload = case when job.is_last then '{}' else job.payload end
      from job where jobs.id = job.id returning jobs.failed_at is not null as failed`,
    [id, worker, now.toISOString(), sentence, reason, isFinal, attemptLimit],
  )
  return rows[0]?.failed ?? false
}

/** Clocks that have been run and are not due again yet. Asked first, so that a quiet installation writes nothing. */
export async function clocksAtRest(client: pg.Client, now: Date): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from jobs.clocks where due_at > $1', [now.toISOString()])
  return rows.map(({ name }) => name)
}

/** Answers whether this process is the one that runs what was due by the clock, and notes when it is due next. */
export async function winClock(client: pg.Client, name: string, now: Date, nextDue: Date): Promise<boolean> {
  const { rowCount } = await client.query(
    `insert into jobs.clocks as clock (name, due_at) values ($1, $2)
     on conflict (name) do update set due_at = excluded.due_at where clock.due_at <= $3`,
    [name, nextDue.toISOString(), now.toISOString()],
  )
  return rowCount === 1
}

/** Deletes jobs that failed for good more than 30 days ago. */
export async function deleteOldFailures(pool: pg.Pool, now: Date): Promise<void> {
  await pool.query(`delete from jobs.jobs where failed_at < $1::timestamptz - interval '30 days'`, [now])
}

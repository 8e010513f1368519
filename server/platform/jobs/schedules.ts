import type pg from 'pg'
import type { FastifyBaseLogger } from 'fastify'

/** A schedule with this interval, or a longer one, is rare. */
const rareSeconds = 60 * 60
/** Many rare schedules are due at midnight, and at once they would use all connections that they share with jobs and other schedules. */
const maxRareRuns = 2
const retrySeconds = 10 * 60
/** The clocks of two servers with one database may differ by this much, and each due time still has one run. */
const maxClockDifferenceMs = 60 * 1000

/** Work that runs in one of the processes at each due time. */
export type Schedule = {
  name: string
  /** The due times are the multiples of this number since 1970 UTC. A worker looks for due schedules in rounds, about every two seconds. */
  everySeconds: number
  /**
   * Returns whether there is work. If not, nothing is written, the schedule stays due, and the function is called again in the next round.
   * A schedule that is due every few seconds needs the function, so that an idle installation writes nothing. If the function fails, there
   * is no run, and it is also called again in the next round.
   */
  hasWork?: () => Promise<boolean>
  /**
   * Does the work. The signal aborts when the server stops or loses its connection. A run that fails is due again after ten minutes, or at
   * its next due time if that is earlier. A run that fails because the server stops is due again only at its next due time.
   */
  run: (signal: AbortSignal) => Promise<unknown>
}

type Options = {
  schedules: Schedule[]
  /** Connections of the role that owns the tables. */
  pool: pg.Pool
  /** The unfinished runs in this process, by the name of the schedule. */
  running: Map<string, Promise<void>>
  /** The times at which failed schedules are due again, by name, until they are stored. */
  retries: Map<string, Date>
  log: Pick<FastifyBaseLogger, 'error'>
  now: () => Date
}

/**
 * Starts the due schedules, except those that another process has started or that this process is still running. Of the rare ones at most
 * two run in a process at the same time; the others wait. `client` is the connection of the worker's lease; a run does not use it, so that
 * an error or a wait of one schedule does not end the lease or delay the worker.
 */
export async function startDueSchedules(client: pg.Client, options: Options, signal: AbortSignal): Promise<void> {
  const { schedules, pool, running, retries, log, now } = options
  await storeRetries(client, retries)
  const roundTime = now()
  const notDue = await readNamesNotDue(client, schedules, roundTime)
  for (const schedule of schedules) {
    const { name } = schedule
    if (notDue.includes(name) || running.has(name) || (isRare(schedule) && countRareRuns() >= maxRareRuns)) continue
    const ended = runIfNeeded(schedule).finally(() => running.delete(name))
    running.set(name, ended)
  }

  function countRareRuns(): number {
    return schedules.filter((schedule) => isRare(schedule) && running.has(schedule.name)).length
  }

  async function runIfNeeded(schedule: Schedule): Promise<void> {
    try {
      if (schedule.hasWork && !(await schedule.hasWork())) return
      if (signal.aborted || !(await claimRun(pool, schedule, roundTime))) return
      await run(schedule)
    } catch (error) {
      if (!signal.aborted) log.error({ err: error, schedule: schedule.name }, 'schedules: failed')
    }
  }

  async function run({ name, everySeconds, run: work }: Schedule): Promise<void> {
    try {
      await work(signal)
    } catch (error) {
      if (everySeconds > retrySeconds) retries.set(name, new Date(now().getTime() + retrySeconds * 1000))
      throw error
    }
  }
}

const isRare = ({ everySeconds }: Schedule): boolean => everySeconds >= rareSeconds

/** Stores when failed schedules are due again. It is not part of the run, which often fails because the database cannot be reached. */
async function storeRetries(client: pg.Client, retries: Map<string, Date>): Promise<void> {
  for (const [name, retryAt] of retries) {
    await client.query('update jobs.schedules set due_at = least(due_at, $2) where name = $1', [name, retryAt.toISOString()])
    retries.delete(name)
  }
}

/** Returns the names of the schedules that are not due. They are read before `claimRun`, so that an idle installation writes nothing. */
async function readNamesNotDue(client: pg.Client, schedules: Schedule[], now: Date): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select name from jobs.schedules join unnest($2::text[], $3::timestamptz[]) as known (name, latest_due_at) using (name)
     where due_at > $1 and (due_at <= latest_due_at or due_at = 'infinity')`,
    [now.toISOString(), schedules.map(({ name }) => name), schedules.map((schedule) => toLatestDueTime(schedule, now))],
  )
  return rows.map(({ name }) => name)
}

/**
 * Sets the next due time. Returns false when another process has set it first. `roundTime`: when the worker looked for due schedules. A later
 * time may be after the next due time, and a schedule that is due every two seconds would then miss the next round.
 */
async function claimRun(pool: pg.Pool, schedule: Schedule, roundTime: Date): Promise<boolean> {
  const everyMs = schedule.everySeconds * 1000
  const nextDue = new Date((Math.floor(roundTime.getTime() / everyMs) + 1) * everyMs)
  const { rowCount } = await pool.query(
    `insert into jobs.schedules as schedule (name, due_at) values ($1, $2)
     on conflict (name) do update set due_at = excluded.due_at
     where schedule.due_at <= $3 or (schedule.due_at > $4 and schedule.due_at < 'infinity')`,
    [schedule.name, nextDue.toISOString(), roundTime.toISOString(), toLatestDueTime(schedule, roundTime)],
  )
  return rowCount === 1
}

/**
 * Returns the latest due time that a process with a right clock can have stored. A later one was stored while a clock was ahead, for example
 * before the time server was reached. It counts as due, or the schedule would stop until then. The time `infinity` was not computed from a
 * clock and always means never; tests store it for the schedules that they start themselves.
 */
const toLatestDueTime = ({ everySeconds }: Schedule, now: Date): string =>
  new Date(now.getTime() + everySeconds * 1000 + maxClockDifferenceMs).toISOString()

import type pg from 'pg'
import type { FastifyBaseLogger } from 'fastify'

/** Work that runs in one of the processes at each due time. */
export type Schedule = {
  name: string
  /** The due times are the multiples of this number since 1970 UTC. */
  everySeconds: number
  /**
   * Returns whether there is work; if not, the due time passes without a write. A schedule that is due each second needs it, so that an
   * idle installation writes nothing.
   */
  hasWork?: () => Promise<boolean>
  /** Does the work. The signal aborts when the server stops. A run that fails or is aborted is not retried before the next due time. */
  run: (signal: AbortSignal) => Promise<unknown>
}

type Options = {
  schedules: Schedule[]
  /** The unfinished runs in this process, by the name of the schedule. */
  running: Map<string, Promise<void>>
  log: Pick<FastifyBaseLogger, 'error'>
  now: Date
}

/** Starts the due schedules, except those that another process has started or that this process is still running. */
export async function runDueSchedules(client: pg.Client, { schedules, running, log, now }: Options, signal: AbortSignal): Promise<void> {
  const notDue = await readNamesNotDue(client, now)
  for (const schedule of schedules) {
    const { name } = schedule
    if (notDue.includes(name) || running.has(name)) continue
    if (schedule.hasWork && !(await schedule.hasWork())) continue
    if (!(await claimRun(client, schedule, now))) continue
    const ended = run(schedule).finally(() => running.delete(name))
    running.set(name, ended)
  }

  async function run({ name, run: work }: Schedule): Promise<void> {
    try {
      await work(signal)
    } catch (error) {
      if (!signal.aborted) log.error({ err: error, schedule: name }, 'schedules: failed')
    }
  }
}

/** Returns the names of the schedules that are not due. They are read before `claimRun`, so that an idle installation writes nothing. */
async function readNamesNotDue(client: pg.Client, now: Date): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from jobs.schedules where due_at > $1', [now.toISOString()])
  return rows.map(({ name }) => name)
}

/** Sets the next due time. Returns false when another process has set it first. */
async function claimRun(client: pg.Client, { name, everySeconds }: Schedule, now: Date): Promise<boolean> {
  const everyMs = everySeconds * 1000
  const nextDue = new Date((Math.floor(now.getTime() / everyMs) + 1) * everyMs)
  const { rowCount } = await client.query(
    `insert into jobs.schedules as schedule (name, due_at) values ($1, $2)
     on conflict (name) do update set due_at = excluded.due_at where schedule.due_at <= $3`,
    [name, nextDue.toISOString(), now.toISOString()],
  )
  return rowCount === 1
}

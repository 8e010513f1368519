import { freeLostJobs } from '../jobs/store.ts'
import { countOf, error, ok, warning, type CheckContext, type Finding } from './check.ts'

/**
 * The state of the queue. `stuck`: jobs that were taken by a process that has ended. `oldest`: when the oldest due job was added.
 * `isRunning`: a Foyer server uses the database. `overdue`: the names of schedules that should have run more than two hours ago.
 */
type JobFacts = {
  failed: number
  failedTypes: string | null
  stuck: number
  waiting: number
  oldest: Date | null
  isRunning: boolean
  overdue: string | null
}

const minuteMs = 60_000
const maxWaitMs = 60 * minuteMs

/** Checks for failed jobs, for jobs of killed processes, and for jobs and schedules that wait although Foyer runs. */
export async function checkJobs({ tableOwner, now, repairs }: CheckContext): Promise<Finding[]> {
  const { rows } = await tableOwner.query<JobFacts>(
    `select
       (select count(*)::int from jobs.jobs where failed_at is not null) as failed,
       (select string_agg(distinct type, ', ') from jobs.jobs where failed_at is not null) as "failedTypes",
       (select count(*)::int from jobs.jobs where taken_by is not null and not jobs.is_alive(taken_by)) as stuck,
       (select count(*)::int from jobs.jobs where taken_by is null and failed_at is null) as waiting,
       (select min(added_at) from jobs.jobs where taken_by is null and failed_at is null and run_at <= $1) as oldest,
       exists (select from pg_stat_activity where application_name = 'foyer jobs' and datname = current_database()) as "isRunning",
       (select string_agg(name, ', ') from jobs.schedules where due_at < $1::timestamptz - interval '2 hours') as overdue`,
    [now],
  )
  const [facts] = rows
  if (!facts) return [error('The database sent no rows.')]
  const findings: Finding[] = []
  if (facts.failed > 0)
    findings.push(
      warning(
        `${countOf(facts.failed, 'job')} failed (${facts.failedTypes}). The table jobs.jobs has the errors, and forgets them after 30 days.`,
      ),
    )
  if (facts.stuck > 0) findings.push(await reportStuckJobs())
  const waitedMs = facts.oldest ? now.getTime() - facts.oldest.getTime() : 0
  if (facts.isRunning && waitedMs > maxWaitMs)
    findings.push(
      warning(
        `${countOf(facts.waiting, 'job')} waiting, the oldest for ${Math.round(waitedMs / minuteMs)} minutes. Look at the log of Foyer.`,
      ),
    )
  if (facts.isRunning && facts.overdue !== null) findings.push(warning(`Work is overdue: ${facts.overdue}. Look at the log of Foyer.`))
  return findings.length > 0 ? findings : [ok(`${countOf(facts.waiting, 'job')} waiting, none failed.`)]

  async function reportStuckJobs(): Promise<Finding> {
    const count = facts?.stuck ?? 0
    if (!repairs)
      return warning(
        `${countOf(count, 'job of a killed process is', 'jobs of a killed process are')} not running. Start Foyer, or run npm run doctor -- --repair.`,
      )
    await freeLostJobs(tableOwner, now)
    return warning(`Repaired: ${countOf(count, 'job of a killed process waits', 'jobs of a killed process wait')} again.`)
  }
}

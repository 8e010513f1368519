// Everything that runs by the clock.
import type pg from 'pg'
import type { Clock } from './platform/jobs/worker.ts'
import { ensurePartitions, purge } from './platform/journal/purge.ts'

const hour = 60 * 60

/** One process of all wins each due time. Works as the role that owns the tables, for all owners together. */
export const clocks = (bookkeeping: pg.Pool): Clock[] => [
  { name: 'journal partitions', everySeconds: 24 * hour, run: () => ensurePartitions(bookkeeping) },
  { name: 'journal purge', everySeconds: 24 * hour, run: () => purge(bookkeeping) },
  {
    name: 'expired sessions, links, counters and failed jobs',
    everySeconds: hour,
    run: async () => {
      await bookkeeping.query('delete from sessions where expires_at < now()')
      await bookkeeping.query('delete from password_resets where expires_at < now()')
      await bookkeeping.query('delete from attempts where resets_at < now()')
      await bookkeeping.query(`delete from jobs.jobs where failed_at < now() - interval '30 days'`)
    },
  },
]

// All work that runs at intervals.
import type pg from 'pg'
import { features } from './features.ts'
import { deletePastAttempts } from './platform/http/limits.ts'
import { deleteOldFailures } from './platform/jobs/store.ts'
import type { Schedule } from './platform/jobs/schedules.ts'
import { ensurePartitions, purge } from './platform/journal/purge.ts'
import { correctRecordSpace } from './platform/journal/record-space.ts'
import { deletePastPageTokens } from './platform/http/visitors/visitors.ts'

const hourSeconds = 60 * 60

/** Returns all schedules. When a schedule is due, one process runs it for all owners, as the role that owns the tables. */
export const listSchedules = (tableOwner: pg.Pool, now: () => Date): Schedule[] => [
  { name: 'journal partitions', everySeconds: 24 * hourSeconds, run: () => ensurePartitions(tableOwner) },
  { name: 'journal purge', everySeconds: 24 * hourSeconds, run: (signal) => purge(tableOwner, now(), signal) },
  { name: 'space of records', everySeconds: 24 * hourSeconds, run: () => correctRecordSpace(tableOwner) },
  // deletes the counters of the request limits; the name is stored in the database, so it keeps its old wording
  { name: 'counters of tries', everySeconds: hourSeconds, run: () => deletePastAttempts(tableOwner, now()) },
  { name: 'used page tokens', everySeconds: hourSeconds, run: () => deletePastPageTokens(tableOwner, now()) },
  { name: 'failed jobs', everySeconds: hourSeconds, run: () => deleteOldFailures(tableOwner, now()) },
  ...features.flatMap((feature) => feature.schedules?.(tableOwner, now) ?? []),
]

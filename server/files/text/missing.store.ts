import type pg from 'pg'
import { readTextJob } from './text.job.ts'

const rowsPerStatement = 1000
const dayMs = 24 * 60 * 60 * 1000

/**
 * Adds jobs that read the texts of the objects of files without a text: objects from an earlier version of Foyer, which read no texts, and
 * objects whose job has failed because the storage was not available. `tableOwner` connects as the role that owns the tables.
 */
export async function addMissingTextJobs(tableOwner: pg.Pool, now: Date, signal: AbortSignal): Promise<void> {
  let addedCount: number
  do {
    signal.throwIfAborted()
    addedCount = await addJobs(
      tableOwner,
      `insert into object_texts (user_id, id)
       select o.user_id, o.id from stored_objects o
       where exists (select from files f where f.user_id = o.user_id and f.object_id = o.id)
         and not exists (select from object_texts t where t.user_id = o.user_id and t.id = o.id)
       limit ${rowsPerStatement} on conflict do nothing returning user_id, id`,
    )
  } while (addedCount > 0)
  await addJobs(
    tableOwner,
    `update object_texts t set created_at = $2 where state = 'waiting' and created_at < $3
       and not exists (select from jobs.jobs where owner = t.user_id and type = $1 and payload ->> 'object' = t.id::text)
     returning user_id, id`,
    [now, new Date(now.getTime() - dayMs)],
  )
}

/** Adds a job for each row that the statement returns. Returns their number. */
async function addJobs(tableOwner: pg.Pool, statement: string, values: unknown[] = []): Promise<number> {
  const { rowCount } = await tableOwner.query(
    `with rows as (${statement})
     insert into jobs.jobs (owner, type, payload) select user_id, $1, jsonb_build_object('object', id) from rows`,
    [readTextJob.name, ...values],
  )
  return rowCount ?? 0
}

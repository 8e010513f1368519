import type pg from 'pg'
import { undoDays } from '#contract/changes.ts'
import { importJob } from './job/import-job.ts'

/** An import that was not started is deleted after this time. */
const waitingDays = 7

/** Deletes the imports that were not started. The daily cleaning of stored objects deletes their files. */
export async function deleteExpiredImports(tableOwner: pg.Pool, now: Date): Promise<void> {
  await tableOwner.query(
    `delete from imports where status = 'uploaded' and created_at < $1::timestamptz - interval '${waitingDays} days'`,
    [now],
  )
}

/** Deletes the rows that failed or were skipped, after the time in which the import can be undone. */
export async function deleteOldReportRows(tableOwner: pg.Pool, now: Date): Promise<void> {
  await tableOwner.query(
    `delete from import_rows r using imports i
     where i.user_id = r.user_id and i.id = r.import_id and i.finished_at < $1::timestamptz - interval '${undoDays} days'`,
    [now],
  )
}

/** Ends the imports whose job is not retried any more, because such a job cannot end its import. */
export async function endAbandonedImports(tableOwner: pg.Pool): Promise<void> {
  await tableOwner.query(
    `with ended as (
       update imports i set status = 'failed', finished_at = now(), object_id = null, found = jsonb_set(found, '{preview}', '[]'),
         problem = 'The import broke off because of an error of the server. The rows so far were imported.'
       where status = 'running' and not exists (
         select from jobs.jobs j where j.owner = i.user_id and j.type = $1 and j.key = i.change_id::text and j.failed_at is null)
       returning user_id, id, change_id
     ), unlinked as (
       delete from import_links l using ended e where l.user_id = e.user_id and l.import_id = e.id
     ), closed as (
       update change_groups g set finished_at = now() from ended e where g.user_id = e.user_id and g.id = e.change_id and g.finished_at is null
     )
     update changesets c set label = replace(c.label, 'Importing', 'Imported') from ended e where c.user_id = e.user_id and c.id = e.change_id`,
    [importJob.name],
  )
}

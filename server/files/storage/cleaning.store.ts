import type pg from 'pg'

/** The number of rows that one statement deletes. */
const rowsPerStatement = 1000

/** Deletes the uploads whose seven days are over. `tableOwner` connects as the role that owns the tables. */
export const deleteExpiredUploads = (tableOwner: pg.Pool, now: Date): Promise<void> =>
  deleteInBatches(
    tableOwner,
    `delete from uploads where ctid = any(array(select ctid from uploads where expires_at < $1 limit ${rowsPerStatement}))`,
    [now],
  )

/** Deletes the zips that can no longer be downloaded. */
export const deleteExpiredZips = (tableOwner: pg.Pool, now: Date): Promise<void> =>
  deleteInBatches(
    tableOwner,
    `delete from zips where ctid = any(array(select ctid from zips where expires_at < $1 limit ${rowsPerStatement}))`,
    [now],
  )

/**
 * Deletes the stored objects that no file has and that no undo needs. An undo needs an object as long as the journal has the values of a
 * deleted file with this object. The purge removes these values after 30 days, and erasing a file removes them immediately. Triggers add
 * the jobs that delete the bytes.
 */
export const deleteUnneededObjects = (tableOwner: pg.Pool): Promise<void> =>
  deleteInBatches(
    tableOwner,
    `delete from stored_objects d using (
       select o.user_id, o.id from stored_objects o
       where not exists (select from files f where f.user_id = o.user_id and f.object_id = o.id)
         and not exists (select from journal j where j.user_id = o.user_id and j.operation = 'D'
           and j.before ->> 'object_id' is not null and j.before ->> 'object_id' = o.id::text)
       limit ${rowsPerStatement}
     ) unneeded
     where d.user_id = unneeded.user_id and d.id = unneeded.id`,
  )

async function deleteInBatches(tableOwner: pg.Pool, text: string, values: unknown[] = []): Promise<void> {
  let deleted: number
  do deleted = (await tableOwner.query(text, values)).rowCount ?? 0
  while (deleted === rowsPerStatement)
}

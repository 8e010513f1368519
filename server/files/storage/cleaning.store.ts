import type pg from 'pg'

/** The number of rows that one statement deletes. */
const rowsPerStatement = 1000
/** Stored bytes that are younger, in milliseconds, may belong to a row that is not written yet. */
export const graceMs = 24 * 60 * 60 * 1000

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
 * Deletes the stored objects that are older than a day and that no row and no undo needs. An object is needed by each row that refers to it
 * with a foreign key without ON DELETE, such as a file. An undo needs the object as long as the journal has the values of a deleted file
 * with this object. The purge removes these values after 30 days, and erasing a file removes them immediately. Triggers add the jobs that
 * delete the bytes.
 */
export async function deleteUnneededObjects(tableOwner: pg.Pool, now: Date): Promise<void> {
  const references = await readReferences(tableOwner)
  const unreferencedSql = references
    .map(({ table, column }) => `not exists (select from ${table} r where r.user_id = o.user_id and r.${column} = o.id)`)
    .join(' and ')
  await deleteInBatches(
    tableOwner,
    `delete from stored_objects d using (
       select o.user_id, o.id from stored_objects o
       where o.created_at < $1 and ${unreferencedSql}
         and not exists (select from journal j where j.user_id = o.user_id and j.operation = 'D'
           and j.before ->> 'object_id' is not null and j.before ->> 'object_id' = o.id::text)
       limit ${rowsPerStatement}
     ) unneeded
     where d.user_id = unneeded.user_id and d.id = unneeded.id`,
    [new Date(now.getTime() - graceMs)],
  )
}

/** Returns the quoted names of the tables and columns with foreign keys that prevent the deletion of a stored object. */
async function readReferences(tableOwner: pg.Pool): Promise<{ table: string; column: string }[]> {
  const { rows } = await tableOwner.query<{ table: string; column: string }>(
    `select k.conrelid::regclass::text as "table", quote_ident(a.attname) as "column"
     from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any(k.conkey) and a.attname <> 'user_id'
     where k.contype = 'f' and k.confrelid = 'stored_objects'::regclass and k.confdeltype = 'a'`,
  )
  if (rows.length === 0) throw new Error('No table refers to stored objects')
  return rows
}

async function deleteInBatches(tableOwner: pg.Pool, text: string, values: unknown[]): Promise<void> {
  let deletedCount: number
  do deletedCount = (await tableOwner.query(text, values)).rowCount ?? 0
  while (deletedCount === rowsPerStatement)
}

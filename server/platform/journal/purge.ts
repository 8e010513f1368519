import type pg from 'pg'

/** Makes the journal's partitions of the coming months. Without them rows go into the default partition, which works but never shrinks. */
export async function ensurePartitions(owner: pg.Pool): Promise<void> {
  await owner.query('select app.make_journal_partitions()')
}

/**
 * Takes the values out of the journal that are too old for undo; who changed which columns of what stays. A month that is wholly over is
 * written anew, so that the disk gets its space back. `owner` is a pool of the role that owns the tables.
 */
export async function purge(owner: pg.Pool, now: Date = new Date()): Promise<void> {
  const { rows: partitions } = await owner.query<{ name: string; over: boolean }>(
    `select p.name, p.month + interval '1 month' < $1::timestamptz - app.undo_window() as over from (
       select c.relname as name, to_timestamp(substring(c.relname from '^journal_(\\d{6})$') || ' UTC', 'YYYYMM TZ') as month
       from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = 'public.journal'::regclass and obj_description(c.oid) is distinct from 'emptied'
     ) p
     where p.month is null or p.month < $1::timestamptz - app.undo_window() order by p.month`,
    [now],
  )
  for (const { name, over } of partitions) {
    while ((await emptySome(owner, name, now)) > 0);
    if (over) await compact(owner, name)
  }
}

/** In slices, so that nobody waits for it. */
async function emptySome(owner: pg.Pool, partition: string, now: Date): Promise<number> {
  const { rowCount } = await owner.query(
    `update ${partition} j set before = null, after = null,
       columns = case when operation = 'U' then array(select jsonb_object_keys(after)) end
     where ctid = any (array(
       select ctid from ${partition}
       where change < app.uuid_floor($1::timestamptz - app.undo_window()) and (before is not null or after is not null) limit 5000
     ))`,
    [now],
  )
  return rowCount ?? 0
}

async function compact(owner: pg.Pool, partition: string): Promise<void> {
  await owner.query(`vacuum (full, analyze) ${partition}`)
  await owner.query(`comment on table ${partition} is 'emptied'`)
}

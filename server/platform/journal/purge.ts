import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { errorCode } from '#server/platform/error-code.ts'

/** Longest wait for an exclusive lock of the journal: every read and write waits behind it meanwhile. */
const lockTimeoutMs = 200
const lockTries = 5
const pauseBetweenTriesMs = 500
/** Lines that one statement empties; an erase of one of them waits for it. */
const linesPerStatement = 2000

type Partition = { name: string; low: string; high: string; isOver: boolean }

/**
 * Creates the journal's partitions of the coming months. A month without one works, but its rows go to the default partition, which is
 * never compacted. Does nothing while a long transaction reads the journal; the next run tries again.
 */
export async function ensurePartitions(owner: pg.Pool): Promise<void> {
  await onOneConnection(owner, async (client) => {
    await inTransaction(client, () => withExclusiveLocks(client, () => client.query('select app.make_journal_partitions()')))
  })
}

/**
 * Removes the values from the journal that are too old for undo; who changed which columns of which row stays. A month that is wholly
 * over is replaced by a copy without values, so that the disk gets its space back. Nobody waits for it longer than a few lock timeouts;
 * a month that a long transaction reads, such as a backup, is emptied and replaced by a later run. `owner` is a pool of the role that owns the tables.
 */
export async function purge(owner: pg.Pool, now: Date = new Date()): Promise<void> {
  await onOneConnection(owner, async (client) => {
    await client.query('delete from app.journal_erasures')
    for (const partition of await findPartitions(client, now)) {
      const isReplaced = partition.isOver && (await replaceByCopy(client, partition))
      if (!isReplaced) await emptyOldLines(client, partition.name, now)
    }
  })
}

/** Partitions with lines that are too old for undo, without those that are replaced already. The default partition has no bounds. */
async function findPartitions(client: pg.ClientBase, now: Date): Promise<Partition[]> {
  const { rows } = await client.query<Partition>(
    `select p.name, app.uuid_floor(p.month) as low, app.uuid_floor(p.month + interval '1 month') as high,
       coalesce(p.month + interval '1 month' < $1::timestamptz - app.undo_window(), false) as "isOver"
     from (
       select c.relname as name, to_timestamp(substring(c.relname from '^journal_(\\d{6})$') || ' UTC', 'YYYYMM TZ') as month
       from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = 'public.journal'::regclass and obj_description(c.oid) is distinct from 'emptied'
     ) p
     where p.month is null or p.month < $1::timestamptz - app.undo_window() order by p.month`,
    [now],
  )
  return rows
}

/** Empties the lines in the order of the key, a few in each transaction. */
async function emptyOldLines(client: pg.ClientBase, partition: string, now: Date): Promise<void> {
  let last: unknown[] = ['00000000-0000-0000-0000-000000000000', 0, 0]
  for (;;) {
    const { rows } = await client.query<{ change: string; step: string; line: number }>(
      `with old as materialized (
         select change, step, line from ${partition}
         where change < app.uuid_floor($1::timestamptz - app.undo_window()) and (change, step, line) > ($2, $3, $4)
           and (before is not null or after is not null)
         order by change, step, line limit ${linesPerStatement}
       ), emptied as (
         update ${partition} j set before = null, after = null, columns = ${columnsWithoutValues}
         from old where (j.change, j.step, j.line) = (old.change, old.step, old.line)
       )
       select * from old order by change desc, step desc, line desc limit 1`,
      [now, ...last],
    )
    const [newest] = rows
    if (!newest) return
    last = [newest.change, newest.step, newest.line]
  }
}

/** The names of an update's columns; those of lines that were emptied before are stored already. */
const columnsWithoutValues = `case when j.operation = 'U' then coalesce(j.columns, array(select jsonb_object_keys(j.after))) end`

/**
 * Copies a partition without values and swaps the copy in, in one transaction that holds no lock in anybody's way until the swap. Lines of
 * the month are only deleted any more, by erasing: those are deleted from the copy too. Returns false when it never got the locks.
 */
async function replaceByCopy(client: pg.ClientBase, { name, low, high }: Partition): Promise<boolean> {
  const copy = `${name}_copy`
  return inTransaction(client, async () => {
    await client.query(`create table ${copy} (like journal including all,
      check (change is not null and change >= '${low}' and change < '${high}'))`)
    await client.query(`insert into ${copy} (change, step, line, user_id, table_name, row_id, operation, cascade, version, columns)
      select change, step, line, user_id, table_name, row_id, operation, cascade, version, ${columnsWithoutValues} from ${name} j`)
    await client.query(`analyze ${copy}`)
    await client.query(`comment on table ${copy} is 'emptied'`)
    await deleteErased(client, copy)
    await endAutovacuum(client, name)
    return withExclusiveLocks(client, async () => {
      await client.query('lock table only journal in access exclusive mode')
      await client.query(`lock table only ${name} in access exclusive mode`)
      await deleteErased(client, copy)
      await client.query(`alter table journal detach partition ${name}`)
      await client.query(`drop table ${name}`)
      await client.query(`alter table ${copy} rename to ${name}`)
      await client.query(`alter table journal attach partition ${name} for values from ('${low}') to ('${high}')`)
      await client.query(`alter table ${name} drop constraint ${copy}_change_check`)
    })
  })
}

async function deleteErased(client: pg.ClientBase, copy: string): Promise<void> {
  await client.query(`with erased as (delete from app.journal_erasures returning user_id, row_id)
    delete from ${copy} j using erased e where j.user_id = e.user_id and (e.row_id is null or j.row_id = e.row_id)`)
}

/** Waits for this lock end an autovacuum of the partition, and nobody else waits for it; the exclusive lock then need not. */
async function endAutovacuum(client: pg.ClientBase, partition: string): Promise<void> {
  await client.query(`set local lock_timeout = '10s'`)
  await client.query(`lock table only ${partition} in share update exclusive mode`)
}

/**
 * Does short work that needs exclusive locks of the journal, inside the open transaction; gives the locks back and tries again when it
 * does not get all of them in time. Returns false when it never got them.
 */
async function withExclusiveLocks(client: pg.ClientBase, work: () => Promise<unknown>): Promise<boolean> {
  for (let tries = 1; tries <= lockTries; tries++) {
    await client.query('savepoint before_locks')
    try {
      await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
      await work()
      return true
    } catch (error) {
      if (errorCode(error) !== '55P03') throw error
      await client.query('rollback to before_locks')
      await sleep(pauseBetweenTriesMs)
    }
  }
  return false
}

/** Commits when the work returns true; else everything is rolled back. Returns what the work returned. */
async function inTransaction(client: pg.ClientBase, work: () => Promise<boolean>): Promise<boolean> {
  await client.query('begin')
  try {
    const isDone = await work()
    await client.query(isDone ? 'commit' : 'rollback')
    return isDone
  } catch (error) {
    await client.query('rollback').catch(() => {}) // the connection may be lost; the first error matters
    throw error
  }
}

async function onOneConnection(pool: pg.Pool, work: (client: pg.ClientBase) => Promise<void>): Promise<void> {
  const client = await pool.connect()
  try {
    await work(client)
  } finally {
    client.release()
  }
}

// Removes old values from the journal, and creates the partitions of its coming months.
// A journal line is the change of one row; `step` is the number of the statement, and `line` is the number of the row in this statement.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { lowestId } from '#server/platform/database/uuid.ts'
import { errorCode } from '#server/platform/error-code.ts'

/**
 * The timeout of an exclusive lock on the journal. It is short, because all later reads and writes of the journal wait for this lock too.
 */
const lockTimeoutMs = 200
/** The error codes of PostgreSQL for a lock timeout and for a deadlock. */
const lockFailures = ['55P03', '40P01']
const maxLockAttempts = 5
const retryDelayMs = 500
/** The number of lines that one statement empties. An erase of one of these lines waits until the statement has finished. */
const linesPerStatement = 2000

/** `isExpired`: all values in the partition are too old for undo. */
type Partition = { name: string; lowerBound: string; upperBound: string; isExpired: boolean }

/**
 * Creates the journal's partitions of the coming months. The rows of a month without a partition are stored in the default partition,
 * which `purge` never replaces by a smaller copy. Does nothing while a long transaction reads the journal; the next run tries again.
 */
export async function ensurePartitions(tableOwner: pg.Pool): Promise<void> {
  await withConnection(tableOwner, undefined, async (client) => {
    await inTransaction(client, () => withExclusiveLocks(client, () => client.query('select app.make_journal_partitions()')))
  })
}

/**
 * Removes values that are too old for undo from the journal; the actor, the row and the names of the columns are kept. The partition of a
 * past month is replaced by a copy without values, which frees disk space. Other transactions wait at most a few lock timeouts. While a
 * long transaction, such as a backup, reads a partition, only its values are removed, and a later run replaces it. `tableOwner` must
 * connect as the role that owns the tables. Rejects when the signal aborts; the next run continues. SQL: `app.undo_window()` is 30 days,
 * `app.uuid_floor` is the smallest id of a time, and the table comment 'emptied' marks a partition that was replaced.
 */
export async function purge(tableOwner: pg.Pool, now: Date = new Date(), signal?: AbortSignal): Promise<void> {
  await withConnection(tableOwner, signal, async (client) => {
    await client.query('delete from app.journal_erasures')
    for (const partition of await findPartitions(client, now)) {
      const isReplaced = partition.isExpired && (await replaceByCopy(client, partition))
      if (!isReplaced) await emptyOldLines(client, partition.name, now)
    }
  })
}

/**
 * Returns the partitions that may contain values too old for undo and are not replaced yet. The default partition has no bounds. SQL
 * aliases: `i` connects the journal with its partitions, `c` is the table of a partition, `p` its name and month.
 */
async function findPartitions(client: pg.ClientBase, now: Date): Promise<Partition[]> {
  const { rows } = await client.query<Partition>(
    `select p.name, app.uuid_floor(p.month) as "lowerBound", app.uuid_floor(p.month + interval '1 month') as "upperBound",
       coalesce(p.month + interval '1 month' < $1::timestamptz - app.undo_window(), false) as "isExpired"
     from (
       select c.relname as name, -- 'journal_202601' is the partition of January 2026
         to_timestamp(substring(c.relname from '^journal_(\\d{6})$') || ' UTC', 'YYYYMM TZ') as month
       from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = 'public.journal'::regclass and obj_description(c.oid) is distinct from 'emptied'
     ) p
     where p.month is null or p.month < $1::timestamptz - app.undo_window() order by p.month`,
    [now],
  )
  return rows
}

/** Removes old values in the order of the primary key, in batches of one transaction each. */
async function emptyOldLines(client: pg.ClientBase, partition: string, now: Date): Promise<void> {
  let lastKey: unknown[] = [lowestId, 0, 0]
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
      [now, ...lastKey],
    )
    const [newest] = rows
    if (!newest) return
    lastKey = [newest.change, newest.step, newest.line]
  }
}

/** SQL for the names of the columns that an update changed. Lines without values already contain these names. */
const columnsWithoutValues = `case when j.operation = 'U' then coalesce(j.columns, array(select jsonb_object_keys(j.after))) end`

/**
 * Replaces a partition by a copy without values, in one transaction. It takes exclusive locks only for the replacement. While it copies,
 * lines of a past month can be erased but not changed; erased lines are deleted from the copy too. Returns false if it did not get the
 * locks.
 */
async function replaceByCopy(client: pg.ClientBase, { name, lowerBound, upperBound }: Partition): Promise<boolean> {
  const copy = `${name}_copy`
  return inTransaction(client, async () => {
    await client.query(`create table ${copy} (like journal including all,
      check (change is not null and change >= '${lowerBound}' and change < '${upperBound}'))`)
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
      await client.query(`alter table journal attach partition ${name} for values from ('${lowerBound}') to ('${upperBound}')`)
      await client.query(`alter table ${name} drop constraint ${copy}_change_check`)
    })
  })
}

/** Deletes from the copy the rows that `app.journal_erasures` names as erased. An entry without `row_id` names all rows of the owner. */
async function deleteErased(client: pg.ClientBase, copy: string): Promise<void> {
  await client.query(`with erased as (delete from app.journal_erasures returning user_id, row_id)
    delete from ${copy} j using erased e where j.user_id = e.user_id and (e.row_id is null or j.row_id = e.row_id)`)
}

/**
 * Takes a lock for which PostgreSQL cancels an autovacuum of the partition, so that the exclusive lock later does not have to wait for the
 * autovacuum. Reads and writes do not wait for this lock.
 */
async function endAutovacuum(client: pg.ClientBase, partition: string): Promise<void> {
  await client.query(`set local lock_timeout = '10s'`)
  await client.query(`lock table only ${partition} in share update exclusive mode`)
}

/**
 * Runs short work that takes exclusive locks on the journal, inside the open transaction. After a lock timeout or a deadlock it releases
 * all locks and tries again. Returns false if it did not get the locks in any attempt.
 */
async function withExclusiveLocks(client: pg.ClientBase, work: () => Promise<unknown>): Promise<boolean> {
  for (let attempt = 1; attempt <= maxLockAttempts; attempt++) {
    await client.query('savepoint before_locks')
    try {
      await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
      await work()
      return true
    } catch (error) {
      if (!lockFailures.includes(errorCode(error))) throw error
      await client.query('rollback to before_locks')
      await sleep(retryDelayMs)
    }
  }
  return false
}

/** Commits if the work returns true, otherwise rolls back. Returns the result of the work. */
async function inTransaction(client: pg.ClientBase, work: () => Promise<boolean>): Promise<boolean> {
  await client.query('begin')
  try {
    const mustCommit = await work()
    await client.query(mustCommit ? 'commit' : 'rollback')
    return mustCommit
  } catch (error) {
    await client.query('rollback').catch(() => {}) // the connection may be lost; the first error is reported
    throw error
  }
}

/** Closes the connection when the signal aborts, because a statement of the purge may take minutes. */
async function withConnection(
  pool: pg.Pool,
  signal: AbortSignal | undefined,
  work: (client: pg.ClientBase) => Promise<void>,
): Promise<void> {
  const client = await pool.connect()
  let isReleased = false
  const release = (mustClose: boolean): void => {
    if (!isReleased) client.release(mustClose)
    isReleased = true
  }
  const disconnect = (): void => release(true)
  signal?.addEventListener('abort', disconnect)
  try {
    signal?.throwIfAborted()
    await work(client)
  } finally {
    signal?.removeEventListener('abort', disconnect)
    release(false)
  }
}

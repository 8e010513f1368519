import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '#server/testing/workspace.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { readColumnChanges, findEarlierWrite, readTimeline, readTrash } from './history.ts'
import { ensurePartitions, purge } from './purge.ts'
import { restore, undo } from './undo.ts'

// A journal line is the change of one row; its values are the row before and after. The journal has a partition for each month.

let workspace: Workspace
beforeEach(async () => {
  workspace = await openWorkspace()
  return workspace.stop
})

test('a purge removes values that are older than 30 days, and keeps actors and names of columns', async () => {
  const caller = await workspace.newOwner()
  await workspace.change(caller, 'Added', () => sql(`insert into crm_contacts (id, first_name) values ($1, 'Ada')`, [ada]))
  const editChange = await workspace.change(caller, 'Edited', () => sql(`update crm_contacts set first_name = 'Augusta', phone = '1'`))
  await workspace.change(caller, 'Deleted', () => sql('delete from crm_contacts'))
  await purge(workspace.tableOwner, inDays(29))
  expect(await countLinesWithValues(caller)).toBe(3) // added, edited, deleted
  await purge(workspace.tableOwner, inDays(31))
  expect(await countLinesWithValues(caller)).toBe(0)

  const { rows } = await workspace.database.read(caller, () => readTimeline(caller.owner, ada, undefined, 10))
  expect(rows.map(({ operation }) => operation)).toEqual(['deleted', 'updated', 'created'])
  expect(rows[1]?.columns.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
    { name: 'first_name', before: null, after: null },
    { name: 'phone', before: null, after: null },
  ])
  const changes = await workspace.database.read(caller, () => readColumnChanges(caller.owner, 'crm_contacts', ada, 1))
  expect(changes.map(({ column }) => column)).toEqual(['first_name', 'phone'])
  expect((await workspace.database.read(caller, () => readTrash(caller.owner, undefined, 10))).rows).toEqual([])
  await expect(workspace.change(caller, 'Undone', () => undo(editChange))).rejects.toMatchObject({ code: 'too_old' })
  await expect(workspace.change(caller, 'Restored', () => restore(ada))).rejects.toMatchObject({ code: 'too_old' })
})

test('the partition of a past month is replaced by a copy without values, and the next purge does not replace it again', async () => {
  const caller = await workspace.newOwner()
  await workspace.change(caller, 'Imported', () => sql(`insert into crm_contacts (first_name) select 'C' from generate_series(1, 6000)`))
  const size = await measureDiskUse()
  await purge(workspace.tableOwner, inDays(70)) // more than a month and 30 days, so all values of this month can be removed
  expect(await countLinesWithValues(caller)).toBe(0)
  expect(await measureDiskUse()).toBeLessThan(size / 2)
  const replaced = await countReplacedPartitions()
  await purge(workspace.tableOwner, inDays(70))
  expect(await countReplacedPartitions()).toBe(replaced)
})

test('a purge that waits for a lock ends when its signal aborts', async () => {
  const caller = await workspace.newOwner()
  await workspace.change(caller, 'Added', () => sql(`insert into crm_contacts (first_name) values ('Ada')`))
  /** A connection that holds a lock for which the purge waits. */
  const holder = await workspace.tableOwner.connect()
  await holder.query('begin; lock table journal')
  const stopping = new AbortController()
  const purging = purge(workspace.tableOwner, inDays(31), stopping.signal)
  await expect.poll(async () => (await holder.query(`select from pg_locks where not granted`)).rowCount).toBe(1)
  stopping.abort(new Error('The server stops'))
  await expect(purging).rejects.toThrow('Connection terminated')
  await holder.query('rollback')
  holder.release()
})

test('partitions of the coming months exist, and a month without a partition loses no rows', async () => {
  const caller = await workspace.newOwner()
  expect(await readPartitions()).toHaveLength(5) // four months and the default partition
  // drops the partitions of all months
  await workspace.tableOwner.query(`do $$ declare name text; begin
    for name in select inhrelid::regclass from pg_inherits where inhparent = 'journal'::regclass and inhrelid <> 'journal_default'::regclass loop
      execute 'drop table ' || name;
    end loop; end $$`)
  await workspace.change(caller, 'Added', () => sql(`insert into crm_contacts (first_name) values ('Ada')`))
  await Promise.all([ensurePartitions(workspace.tableOwner), ensurePartitions(workspace.tableOwner)])
  // the partition of this month cannot be created, because its rows are in the default partition
  expect(await readPartitions()).toHaveLength(4)
  await workspace.change(caller, 'Edited', () => sql(`update crm_contacts set phone = '1'`))
  expect(await countLinesWithValues(caller)).toBe(2)
})

test(
  'reads and writes of the journal wait less than 2 s during a purge, even while a transaction reads it',
  { timeout: 300_000 },
  async () => {
    const caller = await workspace.newOwner()
    await workspace.change(caller, 'Imported', () => sql(`insert into crm_contacts (first_name) select 'C' from generate_series(1, 3000)`))
    const reader = await workspace.tableOwner.connect()
    await reader.query('begin isolation level repeatable read read only')
    await reader.query('select count(*) from journal')
    let isOver = false
    const waits: number[] = []
    const measureWaits = async (work: () => Promise<unknown>): Promise<void> => {
      while (!isOver) {
        const start = performance.now()
        await work()
        waits.push(performance.now() - start)
      }
    }
    const write = () => workspace.change(caller, 'Edited', () => sql('update profiles set full_name = $1', [newId()]))
    const read = () => workspace.database.read(caller, () => findEarlierWrite(caller.owner, 'k1'))
    const running = [measureWaits(write), measureWaits(write), measureWaits(read)]
    const purging = purge(workspace.tableOwner, inDays(70))
    await Promise.race([purging, sleep(8000)])
    isOver = true
    await Promise.all(running)
    expect(Math.max(...waits)).toBeLessThan(2000)
    expect(await countReplacedPartitions()).toBe(0) // a later run replaces them, because the open reader holds a lock

    await reader.query('commit')
    reader.release()
    await purging
    await purge(workspace.tableOwner, inDays(70))
    expect(await countReplacedPartitions()).toBeGreaterThan(0)
    expect(await countLinesWithValues(caller)).toBe(0)
  },
)

test('rows that are erased while their partition is copied are not in the copy', async () => {
  const [caller, other] = [await workspace.newOwner(), await workspace.newOwner()]
  for (const writer of [caller, other])
    await workspace.change(writer, 'Added', () => sql(`insert into crm_contacts (first_name) values ('Ada')`))
  const erasingClient = await workspace.application.connect()
  await erasingClient.query('begin')
  await erasingClient.query(`select set_config('app.owner', $1, true), set_config('app.actor', $2, true)`, [caller.owner, caller.actor])
  await erasingClient.query('select app.delete_account()')
  const purging = purge(workspace.tableOwner, inDays(70))
  await expect.poll(isWaitingForLock).toBe(true)
  await erasingClient.query('commit')
  erasingClient.release()
  await purging
  const { rows } = await workspace.tableOwner.query('select distinct user_id from journal')
  expect(rows).toEqual([{ user_id: other.owner }])
  expect(await countLinesWithValues(other)).toBe(0)
})

/** Whether exactly one connection waits for a lock. */
async function isWaitingForLock(): Promise<boolean> {
  const { rowCount } = await workspace.tableOwner.query(
    'select from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.datname = current_database()',
  )
  return rowCount === 1
}

const ada = '00000000-0000-7000-8000-000000000001'

const inDays = (days: number): Date => new Date(Date.now() + days * 24 * 60 * 60 * 1000)

async function countLinesWithValues({ owner }: Caller): Promise<number> {
  return (
    (await workspace.tableOwner.query('select from journal where user_id = $1 and (before is not null or after is not null)', [owner]))
      .rowCount ?? 0
  )
}

/** Counts the partitions that were replaced by a copy, which has the table comment 'emptied'. */
async function countReplacedPartitions(): Promise<number> {
  return (await workspace.tableOwner.query(`select from pg_class where obj_description(oid, 'pg_class') = 'emptied'`)).rowCount ?? 0
}

async function readPartitions(): Promise<unknown[]> {
  return (await workspace.tableOwner.query(`select from pg_inherits where inhparent = 'journal'::regclass`)).rows
}

async function measureDiskUse(): Promise<number> {
  const { rows } = await workspace.tableOwner.query<{ bytes: number }>(
    `select sum(pg_table_size(inhrelid))::int as bytes from pg_inherits where inhparent = 'journal'::regclass`,
  )
  return rows[0]?.bytes ?? 0
}

import { beforeEach, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '#server/testing/workspace.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { changedSince, timeline, trash } from './history.ts'
import { ensurePartitions, purge } from './purge.ts'
import { restore, undo } from './undo.ts'

let workspace: Workspace
beforeEach(async () => {
  workspace = await openWorkspace()
  return workspace.stop
})

test('after 30 days values are gone and nothing comes back, but who changed what stays', async () => {
  const caller = await workspace.newOwner()
  await workspace.change(caller, 'Added', () => sql(`insert into crm_contacts (id, first_name) values ($1, 'Ada')`, [ada]))
  const edited = await workspace.change(caller, 'Edited', () => sql(`update crm_contacts set first_name = 'Augusta', phone = '1'`))
  await workspace.change(caller, 'Deleted', () => sql('delete from crm_contacts'))
  await purge(workspace.owner, inDays(29))
  expect(await valuesOf(caller)).toBe(3)
  await purge(workspace.owner, inDays(31))
  expect(await valuesOf(caller)).toBe(0)

  const { rows } = await workspace.database.read(caller, () => timeline(caller.owner, ada, undefined, 10))
  expect(rows.map(({ operation }) => operation)).toEqual(['deleted', 'updated', 'created'])
  expect(rows[1]?.columns.toSorted((one, other) => one.name.localeCompare(other.name))).toEqual([
    { name: 'first_name', before: null, after: null },
    { name: 'phone', before: null, after: null },
  ])
  const changes = await workspace.database.read(caller, () => changedSince(caller.owner, 'crm_contacts', ada, 1))
  expect(changes.map(({ column }) => column)).toEqual(['first_name', 'phone'])
  expect((await workspace.database.read(caller, () => trash(caller.owner, undefined, 10))).rows).toEqual([])
  await expect(workspace.change(caller, 'Undone', () => undo(edited))).rejects.toMatchObject({ code: 'too_old' })
  await expect(workspace.change(caller, 'Restored', () => restore(ada))).rejects.toMatchObject({ code: 'too_old' })
})

test('a month that is wholly over is written anew once, and others are not', async () => {
  const caller = await workspace.newOwner()
  await workspace.change(caller, 'Imported', () => sql(`insert into crm_contacts (first_name) select 'C' from generate_series(1, 6000)`))
  const size = await diskUse()
  await purge(workspace.owner, inDays(70))
  expect(await valuesOf(caller)).toBe(0)
  expect(await diskUse()).toBeLessThan(size / 2)
  const { rows } = await workspace.owner.query(`select count(*)::int as count from pg_class where obj_description(oid) = 'emptied'`)
  await purge(workspace.owner, inDays(70))
  expect(rows[0]).toEqual(
    await workspace.owner
      .query(`select count(*)::int as count from pg_class where obj_description(oid) = 'emptied'`)
      .then((again) => again.rows[0]),
  )
})

test('partitions stand ahead, and a month without one loses nothing', async () => {
  const caller = await workspace.newOwner()
  expect(await partitions()).toHaveLength(5)
  await workspace.owner.query(`do $$ declare name text; begin
    for name in select inhrelid::regclass from pg_inherits where inhparent = 'journal'::regclass and inhrelid <> 'journal_default'::regclass loop
      execute 'drop table ' || name;
    end loop; end $$`)
  await workspace.change(caller, 'Added', () => sql(`insert into crm_contacts (first_name) values ('Ada')`))
  await Promise.all([ensurePartitions(workspace.owner), ensurePartitions(workspace.owner)])
  expect(await partitions()).toHaveLength(4) // this month's rows are in the default partition already
  await workspace.change(caller, 'Edited', () => sql(`update crm_contacts set phone = '1'`))
  expect(await valuesOf(caller)).toBe(2)
})

const ada = '00000000-0000-7000-8000-000000000001'

const inDays = (days: number): Date => new Date(Date.now() + days * 24 * 60 * 60 * 1000)

async function valuesOf({ owner }: Caller): Promise<number> {
  return (
    (await workspace.owner.query('select from journal where user_id = $1 and (before is not null or after is not null)', [owner]))
      .rowCount ?? 0
  )
}

async function partitions(): Promise<unknown[]> {
  return (await workspace.owner.query(`select from pg_inherits where inhparent = 'journal'::regclass`)).rows
}

async function diskUse(): Promise<number> {
  const { rows } = await workspace.owner.query<{ bytes: number }>(
    `select sum(pg_table_size(inhrelid))::int as bytes from pg_inherits where inhparent = 'journal'::regclass`,
  )
  return rows[0]?.bytes ?? 0
}

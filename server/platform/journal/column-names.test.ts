import { beforeAll, expect, test } from 'vitest'
import { undoChange } from '#server/testing/undo.ts'
import { openWorkspace, type Workspace } from '#server/testing/workspace.ts'
import { sql } from '#server/platform/database/database.ts'

let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace()
  return workspace.stop
})

test('undo is exact for columns that are named like SQL aliases and variables, and for values whose text depends on settings', async () => {
  // names that occur in the SQL of undo and in the triggers of the journal
  const names = [
    'r',
    'n',
    'o',
    'd',
    'k',
    'b',
    'c',
    'v',
    'edit',
    'omitted',
    'generated',
    'row_count',
    'is_own',
    'is_cascade',
    'before',
    'after',
  ]
  await workspace.tableOwner.query(`create table test_names (user_id uuid not null default app.owner() references users on delete cascade,
      id uuid not null default uuidv7(), updated_at timestamptz not null default now(), version int not null default 1,
      days daterange, ratio float8, ${names.map((name) => `${name} text`).join(', ')}, primary key (user_id, id));
    grant select, insert, update, delete on test_names to foyer_app;
    select app.attach_touch('test_names'), app.attach_journal('test_names')`)
  const caller = await workspace.newOwner()
  const readRows = () => workspace.database.read(caller, () => sql(`select ${names.join()}, days, ratio from test_names`))
  // with these settings, dates and fractions are written in another format than in the journal
  const settings = `select set_config('datestyle', 'SQL, DMY', true), set_config('extra_float_digits', '-15', true)`
  const write = (text: string) => workspace.change(caller, 'Written', () => Promise.all([sql(settings), sql(text)]))
  await write(`insert into test_names (days, ratio, ${names.join()}) select '[2026-03-04,2026-05-06)', 0.1 + 0.2, ${names.map((name) => `'${name}'`).join()}
    from generate_series(1, 2)`)
  const rows = await readRows()
  const edits = [`days = '[2026-06-07,2026-08-09)', ratio = 0.3`, ...names.map((name) => `${name} = 'edited'`)].join()
  for (const text of [
    // updates one of the two rows
    `update test_names set ${edits} where id = (select min(id::text)::uuid from test_names)`,
    `update test_names set ${edits}`,
    'delete from test_names',
  ]) {
    const change = await write(text)
    expect(await readRows()).not.toEqual(rows)
    expect((await undoChange(workspace.database, caller, change)).skipped).toEqual([])
    expect(await readRows()).toEqual(rows)
  }
})

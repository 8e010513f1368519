import type pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { makeRandomChange } from '#server/testing/random-work.ts'
import { readAllSkippedRows, undoChange as undoInDatabase, type UndoneChange } from '#server/testing/undo.ts'
import { createRandom, type Random } from '#server/testing/random.ts'
import { createLinkedTables, linkedTables } from '#server/testing/linked-tables.ts'
import { findViolations, type Images } from '#server/testing/undo-invariants.ts'
import { openWorkspace, type Workspace } from '#server/testing/workspace.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { closeGroup, openGroup, undoNextOfGroup } from './groups.ts'
import { undo, type UndoResult } from './undo.ts'

const isFull = process.env['FOYER_FULL'] === '1'
const seeds = isFull ? [1, 2, 3, 4] : [7]
const sets = isFull ? 400 : 45

let workspace: Workspace
let client: pg.PoolClient
let reader: pg.PoolClient

beforeAll(async () => {
  workspace = await openWorkspace()
  await createLinkedTables(workspace.owner)
  client = await workspace.application.connect()
  reader = await workspace.owner.connect()
  await reader.query(`set intervalstyle = 'iso_8601'`) // as images are written
  return async () => {
    client.release()
    reader.release()
    await workspace.stop()
  }
})

test.each(seeds)(
  'seed %i: undoing all changes, newest first, restores every earlier state, and redoing them every later one',
  { timeout: 600_000 },
  async (seed) => {
    const random = createRandom(seed)
    const caller = await workspace.newOwner()
    const done: { change: string; before: string }[] = []
    for (let count = 0; count < sets; count++) {
      const before = await checksum(caller)
      const change = await makeChangeOrGroup(caller, random)
      if (change) done.push({ change, before })
    }
    const last = await checksum(caller)

    const undone: UndoneChange[] = []
    for (const { change, before } of done.toReversed()) {
      const result = await undoChange(caller, change)
      expect({ change, skipped: result.skipped, sum: await checksum(caller) }).toEqual({ change, skipped: [], sum: before })
      undone.push(result)
    }
    for (const [index, { change }] of undone.toReversed().entries()) {
      const result = await undoChange(caller, change)
      expect({ change, skipped: result.skipped, sum: await checksum(caller) }).toEqual({
        change,
        skipped: [],
        sum: done[index + 1]?.before ?? last,
      })
    }
    expect(done.length).toBeGreaterThan(sets / 2)
  },
)

test.each(seeds)(
  'seed %i: undo in any order, with other changes in between, loses no later edit and lists every skipped row',
  { timeout: 600_000 },
  async (seed) => {
    const random = createRandom(seed + 1000)
    const caller = await workspace.newOwner()
    const open: string[] = []
    const work = async (): Promise<void> =>
      void open.push(...[await makeChangeOrGroup(caller, random)].filter((change) => change !== undefined))
    for (let count = 0; count < sets; count++) await work()

    let undone = 0
    for (let count = 0; count < sets && open.length > 0; count++) {
      if (random.hasChance(0.3)) await work()
      const [change = ''] = open.splice(random.below(open.length), 1)
      const inverse = await undoChecked(caller, change)
      if (!inverse) continue
      undone++
      if (random.hasChance(0.3)) open.push(inverse)
    }
    expect(undone).toBeGreaterThan(sets / 3)
  },
)

/** One random change, or sometimes a group of several. */
async function makeChangeOrGroup(caller: Caller, random: Random): Promise<string | undefined> {
  if (random.hasChance(0.8)) return makeRandomChange(client, caller, random)
  const group = await openGroup(workspace.database, caller, { label: 'Random group' })
  for (let left = 1 + random.below(4); left > 0; left--) await makeRandomChange(client, caller, random, group)
  await closeGroup(workspace.database, caller, group)
  return group
}

/** Undoes a change, or a group change set by change set, and checks the rows. Returns the undo, or undefined when it was refused. */
async function undoChecked(caller: Caller, change: string): Promise<string | undefined> {
  const before = await images(caller)
  const undone = await workspace.database.transaction(caller, 'Undone', () => undo(change)).catch((error: unknown) => error)
  if (undone instanceof Refusal) {
    expect({ code: undone.code, after: await images(caller) }).toEqual({ code: 'undo_blocked', after: before })
    return undefined
  }
  if (!isUndone(undone)) throw undone
  if (!undone.isGroup) await expectNoViolations(caller, undone.change, change, before)
  for (let isFinished = !undone.isGroup; !isFinished;) {
    const beforeStep = await images(caller)
    const step = await undoNextOfGroup(workspace.database, caller, undone.change)
    if (step.undone) await expectNoViolations(caller, undone.change, step.undone, beforeStep)
    isFinished = step.isFinished
  }
  return undone.change
}

async function expectNoViolations(caller: Caller, inverse: string, change: string, before: Images): Promise<void> {
  const skipped = await readAllSkippedRows(workspace.database, caller, inverse)
  expect(findViolations({ before, after: await images(caller), skipped, lines: await linesOf(change) })).toEqual([])
}

const isUndone = (result: unknown): result is UndoResult => typeof result === 'object' && result !== null && 'isGroup' in result

const undoChange = (caller: Caller, change: string): Promise<UndoneChange> => undoInDatabase(workspace.database, caller, change)

async function checksum({ owner }: Caller): Promise<string> {
  const sums = linkedTables.map(
    (table) =>
      `select md5(coalesce(string_agg((to_jsonb(t) - '{updated_at,version}'::text[])::text, '' order by id), '')) as sum from ${table} t where user_id = $1`,
  )
  const { rows } = await reader.query<{ sum: string }>(sums.join(' union all '), [owner])
  return rows.map(({ sum }) => sum).join(' ')
}

async function images({ owner }: Caller): Promise<Images> {
  const found: Images = {}
  for (const table of linkedTables) {
    const { rows } = await reader.query<{ id: string; image: Record<string, unknown> }>(
      `select id, to_jsonb(t) - '{updated_at,version}'::text[] - array(
         select attname::text from pg_attribute where attrelid = $2::regclass and attgenerated <> '') as image
       from ${table} t where user_id = $1`,
      [owner, table],
    )
    for (const { id, image } of rows) found[`${table} ${id}`] = image
  }
  return found
}

async function linesOf(change: string) {
  const { rows } = await reader.query<{
    key: string
    operation: string
    before: Record<string, unknown> | null
    after: Record<string, unknown> | null
  }>(`select table_name || ' ' || row_id as key, operation, before, after from journal where change = $1 order by step, line`, [change])
  return rows
}

import type pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { makeRandomChange } from '#server/testing/random-work.ts'
import { readAllSkippedRows, undoChange, type UndoneChange } from '#server/testing/undo.ts'
import { createRandom, type Random } from '#server/testing/random.ts'
import { createLinkedTables, linkedTables } from '#server/testing/linked-tables.ts'
import { findViolations, type RowsByKey } from '#server/testing/undo-invariants.ts'
import { openWorkspace, type Workspace } from '#server/testing/workspace.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { closeGroup, openGroup, undoNextOfGroup } from './groups.ts'
import { undo, type UndoResult } from './undo.ts'

// These tests make random changes of linked rows, undo them, and check the rows after each undo. The same seed makes the same changes.

/** With FOYER_FULL=1 the tests make many more changes. */
const isFullTestRun = process.env['FOYER_FULL'] === '1'
const seeds = isFullTestRun ? [1, 2, 3, 4] : [7]
const changeCount = isFullTestRun ? 400 : 28

let workspace: Workspace
/** A connection of the application, which makes the random changes. */
let client: pg.PoolClient
/** A connection of the role that owns the tables, which reads the rows to check them. */
let reader: pg.PoolClient

beforeAll(async () => {
  workspace = await openWorkspace()
  await createLinkedTables(workspace.tableOwner)
  client = await workspace.application.connect()
  reader = await workspace.tableOwner.connect()
  await reader.query(`set intervalstyle = 'iso_8601'`) // the journal writes intervals in this style
  return async () => {
    client.release()
    reader.release()
    await workspace.stop()
  }
})

test.each(seeds)(
  'seed %i: undoing all changes from the newest to the oldest restores every earlier state, and redoing them restores every later state',
  { timeout: 600_000 },
  async (seed) => {
    const random = createRandom(seed)
    const caller = await workspace.newOwner()
    /** The changes, each with the checksum of all rows before it. */
    const steps: { changeId: string; before: string }[] = []
    for (let count = 0; count < changeCount; count++) {
      const before = await computeChecksum(caller)
      const changeId = await makeChangeOrGroup(caller, random)
      if (changeId) steps.push({ changeId, before })
    }
    const lastChecksum = await computeChecksum(caller)

    const undos: UndoneChange[] = []
    for (const { changeId, before } of steps.toReversed()) {
      const result = await undoAs(caller, await undoAndRedoSometimes(caller, changeId, random))
      expect({ changeId, skipped: result.skipped, sum: await computeChecksum(caller) }).toEqual({ changeId, skipped: [], sum: before })
      undos.push(result)
    }
    for (const [index, { changeId }] of undos.toReversed().entries()) {
      const result = await undoAs(caller, await undoAndRedoSometimes(caller, changeId, random))
      expect({ changeId, skipped: result.skipped, sum: await computeChecksum(caller) }).toEqual({
        changeId,
        skipped: [],
        sum: steps[index + 1]?.before ?? lastChecksum,
      })
    }
    expect(steps.length).toBeGreaterThan(changeCount / 2)
  },
)

test.each(seeds)(
  'seed %i: undoing changes in random order, with other changes in between, loses no later edit and lists every skipped row',
  { timeout: 600_000 },
  async (seed) => {
    const random = createRandom(seed + 1000)
    const caller = await workspace.newOwner()
    const changes: string[] = []
    const addChange = async (): Promise<void> => {
      const changeId = await makeChangeOrGroup(caller, random)
      if (changeId) changes.push(changeId)
    }
    for (let count = 0; count < changeCount; count++) await addChange()

    let undoCount = 0
    for (let count = 0; count < changeCount && changes.length > 0; count++) {
      if (random.hasChance(0.3)) await addChange()
      const [changeId = ''] = changes.splice(random.below(changes.length), 1)
      const undoId = await undoChecked(caller, changeId, random)
      if (!undoId) continue
      undoCount++
      if (random.hasChance(0.3)) changes.push(undoId)
    }
    expect(undoCount).toBeGreaterThan(changeCount / 3)
  },
)

/** Makes one random change, or sometimes a group of several. Returns its id, or undefined if it wrote no row. */
async function makeChangeOrGroup(caller: Caller, random: Random): Promise<string | undefined> {
  if (random.hasChance(0.8)) return makeRandomChange(client, caller, random)
  const group = await openGroup(workspace.database, caller, { label: 'Random group' })
  for (let remaining = 1 + random.below(4); remaining > 0; remaining--) await makeRandomChange(client, caller, random, group)
  await closeGroup(workspace.database, caller, group)
  return group
}

/**
 * Sometimes undoes a change and redoes it, once or twice; a group only in part. Returns the id of the last redo, or `changeId` if nothing
 * was undone. The undo of the returned id must have the same result as the undo of `changeId`.
 */
async function undoAndRedoSometimes(caller: Caller, changeId: string, random: Random): Promise<string> {
  let latest = changeId
  const reversalCount = random.hasChance(0.5) ? 2 * (1 + random.below(2)) : 0 // even, so that the last one is a redo
  for (let remaining = reversalCount; remaining > 0; remaining--) {
    const { changeId: reversal, isGroup } = await workspace.database.transaction(caller, 'Undone', () => undo(latest))
    const stepCount = isGroup ? random.below(5) : 0
    for (let step = 0; step < stepCount; step++) await undoNextOfGroup(workspace.database, caller, reversal)
    latest = reversal
  }
  return latest
}

/**
 * Undoes a change, or the change sets of a group one by one, and checks the rows after each step. Sometimes ends before the last change set
 * of a group. Returns the id of the undo, or undefined if the undo was refused.
 */
async function undoChecked(caller: Caller, changeId: string, random: Random): Promise<string | undefined> {
  const before = await readRows(caller)
  const undoResult = await workspace.database.transaction(caller, 'Undone', () => undo(changeId)).catch((error: unknown) => error)
  if (undoResult instanceof Refusal) {
    const code = hasEffect(await readLines(changeId)) ? 'undo_blocked' : 'nothing_left'
    expect({ code: undoResult.code, after: await readRows(caller) }).toEqual({ code, after: before })
    return undefined
  }
  if (!isUndoResult(undoResult)) throw undoResult
  if (!undoResult.isGroup) {
    await expectNoViolations(caller, undoResult.changeId, changeId, before)
    return undoResult.changeId
  }
  let isFinished = false
  while (!isFinished) {
    const beforeStep = await readRows(caller)
    const step = await undoNextOfGroup(workspace.database, caller, undoResult.changeId)
    if (step.undone) await expectNoViolations(caller, undoResult.changeId, step.undone, beforeStep)
    isFinished = step.isFinished || random.hasChance(0.2)
  }
  return undoResult.changeId
}

/** Whether a change set has a row that it did not both insert and delete. False for an undo that skipped all rows, which has no lines. */
const hasEffect = (lines: Awaited<ReturnType<typeof readLines>>): boolean =>
  [...Map.groupBy(lines, ({ key }) => key).values()].some(
    (linesOfRow) => linesOfRow[0]?.operation !== 'I' || linesOfRow.at(-1)?.operation !== 'D',
  )

/** Checks the rows after the undo `undoId` of the change set `changeId` against the rows `before` it. */
async function expectNoViolations(caller: Caller, undoId: string, changeId: string, before: RowsByKey): Promise<void> {
  const skipped = await readAllSkippedRows(workspace.database, caller, undoId)
  expect(findViolations({ before, after: await readRows(caller), skipped, lines: await readLines(changeId) })).toEqual([])
}

const isUndoResult = (result: unknown): result is UndoResult => typeof result === 'object' && result !== null && 'isGroup' in result

/** Undoes a change as this caller. */
const undoAs = (caller: Caller, changeId: string): Promise<UndoneChange> => undoChange(workspace.database, caller, changeId)

/** Returns a checksum of all rows of the owner, without their versions and times. */
async function computeChecksum({ owner }: Caller): Promise<string> {
  const sums = linkedTables.map(
    (table) =>
      `select md5(coalesce(string_agg((to_jsonb(t) - '{updated_at,version}'::text[])::text, '' order by id), '')) as sum from ${table} t where user_id = $1`,
  )
  const { rows } = await reader.query<{ sum: string }>(sums.join(' union all '), [owner])
  return rows.map(({ sum }) => sum).join(' ')
}

/** Returns all rows of the owner as JSON by "table id", without generated columns, versions and times. */
async function readRows({ owner }: Caller): Promise<RowsByKey> {
  const rowsByKey: RowsByKey = {}
  for (const table of linkedTables) {
    const { rows } = await reader.query<{ id: string; values: Record<string, unknown> }>(
      `select id, to_jsonb(t) - '{updated_at,version}'::text[] - array(
         select attname::text from pg_attribute where attrelid = $2::regclass and attgenerated <> '') as values
       from ${table} t where user_id = $1`,
      [owner, table],
    )
    for (const { id, values } of rows) rowsByKey[`${table} ${id}`] = values
  }
  return rowsByKey
}

async function readLines(changeId: string) {
  const { rows } = await reader.query<{
    key: string
    operation: string
    before: Record<string, unknown> | null
    after: Record<string, unknown> | null
  }>(`select table_name || ' ' || row_id as key, operation, before, after from journal where change = $1 order by step, line`, [changeId])
  return rows
}

// What must be true after every undo, whatever was written before it. Tests with random writes check it.
import type { SkippedRow } from '#contract/changes.ts'

/** The values of a row by column. */
type RowValues = Record<string, unknown>

/** Rows by a key of table and id. They have no version, updated_at and generated columns. */
export type RowsByKey = Record<string, RowValues>

type JournalLine = { key: string; operation: string; before: RowValues | null; after: RowValues | null }

/** The net effect of a change on one row: the columns that it wrote, with their first old values and their last new values. */
type NetEffect = { isInserted: boolean; isDeleted: boolean; before: RowValues; after: RowValues }

/** A row before the undo (`previous`) and after it (`current`). `listedColumns`: the columns that the undo lists as skipped. */
type CheckedRow = {
  previous: RowValues | undefined
  current: RowValues | undefined
  net: NetEffect | undefined
  isListed: boolean
  listedColumns: Set<string>
}

/**
 * Returns a sentence for each violated rule of an undo, from the rows before and after the undo and the journal lines of the undone change.
 * An undo must not write other rows, lose a later edit, restore a row with other values, or skip a row or column without listing it.
 */
export function findViolations({
  before,
  after,
  skipped,
  lines,
}: {
  before: RowsByKey
  after: RowsByKey
  skipped: SkippedRow[]
  lines: JournalLine[]
}): string[] {
  const netEffects = computeNetEffects(lines)
  return Object.keys({ ...before, ...after }).flatMap((key) => {
    const listed = skipped.filter(({ table, id }) => key === `${table} ${id}`)
    const listedColumns = new Set(listed.flatMap(({ columns = [] }) => columns))
    const row = { previous: before[key], current: after[key], net: netEffects.get(key), isListed: listed.length > 0, listedColumns }
    return findRowViolations(row).map((violation) => `${key}: ${violation}`)
  })
}

function findRowViolations(row: CheckedRow): string[] {
  const { previous, current, net, isListed } = row
  const isUnchanged = isSame(previous, current)
  if (!net) return isUnchanged ? [] : ['was written, but is not part of the change']
  if (net.isInserted && net.isDeleted) return isUnchanged ? [] : ['was written, although the change both inserted and deleted it']
  if (!previous && !current) return net.isDeleted && !isListed ? ['was not restored, and is not listed'] : []
  if (previous && !current) return findDeleteViolations(previous, net)
  if (!previous && current) return findRestoreViolations(current, net, row)
  if (isListed && isUnchanged) return []
  if (net.isInserted) return isUnchanged ? ['was not removed, and is not listed'] : ['was changed instead of removed']
  return Object.keys(previous ?? {}).flatMap((column) => findColumnViolations(column, net, row))
}

/** An undo deletes a row only if the change inserted it and it was not edited since. */
function findDeleteViolations(previous: RowValues, net: NetEffect): string[] {
  const mayBeDeleted = net.isInserted && findDifferentColumns(previous, net.after).length === 0
  return mayBeDeleted ? [] : ['was deleted, although the change had not inserted it or it was edited since']
}

/** An undo inserts a row only if the change deleted it, with the old values of all columns that are not listed. */
function findRestoreViolations(current: RowValues, net: NetEffect, { listedColumns }: CheckedRow): string[] {
  if (!net.isDeleted) return ['was inserted, but the change had not deleted it']
  const wrongColumns = findDifferentColumns(current, net.before).filter((column) => !listedColumns.has(column))
  return wrongColumns.map((column) => `${column} was restored with another value`)
}

function findColumnViolations(column: string, net: NetEffect, { previous, current, listedColumns }: CheckedRow): string[] {
  const [oldValue, newValue] = [previous?.[column], current?.[column]]
  const hadValueOfChange = column in net.before && isSame(oldValue, net.after[column])
  if (!isSame(oldValue, newValue)) {
    const isReverted = hadValueOfChange && isSame(newValue, net.before[column])
    return isReverted ? [] : [`the edit of ${column} was lost`]
  }
  const mustBeReverted = hadValueOfChange && !net.isDeleted && !isSame(oldValue, net.before[column])
  return mustBeReverted && !listedColumns.has(column) ? [`${column} was not undone, and is not listed`] : []
}

function computeNetEffects(lines: JournalLine[]): Map<string, NetEffect> {
  const netEffects = new Map<string, NetEffect>()
  for (const { key, operation, before, after } of lines) {
    const earlier = netEffects.get(key) ?? { isInserted: operation === 'I', before: {}, after: {} }
    netEffects.set(key, {
      isInserted: earlier.isInserted,
      isDeleted: operation === 'D',
      before: { ...before, ...earlier.before },
      after: { ...earlier.after, ...after },
    })
  }
  return netEffects
}

const findDifferentColumns = (row: RowValues, other: RowValues): string[] =>
  Object.keys(row).filter((column) => !isSame(row[column], other[column]))

const isSame = (first: unknown, second: unknown): boolean => JSON.stringify(first ?? null) === JSON.stringify(second ?? null)

import type { SkippedRow } from '#contract/changes.ts'

type Image = Record<string, unknown>

/** Rows by table and id, without version, updated_at and generated columns. */
export type Images = Record<string, Image>

type Line = { key: string; operation: string; before: Image | null; after: Image | null }

type Net = { inserted: boolean; deleted: boolean; before: Image; after: Image }

/**
 * Returns a sentence for each violated rule of an undo, given the rows before and after it and the journal lines of the undone change. An
 * undo must not write other rows, lose a later edit, restore a row with other values, or skip a row or column without listing it.
 */
export function violations({
  before,
  after,
  skipped,
  lines,
}: {
  before: Images
  after: Images
  skipped: SkippedRow[]
  lines: Line[]
}): string[] {
  const nets = netOf(lines)
  return Object.keys({ ...before, ...after }).flatMap((key) => {
    const listed = skipped.filter(({ table, id }) => key === `${table} ${id}`)
    const columns = new Set(listed.flatMap((entry) => entry.columns ?? []))
    const failures = rowFailures({ previous: before[key], current: after[key], net: nets.get(key), isListed: listed.length > 0, columns })
    return failures.map((failure) => `${key}: ${failure}`)
  })
}

type Row = { previous: Image | undefined; current: Image | undefined; net: Net | undefined; isListed: boolean; columns: Set<string> }

function rowFailures({ previous, current, net, isListed, columns }: Row): string[] {
  if (!net) return isSame(previous, current) ? [] : ['was written, but is not part of the change']
  if (net.inserted && net.deleted) return isSame(previous, current) ? [] : ['was inserted and deleted by the change, but written']
  if (previous && !current)
    return net.inserted && changedColumns(previous, net.after).length === 0 ? [] : ['was deleted although it was edited']
  if (!previous && current)
    return net.deleted
      ? changedColumns(current, net.before).filter((column) => !columns.has(column))
      : ['was inserted, but the change had not deleted it']
  if (!previous || !current) return net.deleted && !isListed ? ['did not come back, and is not listed'] : []
  if (isListed && isSame(previous, current)) return []
  if (net.inserted) return isSame(previous, current) ? ['was not removed, and is not listed'] : ['was changed instead of removed']
  return Object.keys(previous).flatMap((column) => columnFailures(column, previous[column], current[column], net, columns))
}

function columnFailures(column: string, previous: unknown, current: unknown, net: Net, columns: Set<string>): string[] {
  const isOwnValue = column in net.before && isSame(previous, net.after[column])
  if (isSame(previous, current))
    return isOwnValue && !net.deleted && !isSame(previous, net.before[column]) && !columns.has(column)
      ? [`${column} was not undone, and is not listed`]
      : []
  return isOwnValue && isSame(current, net.before[column]) ? [] : [`the edit of ${column} was lost`]
}

function netOf(lines: Line[]): Map<string, Net> {
  const nets = new Map<string, Net>()
  for (const { key, operation, before, after } of lines) {
    const net = nets.get(key) ?? { inserted: operation === 'I', deleted: false, before: {}, after: {} }
    nets.set(key, {
      inserted: net.inserted,
      deleted: operation === 'D',
      before: { ...before, ...net.before },
      after: { ...net.after, ...after },
    })
  }
  return nets
}

const changedColumns = (image: Image, other: Image): string[] =>
  Object.keys(image).filter((column) => !isSame(image[column], other[column]))

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

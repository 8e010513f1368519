import type { SkippedRow } from '#contract/changes.ts'

type Image = Record<string, unknown>

/** Rows by table and id, without what only grows and what is computed. */
export type Images = Record<string, Image>

type Line = { key: string; operation: string; before: Image | null; after: Image | null }

type Net = { made: boolean; gone: boolean; before: Image; after: Image }

/**
 * What an undo must not do, read off the rows before and after it and the lines of what it took back: touch other rows, lose a later edit,
 * bring a row back changed, or leave something out without saying so. Answers a sentence for each.
 */
export function violations({ before, after, kept, lines }: { before: Images; after: Images; kept: SkippedRow[]; lines: Line[] }): string[] {
  const nets = netOf(lines)
  return Object.keys({ ...before, ...after }).flatMap((key) => {
    const said = kept.filter(({ table, id }) => key === `${table} ${id}`)
    const columns = new Set(said.flatMap((entry) => entry.columns ?? []))
    const faults = rowFaults({ was: before[key], is: after[key], net: nets.get(key), isSaid: said.length > 0, columns })
    return faults.map((fault) => `${key}: ${fault}`)
  })
}

type Row = { was: Image | undefined; is: Image | undefined; net: Net | undefined; isSaid: boolean; columns: Set<string> }

function rowFaults({ was, is, net, isSaid, columns }: Row): string[] {
  if (!net) return isSame(was, is) ? [] : ['was touched from outside']
  if (net.made && net.gone) return isSame(was, is) ? [] : ['was never there, and changed']
  if (was && !is) return net.made && differing(was, net.after).length === 0 ? [] : ['was deleted although it was edited']
  if (!was && is) return net.gone ? differing(is, net.before).filter((column) => !columns.has(column)) : ['came from nowhere']
  if (!was || !is) return net.gone && !isSaid ? ['did not come back, in silence'] : []
  if (isSaid && isSame(was, is)) return []
  if (net.made) return isSame(was, is) ? ['was not removed, in silence'] : ['was changed instead of removed']
  return Object.keys(was).flatMap((column) => columnFaults(column, was[column], is[column], net, columns))
}

function columnFaults(column: string, was: unknown, is: unknown, net: Net, columns: Set<string>): string[] {
  const isMine = column in net.before && isSame(was, net.after[column])
  if (isSame(was, is))
    return isMine && !net.gone && !isSame(was, net.before[column]) && !columns.has(column) ? [`${column} was not undone, in silence`] : []
  return isMine && isSame(is, net.before[column]) ? [] : [`the edit of ${column} was lost`]
}

function netOf(lines: Line[]): Map<string, Net> {
  const nets = new Map<string, Net>()
  for (const { key, operation, before, after } of lines) {
    const so = nets.get(key) ?? { made: operation === 'I', gone: false, before: {}, after: {} }
    nets.set(key, { made: so.made, gone: operation === 'D', before: { ...before, ...so.before }, after: { ...so.after, ...after } })
  }
  return nets
}

const differing = (image: Image, other: Image): string[] => Object.keys(image).filter((column) => !isSame(image[column], other[column]))

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

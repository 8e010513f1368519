import { countLimit, Day } from '#contract/lists.ts'
import { sql } from '#server/platform/database/database.ts'
import { readCursor, writeCursor, type Cursor } from '#server/platform/database/cursor.ts'
import type { Row } from '#server/platform/database/batch.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { conditionsOf, type Bind, type Criteria } from './conditions.ts'
import type { RecordKind, SortColumn } from './kind.ts'

export type PageRequest = Criteria & { sort: string; order: 'asc' | 'desc'; after?: string | undefined; limit: number }
export type Page<R> = { rows: R[]; next: string | null }

/** A part of a list that one index has in order: rows without the sorted value come after all others. */
type Section = { name: 'newest' | 'filled' | 'empty'; column: string; sort?: SortColumn; after: Cursor | undefined }
type Keyed = { sort_key: string | null; id: string }

/** One page of a list, by keyset. `columns` is the SQL of what a row shows, of `c`. Throws `invalid` for a cursor of another list. */
export async function readPage<R extends Row>(
  kind: RecordKind,
  owner: string,
  request: PageRequest,
  columns = kind.rowColumns,
): Promise<Page<R>> {
  const after = readCursor(request.after)
  const sort = kind.sorts[request.sort]
  if (!sort) return toPage(await readSection<R>(kind, owner, request, { name: 'newest', column: 'id', after }, columns), request.limit)
  if (after && after[0] !== '') refuseForeignCursor(after, sort)
  const { column } = sort
  const isInEmpty = after?.[0] === ''
  const filled = isInEmpty ? [] : await readSection<R>(kind, owner, request, { name: 'filled', column, sort, after }, columns)
  if (filled.length > request.limit) return toPage(filled, request.limit)
  const rest = { ...request, limit: request.limit - filled.length }
  const empty = await readSection<R>(kind, owner, rest, { name: 'empty', column, sort, after: isInEmpty ? after : undefined }, columns)
  return toPage([...filled, ...empty], request.limit)
}

/** How many rows match, exact up to the limit. */
export async function countRows(kind: RecordKind, owner: string, criteria: Criteria): Promise<{ count: number; more: boolean }> {
  const values: unknown[] = [owner, countLimit + 1]
  const conditions = conditionsOf(kind.filters, criteria, (value) => `$${values.push(value)}`)
  const where = ['user_id = $1', ...conditions].join(' and ')
  const text = `select count(*) as count from (select from ${kind.find} where ${where} limit $2) matching`
  const [row] = await sql<{ count: number }>(text, values, { customPlan: conditions.length > 0 })
  const count = row?.count ?? 0
  return { count: Math.min(count, countLimit), more: count > countLimit }
}

/** How many rows are read for a page. They stand in the statement: as a parameter the limit would make the planner plan each time. */
const pageSizes = [20, 50, 100, 200, 1000]

/** One row more than requested tells whether a page follows. */
async function readSection<R extends Row>(
  kind: RecordKind,
  owner: string,
  request: PageRequest,
  section: Section,
  columns: string,
): Promise<(R & Keyed)[]> {
  const values: unknown[] = [owner]
  const bind: Bind = (value) => `$${values.push(value)}`
  const criteria = conditionsOf(kind.filters, request, bind)
  const bounds = ['user_id = $1', ...boundsOf(section, request.order, bind)]
  const where = [...bounds, ...criteria].join(' and ')
  const size = (pageSizes.find((each) => each >= request.limit) ?? request.limit) + 1
  const orderBy = `order by ${orderOf(section, request.order)}`
  const key = section.name === 'filled' ? `${section.column}::text` : `''`
  // only the plain lists are prepared: conditions and export columns make too many different statements
  const options = { customPlan: criteria.length > 0 || columns !== kind.rowColumns }
  if (criteria.length === 0 && isLeakproof(section)) {
    const text = `select ${columns}, ${key} as sort_key from ${kind.table} c where ${where} ${orderBy} limit ${size}`
    return sql<R & Keyed>(text, values, options)
  }
  const hit = `select id, ${section.column} as sort_value, ${key} as sort_key`
  const order = orderOf({ ...section, column: 'hit.sort_value' }, request.order, 'hit.id')
  const join = `join ${kind.table} c on c.user_id = $1 and c.id = hit.id order by ${order}`
  // ids first: the search stays in the index, and only the rows of the page are fetched
  const readHits = (hits: string): Promise<(R & Keyed)[]> =>
    sql<R & Keyed>(`select ${columns}, hit.sort_key from (${hits} ${orderBy} limit ${size}) hit ${join}`, values, options)
  if (request.search !== '' && section.name === 'filled') {
    const near = `(select * from ${kind.find} where ${bounds.join(' and ')} ${orderBy} limit ${nearRows}) near`
    const found = await readHits(`${hit} from ${near} where ${criteria.join(' and ')}`)
    if (found.length === size) return found
    const sorted = await sql<R & Keyed & { hits: number }>(
      `with hits as materialized (${hit} from ${kind.find} where ${where} limit ${maxSorted + 1}), counted as (select count(*) as hits from hits)
       select ${columns}, hit.sort_key, counted.hits from counted
       left join lateral (select * from hits hit where counted.hits <= ${maxSorted} order by ${order} limit ${size}) hit on true left ${join}`,
      values,
      options,
    )
    if (sorted.every(({ hits }) => hits <= maxSorted)) return sorted.filter(({ id }) => id !== null)
  }
  return readHits(`${hit} from ${kind.find} where ${where}`)
}

/** A search that finds much fills its page from so many rows of the index of the order. */
const nearRows = 500
/** Of other searches up to so many hits are sorted: the index of the order may have all of them at its end. More are read in its order. */
const maxSorted = 30_000

/** PostgreSQL compares numerics in an index only after row security has checked the row; all other sorted types it compares before. */
const isLeakproof = ({ sort, after }: Section): boolean => sort?.type !== 'numeric' || after === undefined

function boundsOf({ name, column, sort, after }: Section, order: 'asc' | 'desc', bind: Bind): string[] {
  if (name === 'filled' && sort) {
    const isFilled = sort.empty === "= ''" ? `${column} > ''` : `${column} is not null`
    if (!after) return [isFilled]
    const beyond = `(${column}, id) ${order === 'desc' ? '<' : '>'} (${bind(after[0])}::${sort.type}, ${bind(after[1])}::uuid)`
    // behind a cursor every value is filled; a second lower bound would let the scan of the index begin at the first row
    return order === 'desc' ? [isFilled, beyond] : [beyond]
  }
  const bounds = sort ? [`${column} ${sort.empty}`] : []
  if (!after) return bounds
  return [...bounds, `id ${order === 'desc' || name === 'newest' ? '<' : '>'} ${bind(after[1])}`]
}

function orderOf({ name, column }: Section, order: 'asc' | 'desc', id = 'id'): string {
  if (name === 'newest') return `${id} desc`
  return name === 'empty' ? `${id} ${order}` : `${column} ${order}, ${id} ${order}`
}

const isKeyOf: Record<SortColumn['type'], (key: string) => boolean> = {
  text: () => true,
  int: (key) => /^-?\d{1,9}$/.test(key),
  numeric: (key) => /^-?\d{1,20}(\.\d{1,10})?$/.test(key),
  date: (key) => isDay(key),
  timestamptz: (key) => isDay(key.slice(0, 10)) && /^ ([01]\d|2[0-3])(:[0-5]\d){2}(\.\d{1,6})?\+00$/.test(key.slice(10)),
}

const isDay = (text: string): boolean => Day.safeParse(text).success

function refuseForeignCursor([key]: Cursor, { type }: SortColumn): void {
  if (!isKeyOf[type](key)) throw new Refusal('invalid', { fields: { after: 'This is not the end of a page' } })
}

function toPage<R>(found: (R & Keyed)[], limit: number): Page<R> {
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return { rows, next: last && found.length > limit ? writeCursor([last.sort_key ?? '', last.id]) : null }
}

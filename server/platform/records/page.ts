import { countLimit, Day } from '#contract/lists.ts'
import { sql } from '#server/platform/database/database.ts'
import { readCursor, writeCursor, type Cursor } from '#server/platform/database/cursor.ts'
import type { Row } from '#server/platform/database/batch.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { toSqlConditions, type Bind, type Criteria } from './conditions.ts'
import type { RecordKind, SortColumn } from './kind.ts'

export type PageRequest = Criteria & { sort: string; order: 'asc' | 'desc'; after?: string | undefined; limit: number }
export type Page<R> = { rows: R[]; next: string | null }

/** A part of a list that one index returns in order. Rows without a sort value (`empty`) come after all others. */
type Section = { name: 'newest' | 'filled' | 'empty'; column: string; sort?: SortColumn; after: Cursor | undefined }
type SortedRow = { sort_key: string | null; id: string }

/** Returns a page of a list (keyset pagination). `columns`: SQL for the columns of a row; the table is `c`. Throws `invalid` for the cursor of another list. */
export async function readPage<R extends Row>(
  kind: RecordKind,
  owner: string,
  request: PageRequest,
  columns = kind.rowColumns,
): Promise<Page<R>> {
  const after = readCursor(request.after)
  const sort = kind.sorts[request.sort]
  if (!sort) return toPage(await readSection<R>(kind, owner, request, { name: 'newest', column: 'id', after }, columns), request.limit)
  if (after && after[0] !== '') refuseOtherCursor(after, sort)
  const { column } = sort
  const startsInEmpty = after?.[0] === ''
  const filled = startsInEmpty ? [] : await readSection<R>(kind, owner, request, { name: 'filled', column, sort, after }, columns)
  if (filled.length > request.limit) return toPage(filled, request.limit)
  const rest = { ...request, limit: request.limit - filled.length }
  const empty = await readSection<R>(kind, owner, rest, { name: 'empty', column, sort, after: startsInEmpty ? after : undefined }, columns)
  return toPage([...filled, ...empty], request.limit)
}

/** Returns the number of rows that match, exact up to `countLimit`. */
export async function countRows(kind: RecordKind, owner: string, criteria: Criteria): Promise<{ count: number; more: boolean }> {
  const values: unknown[] = [owner, countLimit + 1]
  const conditions = toSqlConditions(kind.filters, criteria, (value) => `$${values.push(value)}`)
  const where = ['user_id = $1', ...conditions].join(' and ')
  const text = `select count(*) as count from (select from ${kind.find} where ${where} limit $2) matching`
  const [row] = await sql<{ count: number }>(text, values, { customPlan: conditions.length > 0 })
  const count = row?.count ?? 0
  return { count: Math.min(count, countLimit), more: count > countLimit }
}

/** The sizes of pages. They are part of the statement, because with a parameter as limit PostgreSQL would plan every execution again. */
const pageSizes = [20, 50, 100, 200, 1000]

/** Reads one row more than a page has: if it exists, there is a next page. */
async function readSection<R extends Row>(
  kind: RecordKind,
  owner: string,
  request: PageRequest,
  section: Section,
  columns: string,
): Promise<(R & SortedRow)[]> {
  const values: unknown[] = [owner]
  const bind: Bind = (value) => `$${values.push(value)}`
  const criteria = toSqlConditions(kind.filters, request, bind)
  const bounds = ['user_id = $1', ...cursorConditions(section, request.order, bind)]
  const where = [...bounds, ...criteria].join(' and ')
  const size = (pageSizes.find((pageSize) => pageSize >= request.limit) ?? request.limit) + 1
  const orderBy = `order by ${orderSql(section, request.order)}`
  const key = section.name === 'filled' ? `${section.column}::text` : `''`
  // only statements without conditions and with the list's columns are prepared; the others are too many different ones
  const options = { customPlan: criteria.length > 0 || columns !== kind.rowColumns }
  if (criteria.length === 0 && isLeakproof(section)) {
    const text = `select ${columns}, ${key} as sort_key from ${kind.table} c where ${where} ${orderBy} limit ${size}`
    return sql<R & SortedRow>(text, values, options)
  }
  const hit = `select id, ${section.column} as sort_value, ${key} as sort_key`
  const order = orderSql({ ...section, column: 'hit.sort_value' }, request.order, 'hit.id')
  const join = `join ${kind.table} c on c.user_id = $1 and c.id = hit.id order by ${order}`
  // selects the ids first: an index-only scan finds them, and only the rows of the page are fetched
  const readHits = (hits: string): Promise<(R & SortedRow)[]> =>
    sql<R & SortedRow>(`select ${columns}, hit.sort_key from (${hits} ${orderBy} limit ${size}) hit ${join}`, values, options)
  if (request.search !== '' && section.name === 'filled') {
    const near = `(select * from ${kind.find} where ${bounds.join(' and ')} ${orderBy} limit ${nearRows}) near`
    const found = await readHits(`${hit} from ${near} where ${criteria.join(' and ')}`)
    if (found.length === size) return found
    const sorted = await sql<R & SortedRow & { hits: number }>(
      `with hits as materialized (${hit} from ${kind.find} where ${where} limit ${maxSortedHits + 1}), counted as (select count(*) as hits from hits)
       select ${columns}, hit.sort_key, counted.hits from counted
       left join lateral (select * from hits hit where counted.hits <= ${maxSortedHits} order by ${order} limit ${size}) hit on true left ${join}`,
      values,
      options,
    )
    if (sorted.every(({ hits }) => hits <= maxSortedHits)) return sorted.filter(({ id }) => id !== null)
  }
  return readHits(`${hit} from ${kind.find} where ${where}`)
}

/** A search with many hits fills a page from the next 500 rows of the sort index. */
const nearRows = 500
/** Other searches sort up to 30,000 hits, because all hits may be at the end of the sort index. If there are more hits, they are read from the sort index. */
const maxSortedHits = 30_000

/** Row security prevents index conditions on numerics, because their comparison is not leakproof. The other sort types are leakproof. */
const isLeakproof = ({ sort, after }: Section): boolean => sort?.type !== 'numeric' || after === undefined

function cursorConditions({ name, column, sort, after }: Section, order: 'asc' | 'desc', bind: Bind): string[] {
  if (name === 'filled' && sort) {
    const isFilled = sort.empty === "= ''" ? `${column} > ''` : `${column} is not null`
    if (!after) return [isFilled]
    const isAfterCursor = `(${column}, id) ${order === 'desc' ? '<' : '>'} (${bind(after[0])}::${sort.type}, ${bind(after[1])}::uuid)`
    // after a cursor in ascending order all values are filled; with a second lower bound the index scan would start at the first row
    return order === 'desc' ? [isFilled, isAfterCursor] : [isAfterCursor]
  }
  const bounds = sort ? [`${column} ${sort.empty}`] : []
  if (!after) return bounds
  return [...bounds, `id ${order === 'desc' || name === 'newest' ? '<' : '>'} ${bind(after[1])}`]
}

function orderSql({ name, column }: Section, order: 'asc' | 'desc', id = 'id'): string {
  if (name === 'newest') return `${id} desc`
  return name === 'empty' ? `${id} ${order}` : `${column} ${order}, ${id} ${order}`
}

const isSortKeyOf: Record<SortColumn['type'], (key: string) => boolean> = {
  text: () => true,
  int: (key) => /^-?\d{1,9}$/.test(key),
  numeric: (key) => /^-?\d{1,20}(\.\d{1,10})?$/.test(key),
  date: (key) => isDay(key),
  timestamptz: (key) => isDay(key.slice(0, 10)) && /^ ([01]\d|2[0-3])(:[0-5]\d){2}(\.\d{1,6})?\+00$/.test(key.slice(10)),
}

const isDay = (text: string): boolean => Day.safeParse(text).success

function refuseOtherCursor([key]: Cursor, { type }: SortColumn): void {
  if (!isSortKeyOf[type](key)) throw new Refusal('invalid', { fields: { after: 'This is not the end of a page' } })
}

function toPage<R>(found: (R & SortedRow)[], limit: number): Page<R> {
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return { rows, next: last && found.length > limit ? writeCursor([last.sort_key ?? '', last.id]) : null }
}

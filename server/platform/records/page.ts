// Reads the pages of a list. A find view is a database view of a kind's rows, through which searches can use indexes; row security prevents
// the use of some indexes on the table itself.
import { maxCountedRecords, Day } from '#contract/lists.ts'
import { sql } from '#server/platform/database/database.ts'
import { readCursor, writeCursor, type Cursor } from '#server/platform/database/cursor.ts'
import type { Row } from '#server/platform/database/batch.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { resolveCriteria, toSqlConditions, type Bind, type Criteria, type Resolved } from './conditions.ts'
import type { RecordKind, SortColumn } from './kind.ts'

/** The criteria, the order and the position of a page. `after`: the cursor of the page before; undefined for the first page. */
export type PageRequest = Criteria & { sort: string; order: 'asc' | 'desc'; after?: string | undefined; limit: number }
/** The rows of a page and the cursor of the next page, null on the last page. */
export type Page<R> = { rows: R[]; next: string | null }
type ResolvedRequest = Resolved<PageRequest>

/**
 * A part of a list that one index returns in order. A list by creation time has one section, `newest`. A search in such a list has a second
 * one, `full text`, for the records that have the searched words only in their full text. Every other list has two sections: the rows with
 * a sort value (`filled`), and after them the rows without one (`empty`). `after`: the cursor, if the page starts in this section.
 */
type Section = { name: 'newest' | 'full text' | 'filled' | 'empty'; column: string; sort?: SortColumn; after: Cursor | undefined }
/** The columns from which the cursor of a row is made. `sort_key`: the sort value as text. */
type SortedRow = { sort_key: string | null; id: string }

/**
 * Returns a page of a list. `columns`: SQL for the columns of a row; the table is `c`. Throws `invalid` for the cursor of another list.
 */
export async function readPage<R extends Row>(
  kind: RecordKind,
  owner: string,
  pageRequest: PageRequest,
  columns = kind.rowColumns,
): Promise<Page<R>> {
  const request = await resolveCriteria(kind, owner, pageRequest)
  const after = readCursor(request.after)
  const sort = kind.sorts[request.sort]
  if (!sort) return toPage(await readNewest<R>(kind, owner, request, after, columns), request.limit)
  // the first part of a cursor is the sort value, '' in the section `empty`; the second part is the id
  if (after && after[0] !== '') refuseOtherCursor(after, sort)
  const { column } = sort
  const startsInEmptySection = after?.[0] === ''
  const filled = startsInEmptySection ? [] : await readSection<R>(kind, owner, request, { name: 'filled', column, sort, after }, columns)
  if (filled.length > request.limit) return toPage(filled, request.limit)
  const remaining = { ...request, limit: request.limit - filled.length }
  const empty = await readSection<R>(
    kind,
    owner,
    remaining,
    { name: 'empty', column, sort, after: startsInEmptySection ? after : undefined },
    columns,
  )
  return toPage([...filled, ...empty], request.limit)
}

/** Reads a list by creation time: the section `newest`, and for a search the section `full text`. */
async function readNewest<R extends Row>(
  kind: RecordKind,
  owner: string,
  request: ResolvedRequest,
  after: Cursor | undefined,
  columns: string,
): Promise<(R & SortedRow)[]> {
  if (!kind.fullText || request.search === '') return readSection<R>(kind, owner, request, { name: 'newest', column: 'id', after }, columns)
  const startsInFullText = after?.[0] === fullTextSortKey
  const columnHits = startsInFullText
    ? []
    : await readSection<R>(kind, owner, { ...request, searchIn: 'columns' }, { name: 'newest', column: 'id', after }, columns)
  if (columnHits.length > request.limit) return columnHits
  const remaining: ResolvedRequest = { ...request, searchIn: 'full text', limit: request.limit - columnHits.length }
  const section: Section = { name: 'full text', column: 'id', after: startsInFullText ? after : undefined }
  return [...columnHits, ...(await readSection<R>(kind, owner, remaining, section, columns))]
}

/** Returns the number of rows that match, exact up to `limit`. */
export async function countRows(
  kind: RecordKind,
  owner: string,
  criteria: Criteria,
  limit: number = maxCountedRecords,
): Promise<{ count: number; more: boolean }> {
  const values: unknown[] = [owner, limit + 1]
  const resolved = await resolveCriteria(kind, owner, criteria)
  const conditions = toSqlConditions(kind, resolved, (value) => `$${values.push(value)}`)
  const where = ['user_id = $1', ...conditions].join(' and ')
  const text = `select count(*) as count from (select from ${kind.findView} where ${where} limit $2) matching`
  const [row] = await sql<{ count: number }>(text, values, { customPlan: conditions.length > 0 })
  const count = row?.count ?? 0
  return { count: Math.min(count, limit), more: count > limit }
}

/** The sort value in the cursor of a row in the section `full text`. */
const fullTextSortKey = 'full text'

/** The sizes of pages. They are part of the statement, because with a parameter as limit PostgreSQL would plan every execution again. */
const pageSizes = [20, 50, 100, 200, 1000]

/**
 * The parts of the statement that reads a section. `bounds`: SQL conditions on the owner and on the position after the cursor. `criteria`:
 * SQL conditions of the filter and the search. `values`: the parameters of both.
 */
type SectionQuery = {
  kind: RecordKind
  /** SQL for the columns of a row; the table is `c`. */
  columns: string
  values: unknown[]
  bounds: string[]
  criteria: string[]
  /** SQL for the text in the cursor of a row. */
  sortKey: string
  section: Section
  order: 'asc' | 'desc'
  /** The number of rows to read: one row more than a page has. If it exists, there is a next page. */
  size: number
  options: { customPlan: boolean }
}

/**
 * Reads the rows of a section in the fastest way. Without conditions it reads the table. For a search in a sorted list it looks for hits in
 * the next rows of the list, or sorts all hits. Otherwise it reads the find view. All ways return the same rows.
 */
async function readSection<R extends Row>(
  kind: RecordKind,
  owner: string,
  request: ResolvedRequest,
  section: Section,
  columns: string,
): Promise<(R & SortedRow)[]> {
  const query = createQuery(kind, owner, request, section, columns)
  const { bounds, criteria } = query
  if (criteria.length === 0 && isLeakproof(section)) return readFromTable<R>(query)
  if (request.search !== '' && section.name === 'filled') {
    const nearQuery = createQuery(kind, owner, { ...request, readsFewRows: true }, section, columns)
    const rows = (await searchNearRows<R>(nearQuery)) ?? (await searchSection<R>(query))
    if (rows) return rows
  }
  return readHits<R>(query, `${selectHits(query)} from ${kind.findView} where ${[...bounds, ...criteria].join(' and ')}`)
}

/** Creates the parts of the statement that reads a section. */
function createQuery(kind: RecordKind, owner: string, request: ResolvedRequest, section: Section, columns: string): SectionQuery {
  const { order, limit } = request
  const values: unknown[] = [owner]
  const bind: Bind = (value) => `$${values.push(value)}`
  const criteria = toSqlConditions(kind, request, bind)
  const bounds = ['user_id = $1', ...toCursorConditions(section, order, bind)]
  const sortKey = toSortKeySql(section)
  const size = (pageSizes.find((pageSize) => pageSize >= limit) ?? limit) + 1
  // only statements without conditions and with the list's columns are prepared, because there are too many different other statements
  const options = { customPlan: criteria.length > 0 || columns !== kind.rowColumns }
  return { kind, columns, values, bounds, criteria, sortKey, section, order, size, options }
}

/** Returns SQL for the first part of a row's cursor: its sort value, or a constant that says in which section the row is. */
function toSortKeySql({ name, column }: Section): string {
  if (name === 'filled') return `${column}::text`
  return name === 'full text' ? `'${fullTextSortKey}'` : `''`
}

/** Reads a section directly from the table, through an index. */
function readFromTable<R extends Row>(query: SectionQuery): Promise<(R & SortedRow)[]> {
  const { kind, columns, values, bounds, sortKey, section, order, size, options } = query
  const text = `select ${columns}, ${sortKey} as sort_key from ${kind.table} c where ${bounds.join(' and ')}
    order by ${toOrderSql(section, order)} limit ${size}`
  return sql<R & SortedRow>(text, values, options)
}

/** Returns SQL that selects the hits, which are the ids and the sort values of rows of the find view. */
const selectHits = ({ section, sortKey }: SectionQuery): string => `select id, ${section.column} as sort_value, ${sortKey} as sort_key`

const toHitOrderSql = ({ section, order }: SectionQuery): string => toOrderSql({ ...section, column: 'hit.sort_value' }, order, 'hit.id')

/** Selects the ids in `hits` first: an index-only scan finds them, and only the rows of the page are read from the table. */
function readHits<R extends Row>(query: SectionQuery, hits: string): Promise<(R & SortedRow)[]> {
  const { kind, columns, values, section, order, size, options } = query
  const text = `select ${columns}, hit.sort_key from (${hits} order by ${toOrderSql(section, order)} limit ${size}) hit
    join ${kind.table} c on c.user_id = $1 and c.id = hit.id order by ${toHitOrderSql(query)}`
  return sql<R & SortedRow>(text, values, options)
}

/** The number of rows after the cursor that are searched first, in the order of the list. A search with many hits finds a page in them. */
const nearRowCount = 500
/** If these rows have too few hits, all hits of the list are found and sorted, unless there are more than this number. */
const maxSortedHits = 30_000

/** Searches the next 500 rows of the list. Returns undefined if they do not fill the page. */
async function searchNearRows<R extends Row>(query: SectionQuery): Promise<(R & SortedRow)[] | undefined> {
  const { kind, bounds, criteria, section, order, size } = query
  const near = `(select * from ${kind.findView} where ${bounds.join(' and ')} order by ${toOrderSql(section, order)} limit ${nearRowCount}) near`
  const rows = await readHits<R>(query, `${selectHits(query)} from ${near} where ${criteria.join(' and ')}`)
  return rows.length === size ? rows : undefined
}

/** Returns the rows of a search, or undefined if it has too many hits to sort them; then they must be read from the sort index. */
async function searchSection<R extends Row>(query: SectionQuery): Promise<(R & SortedRow)[] | undefined> {
  const { kind, columns, values, bounds, criteria, size, options } = query
  const where = [...bounds, ...criteria].join(' and ')
  const rows = await sql<R & SortedRow & { hits: number }>(
    `with hits as materialized (${selectHits(query)} from ${kind.findView} where ${where} limit ${maxSortedHits + 1}),
       counted as (select count(*) as hits from hits)
     select ${columns}, hit.sort_key, counted.hits from counted
     left join lateral (select * from hits hit where counted.hits <= ${maxSortedHits} order by ${toHitOrderSql(query)} limit ${size}) hit on true
     left join ${kind.table} c on c.user_id = $1 and c.id = hit.id order by ${toHitOrderSql(query)}`,
    values,
    options,
  )
  const hasTooManyHits = rows.some(({ hits }) => hits > maxSortedHits)
  return hasTooManyHits ? undefined : rows.filter(({ id }) => id !== null)
}

/**
 * Whether the table's index can be used for the section. Row security allows an index only for operators that are marked as leakproof,
 * which means that their errors do not show values. The comparison of a numeric column with a cursor is not marked.
 */
const isLeakproof = ({ sort, after }: Section): boolean => sort?.type !== 'numeric' || after === undefined

/** Returns SQL conditions for the rows of a section after the cursor. */
function toCursorConditions({ name, column, sort, after }: Section, order: 'asc' | 'desc', bind: Bind): string[] {
  if (name === 'filled' && sort) {
    const isFilled = sort.emptyCondition === "= ''" ? `${column} > ''` : `${column} is not null`
    if (!after) return [isFilled]
    const isAfterCursor = `(${column}, id) ${order === 'desc' ? '<' : '>'} (${bind(after[0])}::${sort.type}, ${bind(after[1])}::uuid)`
    // in ascending order all rows after a cursor have a value; with a second lower bound the index scan would start at the first row
    return order === 'desc' ? [isFilled, isAfterCursor] : [isAfterCursor]
  }
  const bounds = sort ? [`${column} ${sort.emptyCondition}`] : []
  if (!after) return bounds
  const operator = order === 'desc' || isByTime(name) ? '<' : '>'
  return [...bounds, `id ${operator} ${bind(after[1])}`]
}

function toOrderSql({ name, column }: Section, order: 'asc' | 'desc', id = 'id'): string {
  if (isByTime(name)) return `${id} desc`
  return name === 'empty' ? `${id} ${order}` : `${column} ${order}, ${id} ${order}`
}

const isByTime = (name: Section['name']): boolean => name === 'newest' || name === 'full text'

/** Functions that check whether the text in a cursor can be a value of a type, because PostgreSQL would fail for another text. */
const sortKeyTests: Record<SortColumn['type'], (key: string) => boolean> = {
  text: () => true,
  int: (key) => /^-?\d{1,9}$/.test(key),
  bigint: (key) => /^-?\d{1,18}$/.test(key),
  numeric: (key) => /^-?\d{1,20}(\.\d{1,10})?$/.test(key),
  date: (key) => isDay(key),
  timestamptz: (key) => isDay(key.slice(0, 10)) && /^ ([01]\d|2[0-3])(:[0-5]\d){2}(\.\d{1,6})?\+00$/.test(key.slice(10)),
}

const isDay = (text: string): boolean => Day.safeParse(text).success

/** Throws `invalid` if the cursor cannot belong to this list. */
function refuseOtherCursor([key]: Cursor, { type }: SortColumn): void {
  if (!sortKeyTests[type](key)) throw new Refusal('invalid', { fields: { after: 'This is not a valid page cursor' } })
}

/** Returns a page of at most `limit` rows. A further row in `foundRows` means that there is a next page. */
function toPage<R>(foundRows: (R & SortedRow)[], limit: number): Page<R> {
  const rows = foundRows.slice(0, limit)
  const last = rows.at(-1)
  return { rows, next: last && foundRows.length > limit ? writeCursor([last.sort_key ?? '', last.id]) : null }
}

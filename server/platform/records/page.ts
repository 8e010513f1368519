import { countLimit, Day } from '#contract/lists.ts'
import { sql } from '#server/platform/database/database.ts'
import { readCursor, writeCursor, type Cursor } from '#server/platform/database/cursor.ts'
import type { Row } from '#server/platform/database/batch.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { conditionsOf, type Narrowing } from './conditions.ts'
import type { RecordKind, SortColumn } from './kind.ts'

export type PageRequest = Narrowing & { sort: string; order: 'asc' | 'desc'; after?: string | undefined; limit: number }
export type Page<R> = { rows: R[]; next: string | null }

/** What a walk along an index goes by. Rows without the sorted value are a walk of their own behind the others. */
type Walk = { name: 'newest' | 'filled' | 'empty'; column: string; sort?: SortColumn; after: Cursor | undefined }
type Found = { sort_key: string | null; id: string }

/** One page of a list, by keyset. `columns` of `c` are what a row shows. Throws `invalid` for an end of a page that is none. */
export async function readPage<R extends Row>(
  kind: RecordKind,
  owner: string,
  request: PageRequest,
  columns = kind.rowColumns,
): Promise<Page<R>> {
  const after = readCursor(request.after)
  const sort = kind.sorts[request.sort]
  if (!sort) return toPage(await walk<R>(kind, owner, request, { name: 'newest', column: 'id', after }, columns), request.limit)
  if (after && after[0] !== '') refuseForeignEnd(after, sort)
  const inEmpty = after?.[0] === ''
  const filled = inEmpty ? [] : await walk<R>(kind, owner, request, { name: 'filled', column: sort.column, sort, after }, columns)
  if (filled.length > request.limit) return toPage(filled, request.limit)
  const rest = { ...request, limit: request.limit - filled.length }
  const empty = await walk<R>(kind, owner, rest, { name: 'empty', column: sort.column, sort, after: inEmpty ? after : undefined }, columns)
  return toPage([...filled, ...empty], request.limit)
}

/** How many a search finds, exact up to the limit. */
export async function countRows(kind: RecordKind, owner: string, narrowing: Narrowing): Promise<{ count: number; more: boolean }> {
  const values: unknown[] = [owner, countLimit + 1]
  const conditions = conditionsOf(kind.filters, narrowing, (value) => `$${values.push(value)}`)
  const where = ['user_id = $1', ...conditions].join(' and ')
  const [row] = await sql<{ count: number }>(
    `select count(*) as count from (select from ${kind.find} where ${where} limit $2) found`,
    values,
    {
      customPlan: conditions.length > 0,
    },
  )
  const count = row?.count ?? 0
  return { count: Math.min(count, countLimit), more: count > countLimit }
}

/** How many rows are read for a page. They stand in the statement: planned without knowing them, it would be planned anew each time. */
const pageSizes = [20, 50, 100, 200, 1000]

/** One row more than asked for tells whether a page follows. */
async function walk<R extends Row>(
  kind: RecordKind,
  owner: string,
  request: PageRequest,
  way: Walk,
  columns: string,
): Promise<(R & Found)[]> {
  const values: unknown[] = [owner]
  const bind = (value: unknown): string => `$${values.push(value)}`
  const asked = conditionsOf(kind.filters, request, bind)
  const conditions = ['user_id = $1', ...asked, ...boundsOf(way, request.order, bind)]
  const order = orderOf(way, request.order)
  const size = (pageSizes.find((each) => each >= request.limit) ?? request.limit) + 1
  const rest = `where ${conditions.join(' and ')} order by ${order} limit ${size}`
  const key = way.name === 'filled' ? `${way.column}::text` : `''`
  // prepared for the lists alone: statements with conditions or columns of a caller's choice would be new ones without end
  const customPlan = asked.length > 0 || columns !== kind.rowColumns
  if (asked.length === 0 && isLeakproof(way))
    return sql<R & Found>(`select ${columns}, ${key} as sort_key from ${kind.table} c ${rest}`, values, { customPlan })
  // ids first: the search stays in the index, and only the page's rows are fetched
  const hits = `select id, ${way.column} as sort_value, ${key} as sort_key from ${kind.find} ${rest}`
  return sql<R & Found>(
    `select ${columns}, hit.sort_key from (${hits}) hit
     join ${kind.table} c on c.user_id = $1 and c.id = hit.id order by ${orderOf({ ...way, column: 'hit.sort_value' }, request.order, 'hit.id')}`,
    values,
    { customPlan },
  )
}

/** PostgreSQL does not compare numerics with an index before row security has looked at the row; everything else that is sorted it does. */
const isLeakproof = ({ sort, after }: Walk): boolean => sort?.type !== 'numeric' || after === undefined

function boundsOf({ name, column, sort, after }: Walk, order: 'asc' | 'desc', bind: (value: unknown) => string): string[] {
  const known = sort && (name === 'empty' ? `${column} ${sort.empty}` : sort.empty === "= ''" ? `${column} > ''` : `${column} is not null`)
  const bounds = known ? [known] : []
  if (!after) return bounds
  const [key, id] = after
  const beyond = order === 'desc' || name === 'newest' ? '<' : '>'
  if (name !== 'filled') return [...bounds, `id ${beyond} ${bind(id)}`]
  return [...bounds, `(${column}, id) ${beyond} (${bind(key)}::${sort?.type}, ${bind(id)}::uuid)`]
}

function orderOf({ name, column }: Walk, order: 'asc' | 'desc', id = 'id'): string {
  if (name === 'newest') return `${id} desc`
  return name === 'empty' ? `${id} ${order}` : `${column} ${order}, ${id} ${order}`
}

const ends: Record<SortColumn['type'], (key: string) => boolean> = {
  text: () => true,
  int: (key) => /^-?\d{1,9}$/.test(key),
  numeric: (key) => /^-?\d{1,20}(\.\d{1,10})?$/.test(key),
  date: (key) => isDay(key),
  timestamptz: (key) => isDay(key.slice(0, 10)) && /^ ([01]\d|2[0-3])(:[0-5]\d){2}(\.\d{1,6})?\+00$/.test(key.slice(10)),
}

const isDay = (text: string): boolean => Day.safeParse(text).success

function refuseForeignEnd([key]: Cursor, { type }: SortColumn): void {
  if (!ends[type](key)) throw new Refusal('invalid', { fields: { after: 'This is not the end of a page' } })
}

function toPage<R>(found: (R & Found)[], limit: number): Page<R> {
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return { rows, next: last && found.length > limit ? writeCursor([last.sort_key ?? '', last.id]) : null }
}

import { countLimit, type ContactRow, type ContactSort } from '#contract/contacts.ts'
import { sql } from '#server/platform/database/database.ts'
import { writeCursor, type Cursor } from '#server/platform/database/keyset.ts'
import { searchPatterns } from './search.ts'

export type ListRequest = {
  search: string
  sort: ContactSort
  order: 'asc' | 'desc'
  after: Cursor | undefined
  limit: number
}

type Page = { rows: ContactRow[]; next: string | null }
type Found = ContactRow & { sort_key: string }

/** The column that a sort goes by, as its index has it. */
const sortColumns: Record<Exclude<ContactSort, 'newest'>, string> = {
  name: 'name collate "und-x-icu"',
  email: 'email_key',
  company: 'company collate "und-x-icu"',
}

/** One page of contacts, by keyset. Contacts without the sorted value come last, whichever the order. */
export async function listContacts(owner: string, request: ListRequest): Promise<Page> {
  if (request.sort === 'newest') return toPage(await selectPage(owner, request, 'newest'), request.limit)
  const { after, order, limit } = request
  // descending, empty values are last by themselves; ascending, they are a second walk behind the first
  if (order === 'desc') return toPage(await selectPage(owner, request, 'desc'), limit)
  const filled = after?.[0] === '' ? [] : await selectPage(owner, request, 'filled')
  if (filled.length > limit) return toPage(filled, limit)
  const rest = { ...request, after: after?.[0] === '' ? after : undefined, limit: limit - filled.length }
  return toPage([...filled, ...(await selectPage(owner, rest, 'empty'))], limit)
}

type Walk = 'newest' | 'desc' | 'filled' | 'empty'

/** How many rows are read for a page. They stand in the statement: planned without knowing them, it would be planned anew each time. */
const pageSizes = [20, 50, 100, 200]

const rowColumns = `c.id, c.first_name, c.last_name, c.email, c.phone, c.mobile_phone, c.company, c.title, c.created_at,
  c.version, translate(left(c.description, 200), E'\\n\\r\\t', '   ') as notes`

/** One row more than asked for tells whether a page follows. */
async function selectPage(owner: string, { search, sort, after, limit }: ListRequest, walk: Walk): Promise<Found[]> {
  const values: unknown[] = [owner]
  const value = (given: unknown): string => `$${values.push(given)}`
  const column = sort === 'newest' ? "''" : sortColumns[sort]
  const patterns = searchPatterns(search)
  const conditions = ['user_id = $1', ...patterns.map((pattern) => `search like app.fold(${value(pattern)})`)]
  if (walk === 'filled') conditions.push(`${column} > ''`)
  if (walk === 'empty') conditions.push(`${column} = ''`)
  if (after) conditions.push(startsAfter(walk, column, after, value))
  const direction = { newest: 'id desc', desc: 'sort_key desc, id desc', filled: 'sort_key, id', empty: 'id' }[walk]
  const rest = `where ${conditions.join(' and ')} order by ${direction} limit ${(pageSizes.find((size) => size >= limit) ?? limit) + 1}`
  if (patterns.length === 0) return sql<Found>(`select ${rowColumns}, ${column} as sort_key from crm_contacts c ${rest}`, values)
  // ids first: the search stays in the index, and only the page's rows are fetched
  return sql<Found>(
    `select ${rowColumns}, hit.sort_key from (select id, ${column} as sort_key from crm_contacts_find ${rest}) hit
     join crm_contacts c on c.user_id = $1 and c.id = hit.id order by ${direction.replaceAll(/(sort_key|id)/g, 'hit.$1')}`,
    values,
    { fresh: true },
  )
}

function startsAfter(walk: Walk, column: string, [key, id]: Cursor, value: (given: unknown) => string): string {
  if (walk === 'newest') return `id < ${value(id)}`
  if (walk === 'empty') return `id > ${value(id)}`
  return `(${column}, id) ${walk === 'desc' ? '<' : '>'} (${value(key)}, ${value(id)})`
}

function toPage(found: Found[], limit: number): Page {
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return { rows, next: last && found.length > limit ? writeCursor([last.sort_key, last.id]) : null }
}

/** How many contacts a search finds, exact up to the limit. */
export async function countContacts(owner: string, search: string): Promise<{ count: number; more: boolean }> {
  const patterns = searchPatterns(search)
  const conditions = patterns.map((_, index) => ` and search like app.fold($${index + 3})`).join('')
  const [row] = await sql<{ count: number }>(
    `select count(*) as count from (select from crm_contacts_find where user_id = $1${conditions} limit $2) found`,
    [owner, countLimit + 1, ...patterns],
    { fresh: patterns.length > 0 },
  )
  const count = row?.count ?? 0
  return { count: Math.min(count, countLimit), more: count > countLimit }
}

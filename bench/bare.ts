// The bare server, a minimal server that the benchmark compares the product with. It uses node:http and prepared statements of `pg` on
// copies of the product's tables, without authentication, validation or history. The columns are the same, so both servers send the same
// responses. It trusts the header `owner`, which contains the id of the user.
import { createServer, type IncomingMessage } from 'node:http'
import pg from 'pg'
import { bookings } from '#server/bookings/kind.ts'
import { companies } from '#server/companies/kind.ts'
import { contacts } from '#server/contacts/kind.ts'
import { deals } from '#server/deals/kind.ts'
import { tasks } from '#server/tasks/kind.ts'
import { handwrittenFilter } from './filters.ts'

// formats values as the product does; by default `pg` would create a Date for each timestamp
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => `${text.slice(0, 10)}T${text.slice(11, text.lastIndexOf('+'))}Z`)
pg.types.setTypeParser(pg.types.builtins.DATE, String)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)

const kinds = [contacts, companies, deals, tasks]
type Kind = (typeof kinds)[number]
const [socketFolder] = process.argv.slice(2)
const pool = openPool('')
/** The connections for searches and filters. They plan each query for its values, because one plan for all values would often be slow. */
const planningPool = openPool('-c plan_cache_mode=force_custom_plan')

const server = createServer((request, response) => {
  respond(request).then(
    (body) => {
      const text = JSON.stringify(body)
      response.writeHead(request.method === 'POST' ? 201 : 200, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(text),
      })
      response.end(text)
    },
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
})
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify(server.address())))
process.stdin.resume().on('end', () => process.exit()) // exits when the process that started this one exits and so closes the pipe

async function respond(request: IncomingMessage): Promise<unknown> {
  const { method, url = '', headers } = request
  const { owner } = headers
  const id = url.slice('/api/contacts/'.length)
  if (url === '/api/bookings') return createBooking(owner, await readBody(request))
  if (method === 'POST') return createContact(owner, await readBody(request))
  if (method === 'PATCH') return updateContact(owner, id, await readBody(request))
  if (url.startsWith('/api/contacts/')) return readContact(owner, id)
  const [path = '', query] = url.split('?')
  const kind = kinds.find(({ plural }) => path === `/api/${plural}`)
  if (!kind) throw new Error(`There is no route ${path}`)
  return query === undefined ? readList(owner, kind) : findMatching(owner, kind, new URLSearchParams(query))
}

async function readList(owner: unknown, { plural, rowColumns, table }: Kind): Promise<unknown> {
  const text = `select ${rowColumns} from ${table} c where user_id = $1 order by id desc limit 51`
  const { rows } = await pool.query({ name: `list ${plural}`, text, values: [owner] })
  return toPage(rows)
}

async function findMatching(owner: unknown, { plural, rowColumns, table }: Kind, query: URLSearchParams): Promise<unknown> {
  const search = query.get('search')
  const { name, where, values } =
    search === null
      ? handwrittenFilter(plural, query.get('filter') ?? '')
      : { name: 'search', where: 'search like app.fold($2)', values: [`%${search}%`] }
  // the inner query finds the ids of one page with an index; the outer one reads the rows (`c` is the alias that `rowColumns` uses)
  const text = `select ${rowColumns} from (select id as found_id from ${table} where user_id = $1 and ${where} order by id desc limit 51) found
    join ${table} c on user_id = $1 and c.id = found_id order by c.id desc`
  const { rows } = await planningPool.query({ name: `${name} ${plural}`, text, values: [owner, ...values] })
  return toPage(rows)
}

/**
 * Returns a page of 50 rows. The queries read one row more, which shows that there is a next page. The cursor has the format of the
 * product's cursors.
 */
function toPage(foundRows: { id: string }[]): unknown {
  const rows = foundRows.slice(0, 50)
  const cursor = Buffer.from(JSON.stringify(['', rows.at(-1)?.id])).toString('base64url')
  return { rows, next: foundRows.length > 50 ? cursor : null }
}

async function readContact(owner: unknown, id: string): Promise<unknown> {
  const text = `select ${contacts.columns} from crm_contacts c where user_id = $1 and id = $2`
  const { rows } = await pool.query({ name: 'get', text, values: [owner, id] })
  return rows[0]
}

async function createContact(owner: unknown, fields: Record<string, unknown>): Promise<unknown> {
  const names = Object.keys(fields)
  const text = `insert into crm_contacts as c (user_id, ${names.join(', ')}) values ($1, ${names.map((_, index) => `$${index + 2}`).join(', ')})
    returning ${contacts.columns}`
  const { rows } = await pool.query({ name: `create ${names.length}`, text, values: [owner, ...Object.values(fields)] })
  return rows[0]
}

/** Inserts a booking while the owner is locked, as the product does for visitors. */
async function createBooking(owner: unknown, { title, start_time: start, end_time: end }: Record<string, unknown>): Promise<unknown> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query({ name: 'lock', text: 'select from profiles where user_id = $1 for no key update', values: [owner] })
    const text = `insert into bookings as c (user_id, title, start_time, end_time) values ($1, $2, $3, $4) returning ${bookings.columns}`
    const { rows } = await client.query({ name: 'book', text, values: [owner, title, start, end] })
    await client.query('commit')
    return rows[0]
  } finally {
    client.release()
  }
}

async function updateContact(owner: unknown, id: string, fields: Record<string, unknown>): Promise<unknown> {
  const names = Object.keys(fields)
  const text = `update crm_contacts c set ${names.map((name, index) => `${name} = $${index + 3}`).join(', ')}, version = version + 1,
    updated_at = now() where user_id = $1 and id = $2 returning ${contacts.columns}`
  const { rows } = await pool.query({ name: `update ${names[0]}`, text, values: [owner, id, ...Object.values(fields)] })
  return rows[0]
}

function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  return new Promise((resolve) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (part: string) => (text += part))
    request.on('end', () => resolve(JSON.parse(text)))
  })
}

/** Opens connections that find the tables of the schema `bare` first, because the product's tables in `public` have the same names. */
function openPool(options: string): pg.Pool {
  return new pg.Pool({
    host: socketFolder,
    user: 'foyer',
    database: 'foyer',
    max: 12,
    options: `-c TimeZone=UTC -c search_path=bare,public ${options}`,
  })
}

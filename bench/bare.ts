// What the product is measured against: node:http and prepared statements of `pg` on the bare table, and nothing else. It believes
// whoever asks, checks nothing and keeps no history.
import { createServer, type IncomingMessage } from 'node:http'
import pg from 'pg'

/** An instant as the product writes it; left to `pg` it would become a Date and a text again. */
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => `${text.slice(0, 10)}T${text.slice(11, text.lastIndexOf('+'))}Z`)

const listColumns = 'id, first_name, last_name, email, phone, mobile_phone, company, title, description as notes, created_at, version'
const columns = `id, first_name, last_name, email, phone, mobile_phone, company, title, department, mailing_street, mailing_city, mailing_state,
  mailing_postal_code, mailing_country, reports_to_id, lead_source, description, external_id, crm_connection_id, raw_data, created_at,
  updated_at, version, coalesce((select m.name from bare_contacts m where m.user_id = c.user_id and m.id = c.reports_to_id), '') as reports_to_name`
const [socketFolder] = process.argv.slice(2)
const pool = openPool('')
/** For searches: a plan for all words would be wrong for most. */
const planningPool = openPool('-c plan_cache_mode=force_custom_plan')

const server = createServer((request, response) => {
  answer(request).then(
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
process.stdin.resume().on('end', () => process.exit()) // ends with the process that started it

async function answer(request: IncomingMessage): Promise<unknown> {
  const { method, url = '', headers } = request
  const id = url.slice('/api/contacts/'.length)
  if (method === 'POST') return create(headers.owner, await bodyOf(request))
  if (method === 'PATCH') return update(headers.owner, id, await bodyOf(request))
  if (url === '/api/contacts') return list(headers.owner)
  return url.startsWith('/api/contacts?') ? search(headers.owner, url) : get(headers.owner, id)
}

async function list(owner: unknown): Promise<unknown> {
  const text = `select ${listColumns} from bare_contacts where user_id = $1 order by id desc limit 51`
  const { rows } = await pool.query({ name: 'list', text, values: [owner] })
  return page(rows)
}

async function search(owner: unknown, url: string): Promise<unknown> {
  const pattern = `%${new URLSearchParams(url.slice(url.indexOf('?'))).get('search')}%`
  const text = `select ${listColumns} from (select id as found from bare_contacts where user_id = $1 and search like app.fold($2) order by id desc limit 51) hit
    join bare_contacts on user_id = $1 and id = found order by id desc`
  const { rows } = await planningPool.query({ name: 'search', text, values: [owner, pattern] })
  return page(rows)
}

function page(found: { id: string; notes: string }[]): unknown {
  const rows = found.slice(0, 50)
  for (const row of rows) row.notes = row.notes.slice(0, 200).replaceAll(/\s+/g, ' ')
  const next = found.length > 50 ? Buffer.from(JSON.stringify(['', rows.at(-1)?.id])).toString('base64url') : null
  return { rows, next }
}

async function get(owner: unknown, id: string): Promise<unknown> {
  const text = `select ${columns} from bare_contacts c where user_id = $1 and id = $2`
  const { rows } = await pool.query({ name: 'get', text, values: [owner, id] })
  return rows[0]
}

async function create(owner: unknown, fields: Record<string, unknown>): Promise<unknown> {
  const names = Object.keys(fields)
  const text = `insert into bare_contacts as c (user_id, ${names.join(', ')}) values ($1, ${names.map((_, index) => `$${index + 2}`).join(', ')}) returning ${columns}`
  const { rows } = await pool.query({ name: `create ${names.length}`, text, values: [owner, ...Object.values(fields)] })
  return rows[0]
}

async function update(owner: unknown, id: string, fields: Record<string, unknown>): Promise<unknown> {
  const names = Object.keys(fields)
  const text = `update bare_contacts c set ${names.map((name, index) => `${name} = $${index + 3}`).join(', ')}, version = version + 1, updated_at = now()
    where user_id = $1 and id = $2 returning ${columns}`
  const { rows } = await pool.query({ name: `update ${names[0]}`, text, values: [owner, id, ...Object.values(fields)] })
  return rows[0]
}

function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  return new Promise((done) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (part: string) => (text += part))
    request.on('end', () => done(JSON.parse(text)))
  })
}

function openPool(options: string): pg.Pool {
  return new pg.Pool({ host: socketFolder, user: 'foyer', database: 'foyer', max: 12, options: `-c TimeZone=UTC ${options}` })
}

// Bulk actions do not keep other requests waiting. The tests lock rows as the table owner, so that a bulk action cannot end.
import { request } from 'node:http'
import type { LightMyRequestResponse } from 'fastify'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '#server/platform/database/database.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'

let app: TestApp
let ada: Person
let grace: Person
let edsger: Person
let address: string
const log: string[] = []
beforeAll(async () => {
  app = await openTestApp({ logger: { level: 'debug', stream: { write: (line: string) => void log.push(line) } } })
  address = await app.server.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.stop())
beforeEach(async () => {
  log.length = 0
  ;[ada, grace, edsger] = await Promise.all([signInAs(app, 'ada'), signInAs(app, 'grace'), signInAs(app, 'edsger')])
  await Promise.all([ada, grace, edsger].map(addContacts))
})

const addContacts = ({ id }: Person): Promise<unknown> =>
  app.database.transaction(callerFor(id), 'Imported', () =>
    sql(`insert into crm_contacts (user_id, first_name) select $1, 'Number ' || n from generate_series(1, 300) n`, [id]),
  )

type Answer = Promise<LightMyRequestResponse>
const post = (person: Person, url: string, payload: object): Answer => person.send({ method: 'POST', url, payload })
const matching = { search: 'number' }
const edit = (person: Person): Answer => post(person, '/api/contacts/bulk/edit', { matching, fields: { department: `${Math.random()}` } })
const tag = (person: Person): Answer => post(person, '/api/contacts/bulk/tag', { matching, add: [`Tag ${Math.random()}`] })
const many = (person: Person, work: (person: Person) => Answer): Answer[] => Array.from({ length: 4 }, () => work(person))

/** Locks the contacts of these users until the returned function is called. */
async function hold(...people: Person[]): Promise<() => Promise<void>> {
  const client: pg.PoolClient = await app.owner.connect()
  await client.query('begin')
  await client.query('select from crm_contacts where user_id = any($1) for update', [people.map(({ id }) => id)])
  return async () => {
    await client.query('rollback')
    client.release()
  }
}

/** Returns the number of connections that wait for the locked rows. */
const stopped = async (): Promise<number> => {
  const { rows } = await app.owner.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and usename = 'foyer_app' and pid in (select pid from pg_locks where not granted)`,
  )
  return rows[0]?.count ?? 0
}

/** Sends small requests and waits for all of them. */
async function sendSmallRequests(person: Person): Promise<number[]> {
  const added = await post(person, '/api/contacts', { first_name: 'Small', last_name: 'Thing' })
  const url = `/api/contacts/${added.json().id}`
  const responses = [
    added,
    await person.send({ url: '/api/contacts?search=thing' }),
    await person.send({ method: 'PATCH', url, payload: { title: 'One' } }),
    await person.send({ method: 'POST', url: `/api/changes/${String(added.headers['foyer-change'])}/undo` }),
    await post(person, '/api/contacts/bulk/edit', { ids: [await anyIdOf(person)], fields: { title: 'Two' } }),
  ]
  return responses.map(({ statusCode }) => statusCode)
}

async function anyIdOf(person: Person): Promise<string> {
  const { rows } = await app.owner.query<{ id: string }>('select id from crm_contacts where user_id = $1 limit 1', [person.id])
  return rows[0]?.id ?? ''
}

test('while bulk edits of two owners run, requests of a third owner and small requests get responses', async () => {
  const release = await hold(ada, grace)
  const bulk = [...many(ada, edit), ...many(grace, edit), ...many(ada, tag), ...many(grace, tag)]
  await expect.poll(stopped).toBe(2)
  expect(await sendSmallRequests(edsger)).toEqual([201, 200, 200, 200, 204])
  expect((await ada.send({ url: '/api/contacts' })).statusCode).toBe(200)
  expect((await post(ada, '/api/companies', { name: 'Engines' })).statusCode).toBe(201)
  expect(await stopped()).toBe(2)
  await release()
  expect((await Promise.all(bulk)).map(({ statusCode }) => statusCode)).toEqual(bulk.map(() => 204))
})

test('one owner runs one bulk edit at a time, and does not block other owners', async () => {
  const release = await hold(ada)
  const bulk = many(ada, edit)
  await expect.poll(stopped).toBe(1)
  expect((await edit(grace)).statusCode).toBe(204)
  expect(await stopped()).toBe(1)
  await release()
  expect((await Promise.all(bulk)).map(({ statusCode }) => statusCode)).toEqual(bulk.map(() => 204))
})

test('large undos and deletes are limited in the same way', async () => {
  const changes = (await Promise.all([ada, grace].flatMap((person) => [edit(person), tag(person)]))).map(({ headers }) =>
    String(headers['foyer-change']),
  )
  const release = await hold(ada, grace)
  const undo = (person: Person, change = ''): Answer => person.send({ method: 'POST', url: `/api/changes/${change}/undo` })
  const bulk = [
    ...[ada, ada, grace, grace].map((person, index) => undo(person, changes[index])),
    ...[ada, grace].flatMap((person) => many(person, (each) => post(each, '/api/contacts/bulk/delete', { matching }))),
  ]
  await expect.poll(stopped).toBe(2)
  expect(await sendSmallRequests(edsger)).toEqual([201, 200, 200, 200, 204])
  expect(await stopped()).toBe(2)
  await release()
  await Promise.all(bulk)
})

test('six requests that delete one record with many dependants use one connection', async () => {
  const ids = await Promise.all(Array.from({ length: 6 }, () => anyIdOf(ada)))
  const release = await hold(ada)
  const deletes = ids.map((id) => ada.send({ method: 'DELETE', url: `/api/contacts/${id}` }))
  await expect.poll(stopped).toBe(1)
  expect(await sendSmallRequests(edsger)).toEqual([201, 200, 200, 200, 204])
  expect(await stopped()).toBe(1)
  await release()
  expect((await Promise.all(deletes)).map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([204, 404, 404, 404, 404, 404])
})

/** Sends a bulk edit on a separate connection, which can be closed. */
function sendBulkEdit({ token }: Person, key: string) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key }
  const asking = request(`${address}/api/contacts/bulk/edit`, { method: 'POST', headers, agent: false })
  const wire = { key, status: 0, retryAfter: '', leave: () => void asking.destroy() }
  asking.on('error', () => {}) // the test closes the connection
  asking.on('response', (response) => {
    wire.status = response.statusCode ?? 0
    wire.retryAfter = response.headers['retry-after'] ?? ''
    response.resume()
  })
  asking.end(JSON.stringify({ matching, fields: { department: key } }))
  return wire
}

/** Fills the queue: sends bulk edits until three are refused. */
async function fillQueue(person: Person, places: number) {
  const wires = Array.from({ length: places + 3 }, (_, index) => sendBulkEdit(person, `line-${index}`))
  await expect.poll(() => wires.filter(({ status }) => status === 429)).toHaveLength(3)
  expect(wires.filter(({ status }) => status !== 429).map(({ status }) => status)).toEqual(Array.from({ length: places }, () => 0))
  return { longTransaction: wires.filter(({ status }) => status === 0), refused: wires.filter(({ status }) => status === 429) }
}

const connections = (): Promise<number> =>
  new Promise((found, fail) => app.server.server.getConnections((error, count) => (error ? fail(error) : found(count))))

/** Returns the number of requests that were dropped. No other may have failed. */
function left(): number {
  expect(log.filter((line) => /"level":[456]0/.test(line))).toEqual([])
  return log.filter((line) => line.includes('the client disconnected')).length
}

/** Returns the departments that the bulk edits of this user have written, one per change set. */
async function editsOf(person: Person): Promise<string[]> {
  const { rows } = await app.owner.query<{ department: string }>(
    `select distinct on (c.id) j.after ->> 'department' as department from changesets c join journal j on j.change = c.id
     where c.user_id = $1 and j.operation = 'U' order by c.id`,
    [person.id],
  )
  return rows.map(({ department }) => department)
}

const repeatEdit = (person: Person, key: string): Answer =>
  person.send({
    method: 'POST',
    url: '/api/contacts/bulk/edit',
    headers: { 'idempotency-key': key },
    payload: { matching, fields: { department: key } },
  })

test('at most eight bulk edits of one owner wait; more get 429 immediately, and other owners do not', async () => {
  const release = await hold(ada)
  const first = edit(ada)
  await expect.poll(stopped).toBe(1)
  const { longTransaction, refused } = await fillQueue(ada, 8)
  expect(refused.map(({ retryAfter }) => retryAfter)).toEqual(['5', '5', '5'])
  expect((await edit(grace)).statusCode).toBe(204)
  expect((await ada.send({ url: '/api/contacts' })).statusCode).toBe(200)
  await release()
  expect((await first).statusCode).toBe(204)
  await expect.poll(() => longTransaction.map(({ status }) => status)).toEqual(longTransaction.map(() => 204))
  expect((await repeatEdit(ada, refused[0]?.key ?? '')).statusCode).toBe(204)
  expect((await editsOf(ada)).at(-1)).toBe(refused[0]?.key)
})

test.each(['its owner', 'all owners'])('a request whose client disconnects while it waits in the queue of %s is dropped', async (line) => {
  const others = line === 'their own' ? [ada] : [grace, edsger]
  const release = await hold(...others)
  const running = others.map(edit)
  await expect.poll(stopped).toBe(running.length)
  const { longTransaction } = await fillQueue(ada, line === 'their own' ? 8 : 9)
  for (const { leave } of longTransaction) leave()
  await expect.poll(left).toBe(longTransaction.length)
  const again = longTransaction.slice(0, 3).map(({ key }) => key)
  const repeats = again.map((key) => repeatEdit(ada, key))
  await release()
  expect((await Promise.all([...running, ...repeats])).map(({ statusCode }) => statusCode)).toEqual([...running, ...repeats].map(() => 204))
  expect((await editsOf(ada)).slice(-3).toSorted()).toEqual(again.toSorted())
  expect(await editsOf(ada)).toHaveLength(line === 'their own' ? 4 : 3)
})

test('a request that has begun is completed when its client disconnects, and a retry gets the response', async () => {
  const release = await hold(ada)
  const begun = sendBulkEdit(ada, 'begun')
  await expect.poll(stopped).toBe(1)
  begun.leave()
  await expect.poll(connections).toBe(0)
  await release()
  await expect.poll(() => editsOf(ada)).toEqual(['begun'])
  const repeat = await repeatEdit(ada, 'begun')
  expect([repeat.statusCode, repeat.headers['foyer-change']]).toEqual([204, expect.any(String)])
  expect(await editsOf(ada)).toEqual(['begun'])
})

async function countContacts({ id }: Person): Promise<number> {
  const { rows } = await app.owner.query<{ count: number }>('select count(*)::int as count from crm_contacts where user_id = $1', [id])
  return rows[0]?.count ?? 0
}

test('a request whose client disconnects before its session is read does nothing', async () => {
  const url = `${address}/api/contacts/${await anyIdOf(ada)}`
  const client: pg.PoolClient = await app.owner.connect()
  await client.query('begin; lock table sessions')
  const asking = request(url, { method: 'DELETE', headers: { authorization: `Bearer ${ada.token}` }, agent: false })
  asking.on('error', () => {}).end()
  await expect.poll(stopped).toBe(1)
  asking.destroy()
  await expect.poll(connections).toBe(0)
  await client.query('rollback')
  client.release()
  await expect.poll(left).toBe(1)
  expect(await countContacts(ada)).toBe(300)
})

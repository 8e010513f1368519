// Bulk actions by a filter or on more than 50 ids do not make other requests wait: one owner runs one of them at a time, all owners
// together run two, and at most eight others of an owner wait. The tests lock rows as the table owner, so that bulk actions cannot end
// before the tests unlock the rows.
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

type ResponsePromise = Promise<LightMyRequestResponse>
const post = (person: Person, url: string, payload: object): ResponsePromise => person.send({ method: 'POST', url, payload })
const matching = { search: 'number' }
const editMany = (person: Person): ResponsePromise =>
  post(person, '/api/contacts/bulk/edit', { matching, fields: { department: `${Math.random()}` } })
const tagMany = (person: Person): ResponsePromise => post(person, '/api/contacts/bulk/tag', { matching, add: [`Tag ${Math.random()}`] })
const sendFour = (person: Person, send: (person: Person) => ResponsePromise): ResponsePromise[] =>
  Array.from({ length: 4 }, () => send(person))

/** Locks the contacts of these users until the returned function is called. */
async function lockContacts(...people: Person[]): Promise<() => Promise<void>> {
  const client: pg.PoolClient = await app.tableOwner.connect()
  await client.query('begin')
  await client.query('select from crm_contacts where user_id = any($1) for update', [people.map(({ id }) => id)])
  return async () => {
    await client.query('rollback')
    client.release()
  }
}

/** Returns the number of connections that wait for the locked rows. */
const countWaiting = async (): Promise<number> => {
  const { rows } = await app.tableOwner.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and usename = 'foyer_app' and pid in (select pid from pg_locks where not granted)`,
  )
  return rows[0]?.count ?? 0
}

/**
 * Sends five small requests, one after the other: a new contact, a search, an edit, an undo and a bulk edit. Returns their status codes.
 */
async function sendSmallRequests(person: Person): Promise<number[]> {
  const addition = await post(person, '/api/contacts', { first_name: 'Small', last_name: 'Thing' })
  const url = `/api/contacts/${addition.json().id}`
  const responses = [
    addition,
    await person.send({ url: '/api/contacts?search=thing' }),
    await person.send({ method: 'PATCH', url, payload: { title: 'One' } }),
    await person.send({ method: 'POST', url: `/api/changes/${String(addition.headers['foyer-change'])}/undo` }),
    await post(person, '/api/contacts/bulk/edit', { ids: [await anyIdOf(person)], fields: { title: 'Two' } }),
  ]
  return responses.map(({ statusCode }) => statusCode)
}

/** The status codes of `sendSmallRequests` when all five requests succeed. */
const successStatuses = [201, 200, 200, 200, 204]

async function anyIdOf(person: Person): Promise<string> {
  const { rows } = await app.tableOwner.query<{ id: string }>('select id from crm_contacts where user_id = $1 limit 1', [person.id])
  return rows[0]?.id ?? ''
}

test('while bulk edits of two owners run, the requests of a third owner and small requests of one of the two get responses', async () => {
  const release = await lockContacts(ada, grace)
  const bulkResponses = [...sendFour(ada, editMany), ...sendFour(grace, editMany), ...sendFour(ada, tagMany), ...sendFour(grace, tagMany)]
  await expect.poll(countWaiting).toBe(2)
  expect(await sendSmallRequests(edsger)).toEqual(successStatuses)
  expect((await ada.send({ url: '/api/contacts' })).statusCode).toBe(200)
  expect((await post(ada, '/api/companies', { name: 'Engines' })).statusCode).toBe(201)
  expect(await countWaiting()).toBe(2)
  await release()
  expect((await Promise.all(bulkResponses)).map(({ statusCode }) => statusCode)).toEqual(bulkResponses.map(() => 204))
})

test('one owner runs one bulk edit at a time, and does not block other owners', async () => {
  const release = await lockContacts(ada)
  const bulkResponses = sendFour(ada, editMany)
  await expect.poll(countWaiting).toBe(1)
  expect((await editMany(grace)).statusCode).toBe(204)
  expect(await countWaiting()).toBe(1)
  await release()
  expect((await Promise.all(bulkResponses)).map(({ statusCode }) => statusCode)).toEqual(bulkResponses.map(() => 204))
})

test('large undos and deletes are limited in the same way', async () => {
  const changes = (await Promise.all([ada, grace].flatMap((person) => [editMany(person), tagMany(person)]))).map(({ headers }) =>
    String(headers['foyer-change']),
  )
  const release = await lockContacts(ada, grace)
  const undoChange = (person: Person, change = ''): ResponsePromise => person.send({ method: 'POST', url: `/api/changes/${change}/undo` })
  const bulkResponses = [
    ...[ada, ada, grace, grace].map((person, index) => undoChange(person, changes[index])),
    ...[ada, grace].flatMap((person) => sendFour(person, (owner) => post(owner, '/api/contacts/bulk/delete', { matching }))),
  ]
  await expect.poll(countWaiting).toBe(2)
  expect(await sendSmallRequests(edsger)).toEqual(successStatuses)
  expect(await countWaiting()).toBe(2)
  await release()
  await Promise.all(bulkResponses)
})

test('six simultaneous requests of an owner that delete the same record use one connection', async () => {
  const url = `/api/contacts/${await anyIdOf(ada)}`
  const release = await lockContacts(ada)
  const deletes = Array.from({ length: 6 }, () => ada.send({ method: 'DELETE', url }))
  await expect.poll(countWaiting).toBe(1)
  expect(await sendSmallRequests(edsger)).toEqual(successStatuses)
  expect(await countWaiting()).toBe(1)
  await release()
  expect((await Promise.all(deletes)).map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([204, 404, 404, 404, 404, 404])
})

/** Sends a bulk edit on a separate connection, which `disconnect` closes. `status` is 0 until the response arrives. */
function sendBulkEdit({ token }: Person, key: string) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key }
  const clientRequest = request(`${address}/api/contacts/bulk/edit`, { method: 'POST', headers, agent: false })
  const bulkEdit = { key, status: 0, retryAfter: '', disconnect: () => void clientRequest.destroy() }
  clientRequest.on('error', () => {}) // closing the connection causes an error
  clientRequest.on('response', (response) => {
    bulkEdit.status = response.statusCode ?? 0
    bulkEdit.retryAfter = response.headers['retry-after'] ?? ''
    response.resume()
  })
  clientRequest.end(JSON.stringify({ matching, fields: { department: key } }))
  return bulkEdit
}

/** Sends three bulk edits more than the queue has free places. Returns the edits that wait and the three edits that were refused. */
async function fillQueue(person: Person, places: number) {
  const bulkEdits = Array.from({ length: places + 3 }, (_, index) => sendBulkEdit(person, `queued-${index}`))
  const refused = () => bulkEdits.filter(({ status }) => status === 429)
  await expect.poll(refused).toHaveLength(3)
  const waiting = bulkEdits.filter(({ status }) => status === 0)
  expect(waiting).toHaveLength(places)
  return { waiting, refused: refused() }
}

const countConnections = (): Promise<number> =>
  new Promise((resolve, reject) => app.server.server.getConnections((error, count) => (error ? reject(error) : resolve(count))))

/** Returns the number of requests that were dropped because their client disconnected. Fails if the log has other errors. */
function countDropped(): number {
  expect(log.filter((line) => /"level":[456]0/.test(line))).toEqual([])
  return log.filter((line) => line.includes('the client disconnected')).length
}

/** Returns the departments that the bulk edits of this user have written, one per change set, in order. */
async function readEdits(person: Person): Promise<string[]> {
  const { rows } = await app.tableOwner.query<{ department: string }>(
    `select distinct on (c.id) j.after ->> 'department' as department from changesets c join journal j on j.change = c.id
     where c.user_id = $1 and j.operation = 'U' order by c.id`,
    [person.id],
  )
  return rows.map(({ department }) => department)
}

const repeatEdit = (person: Person, key: string): ResponsePromise =>
  person.send({
    method: 'POST',
    url: '/api/contacts/bulk/edit',
    headers: { 'idempotency-key': key },
    payload: { matching, fields: { department: key } },
  })

test('at most eight bulk edits of one owner wait; further ones get 429 immediately, and other owners are not affected', async () => {
  const release = await lockContacts(ada)
  const first = editMany(ada)
  await expect.poll(countWaiting).toBe(1)
  const { waiting, refused } = await fillQueue(ada, 8)
  expect(refused.map(({ retryAfter }) => retryAfter)).toEqual(['5', '5', '5'])
  expect((await editMany(grace)).statusCode).toBe(204)
  expect((await ada.send({ url: '/api/contacts' })).statusCode).toBe(200)
  await release()
  expect((await first).statusCode).toBe(204)
  await expect.poll(() => waiting.map(({ status }) => status)).toEqual(waiting.map(() => 204))
  expect((await repeatEdit(ada, refused[0]?.key ?? '')).statusCode, 'a refused edit is made when it is sent again').toBe(204)
  expect((await readEdits(ada)).at(-1)).toBe(refused[0]?.key)
})

test.each(['its owner', 'all owners'])('a request whose client disconnects while it waits in the queue of %s is dropped', async (queue) => {
  const isOwnQueue = queue === 'its owner'
  const others = isOwnQueue ? [ada] : [grace, edsger]
  const release = await lockContacts(...others)
  const running = others.map(editMany)
  await expect.poll(countWaiting).toBe(running.length)
  const { waiting } = await fillQueue(ada, isOwnQueue ? 8 : 9) // one edit of ada waits for a slot of all owners, and eight wait behind it
  for (const { disconnect } of waiting) disconnect()
  await expect.poll(countDropped).toBe(waiting.length)
  const repeatedKeys = waiting.slice(0, 3).map(({ key }) => key)
  const repeats = repeatedKeys.map((key) => repeatEdit(ada, key))
  await release()
  expect((await Promise.all([...running, ...repeats])).map(({ statusCode }) => statusCode)).toEqual([...running, ...repeats].map(() => 204))
  expect((await readEdits(ada)).slice(-3).toSorted()).toEqual(repeatedKeys.toSorted())
  expect(await readEdits(ada)).toHaveLength(isOwnQueue ? 4 : 3) // the three repeated edits, and in the first case the running edit of ada
})

test('a request that already writes is completed when its client disconnects, and a retry gets the response', async () => {
  const release = await lockContacts(ada)
  const { disconnect } = sendBulkEdit(ada, 'begun')
  await expect.poll(countWaiting).toBe(1)
  disconnect()
  await expect.poll(countConnections).toBe(0)
  await release()
  await expect.poll(() => readEdits(ada)).toEqual(['begun'])
  const repeat = await repeatEdit(ada, 'begun')
  expect([repeat.statusCode, repeat.headers['foyer-change']]).toEqual([204, expect.any(String)])
  expect(await readEdits(ada)).toEqual(['begun'])
})

async function countContacts({ id }: Person): Promise<number> {
  const { rows } = await app.tableOwner.query<{ count: number }>('select count(*)::int as count from crm_contacts where user_id = $1', [id])
  return rows[0]?.count ?? 0
}

test('a request whose client disconnects before its session is read does nothing', async () => {
  const url = `${address}/api/contacts/${await anyIdOf(ada)}`
  const client: pg.PoolClient = await app.tableOwner.connect()
  await client.query('begin; lock table sessions')
  const clientRequest = request(url, { method: 'DELETE', headers: { authorization: `Bearer ${ada.token}` }, agent: false })
  clientRequest.on('error', () => {}).end()
  await expect.poll(countWaiting).toBe(1)
  clientRequest.destroy()
  await expect.poll(countConnections).toBe(0)
  await client.query('rollback')
  client.release()
  await expect.poll(countDropped).toBe(1)
  expect(await countContacts(ada)).toBe(300)
})

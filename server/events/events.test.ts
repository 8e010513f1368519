// The stream of events that tells open browsers which tables have changed.
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChangeEvent } from '#contract/events.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'

let app: TestApp
let ada: Person
let address: string
beforeAll(async () => {
  app = await openTestApp()
  ada = await signInAs(app, 'ada')
  address = await app.server.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.stop())

/** Opens a stream as a browser does. Every message is added to `received`. */
async function listen(person: Person, serverAddress = address) {
  const client = new AbortController()
  const response = await fetch(`${serverAddress}/api/events`, {
    headers: { authorization: `Bearer ${person.token}` },
    signal: client.signal,
  })
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
  const received: ChangeEvent[] = []
  const ended = (async () => {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      for (const line of chunk.split('\n')) if (line.startsWith('data: ')) received.push(JSON.parse(line.slice('data: '.length)))
    }
  })().catch(() => {}) // rejects when the client disconnects
  return { received, disconnect: () => client.abort(), ended }
}

test('a stream sends the id and the tables of a change to its owner only', async () => {
  const grace = await signInAs(app, 'grace')
  const [adasStream, gracesStream] = await Promise.all([listen(ada), listen(grace)])
  const addition = await ada.send({ method: 'POST', url: '/api/contacts', payload: { first_name: 'Secret', last_name: 'Person' } })
  await expect.poll(() => adasStream.received).toEqual([{ change: addition.headers['foyer-change'], tables: ['crm_contacts'] }])
  await grace.send({ method: 'POST', url: '/api/contacts', payload: { first_name: 'Other', last_name: 'Person' } })
  await expect.poll(() => gracesStream.received.length).toBe(1)
  expect(gracesStream.received).not.toEqual(adasStream.received)
  expect(adasStream.received).toHaveLength(1)
  adasStream.disconnect()
  gracesStream.disconnect()
})

test('a stream opens when it has read the state of the database, so that it misses no change after its opening', async () => {
  const otherApp = await openTestApp() // no stream is open, so the database is not read yet
  const grace = await signInAs(otherApp, 'grace')
  const otherAddress = await otherApp.server.listen({ port: 0, host: '127.0.0.1' })
  const blocker = await otherApp.tableOwner.connect()
  await blocker.query('begin; lock table unjournaled_writes in access exclusive mode') // the stream reads this table, and the write below does not
  let isOpen = false
  const opening = listen(grace, otherAddress).then((stream) => {
    isOpen = true
    return stream
  })
  const waitingReads = `select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like 'with current as materialized%'`
  await expect.poll(async () => (await otherApp.tableOwner.query(waitingReads)).rowCount).toBe(1)
  const addContact = () => grace.send({ method: 'POST', url: '/api/contacts', payload: { first_name: 'Other', last_name: 'Person' } })
  await addContact()
  expect(isOpen).toBe(false)
  await blocker.query('rollback')
  blocker.release()
  const stream = await opening
  const addition = await addContact()
  await expect.poll(() => stream.received.map(({ change }) => change)).toContain(addition.headers['foyer-change'])
  stream.disconnect()
  await otherApp.stop()
})

test('a stream sends a message when the history was erased, so that open screens load the history again', async () => {
  const stream = await listen(ada)
  await ada.send({ method: 'DELETE', url: '/api/changes' })
  await expect.poll(() => stream.received.map(({ tables }) => tables)).toEqual([['journal']])
  stream.disconnect()
})

test('a stream sends a message when records are erased from the trash, so that other open screens load the trash again', async () => {
  const grace = await signInAs(app, 'grace')
  const ids: string[] = []
  for (const title of ['First engine', 'Second engine']) {
    const { id } = (await grace.send({ method: 'POST', url: '/api/deals', payload: { title } })).json()
    await grace.send({ method: 'DELETE', url: `/api/deals/${id}` })
    ids.push(id)
  }
  const stream = await listen(grace)
  // the changes shortly before the opening of the stream may be sent too
  const countErasures = () => stream.received.filter(({ tables }) => tables.includes('journal')).length
  await grace.send({ method: 'DELETE', url: `/api/trash/${ids[0]}` })
  await expect.poll(countErasures).toBe(1)
  await grace.send({ method: 'DELETE', url: '/api/trash' })
  await expect.poll(countErasures).toBe(2)
  stream.disconnect()
})

test('a stream ends when its session is deleted, and sends no further change', async () => {
  const grace = await signInAs(app, 'grace')
  const credentials = { email: grace.email, password: 'engine no. 1' }
  const secondSession = (await app.server.inject({ method: 'POST', url: '/api/session', payload: credentials })).json()
  const stream = await listen({ ...grace, token: secondSession.token })
  await grace.send({ method: 'DELETE', url: `/api/sessions/${secondSession.session_id}` })
  await grace.send({ method: 'POST', url: '/api/contacts', payload: { first_name: 'Other', last_name: 'Person' } })
  await stream.ended
  expect(stream.received).toEqual([])
})

test('an owner with fifty open streams gets status 429 until one ends, and other owners can still open streams', async () => {
  const [grace, edsger] = await Promise.all([signInAs(app, 'grace'), signInAs(app, 'edsger')])
  const requestStream = () => fetch(`${address}/api/events`, { headers: { authorization: `Bearer ${grace.token}` } })
  const openStreams = await Promise.all(Array.from({ length: 50 }, () => listen(grace)))
  const refusal = await requestStream()
  expect(refusal.status).toBe(429)
  expect(await refusal.json()).toMatchObject({ code: 'too_many_requests', retry_after_seconds: 15 })
  const other = await listen(edsger)
  openStreams.pop()?.disconnect()
  const requestStatus = async (): Promise<number> => {
    const { status, body } = await requestStream()
    await body?.cancel()
    return status
  }
  await expect.poll(requestStatus).toBe(200)
  for (const { disconnect } of [...openStreams, other]) disconnect()
})

// each open stream of an owner takes one of 50 slots, which are rows of the table app.slots
test('a client that disconnects before its stream opens does not count as an open stream', async () => {
  const grace = await signInAs(app, 'grace')
  const blocker = await app.tableOwner.connect()
  await blocker.query('begin; lock table app.slots in exclusive mode')
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  socket.write(`GET /api/events HTTP/1.1\r\nHost: foyer.test\r\nAuthorization: Bearer ${grace.token}\r\n\r\n`)
  const waitingLocks = `select from pg_locks where not granted and relation = 'app.slots'::regclass`
  await expect.poll(async () => (await app.tableOwner.query(waitingLocks)).rowCount, { message: 'the request waits for its slot' }).toBe(1)
  const closed = once(socket, 'close')
  socket.destroy()
  await closed
  await blocker.query('rollback')
  blocker.release()
  const stream = await listen(grace) // the first request waited for the table earlier, so a slot that it takes would be counted below
  await expect.poll(() => countSlots(grace)).toBe(1)
  stream.disconnect()
})

test('a stop of the server does not wait for open streams and ends them', async () => {
  const stoppedApp = await openTestApp()
  const person = await signInAs(stoppedApp, 'ada')
  const url = await stoppedApp.server.listen({ port: 0, host: '127.0.0.1' })
  const response = await fetch(`${url}/api/events`, { headers: { authorization: `Bearer ${person.token}` } })
  const started = performance.now()
  await stoppedApp.stop()
  expect(performance.now() - started).toBeLessThan(3000)
  expect(await response.text()).toContain(': open') // the comment with which each stream begins
})

const countSlots = async ({ id }: Person) =>
  (await app.tableOwner.query('select from app.slots where name = $1', [`event streams of ${id}`])).rowCount

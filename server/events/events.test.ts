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
async function listen(person: Person) {
  const leaving = new AbortController()
  const response = await fetch(`${address}/api/events`, { headers: { authorization: `Bearer ${person.token}` }, signal: leaving.signal })
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
  const received: ChangeEvent[] = []
  const ended = (async () => {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      for (const line of chunk.split('\n')) if (line.startsWith('data: ')) received.push(JSON.parse(line.slice('data: '.length)))
    }
  })().catch(() => {}) // rejects when the client disconnects
  return { received, leave: () => leaving.abort(), ended }
}

test('sends the id and the tables of a change to its owner only', async () => {
  const grace = await signInAs(app, 'grace')
  const [hers, foreign] = await Promise.all([listen(ada), listen(grace)])
  const added = await ada.send({ method: 'POST', url: '/api/contacts', payload: { first_name: 'Secret', last_name: 'Person' } })
  await expect.poll(() => hers.received, { timeout: 5000 }).toEqual([{ change: added.headers['foyer-change'], tables: ['crm_contacts'] }])
  await grace.send({ method: 'POST', url: '/api/contacts', payload: { first_name: 'Other', last_name: 'Person' } })
  await expect.poll(() => foreign.received.length, { timeout: 5000 }).toBe(1)
  expect(foreign.received).not.toEqual(hers.received)
  hers.leave()
  foreign.leave()
})

test('a stream ends with its session and sends nothing more', async () => {
  const { email, send, ...grace } = await signInAs(app, 'grace')
  const credentials = { email, password: 'engine no. 1' }
  const other = (await app.server.inject({ method: 'POST', url: '/api/session', payload: credentials })).json()
  const hers = await listen({ ...grace, email, send, token: other.token })
  await send({ method: 'DELETE', url: `/api/sessions/${other.session_id}` })
  await send({ method: 'POST', url: '/api/contacts', payload: { first_name: 'Other', last_name: 'Person' } })
  await hers.ended
  expect(hers.received).toEqual([])
})

test('an owner with fifty open streams gets no more until one ends; other owners get theirs', async () => {
  const [grace, edsger] = await Promise.all([signInAs(app, 'grace'), signInAs(app, 'edsger')])
  const ask = () => fetch(`${address}/api/events`, { headers: { authorization: `Bearer ${grace.token}` } })
  const open = await Promise.all(Array.from({ length: 50 }, () => listen(grace)))
  const refused = await ask()
  expect(refused.status).toBe(429)
  expect(await refused.json()).toMatchObject({ code: 'too_many_requests', retry_after_seconds: 15 })
  const other = await listen(edsger)
  open.pop()?.leave()
  const again = async (): Promise<number> => {
    const { status, body } = await ask()
    await body?.cancel()
    return status
  }
  await expect.poll(again).toBe(200)
  for (const { leave } of [...open, other]) leave()
})

test('stopping the server ends the stream immediately', async () => {
  const own = await openTestApp()
  const person = await signInAs(own, 'ada')
  const url = await own.server.listen({ port: 0, host: '127.0.0.1' })
  const response = await fetch(`${url}/api/events`, { headers: { authorization: `Bearer ${person.token}` } })
  const started = performance.now()
  await own.stop()
  expect(performance.now() - started).toBeLessThan(3000)
  expect(await response.text()).toContain(': open')
})

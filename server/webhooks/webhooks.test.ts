// Webhooks: changes are sent to real receivers on this machine, which also fail in many ways.
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { Webhook } from 'standardwebhooks'
import type { WebhookDelivery } from '#contract/webhooks.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { createApiKey, signInAs, type Person } from '#server/testing/people.ts'
import { startWebhookReceiver, type WebhookReceiver } from '#server/testing/webhook-receiver.ts'
import { setReceiverTimeout } from './send.ts'

const dayMs = 24 * 60 * 60 * 1000
let app: TestApp
let ada: Person
let receiver: WebhookReceiver
let addedMs = 0
const now = () => new Date(Date.now() + addedMs)
beforeAll(async () => void (app = await openTestApp({ now, allowedHosts: ['127.0.0.1'] })))
afterAll(() => app.stop())
beforeEach(async () => {
  addedMs = 0
  receiver = await startWebhookReceiver()
  ada = await signInAs(app, 'ada')
  await app.tableOwner.query(`update sessions set expires_at = 'infinity'`) // so that no session expires when a test moves the clock
  return () => receiver[Symbol.asyncDispose]()
})

const post = async (url: string, payload?: object) => (await ada.send({ method: 'POST', url, ...(payload && { payload }) })).json()
const addEndpoint = (payload: object = {}): Promise<{ id: string; secret: string }> =>
  post('/api/webhooks', { url: receiver.url, ...payload })
const addContact = async (first_name: string): Promise<{ id: string }> => post('/api/contacts', { first_name, last_name: 'Example' })
const rename = (id: string, first_name: string) => ada.send({ method: 'PATCH', url: `/api/contacts/${id}`, payload: { first_name } })
const readLog = async (id: string, query = ''): Promise<WebhookDelivery[]> =>
  (await ada.send({ url: `/api/webhooks/${id}/deliveries${query}` })).json().rows
const readEndpoint = async (id: string) => (await ada.send({ url: `/api/webhooks/${id}` })).json()
const run = () => app.runSchedule('webhooks', now())
const bodies = () => receiver.messages.map(({ body }) => JSON.parse(body))
/** Lets the schedule run, each time `stepMs` later, until the expectation is true. */
const untilSentInSteps = (stepMs: number, expectation: () => unknown) =>
  expect.poll(async () => ((addedMs += stepMs), await run(), expectation()), { interval: 50 })
const untilSent = (expectation: () => unknown) => untilSentInSteps(0, expectation)

test('created, changed and deleted records are sent, and an independent library verifies the signatures', async () => {
  const { id, secret } = await addEndpoint()
  const contact = await addContact('Mary')
  const response = await rename(contact.id, 'Maria')
  await (await createApiKey(app, ada, 'write')).send({ method: 'DELETE', url: `/api/contacts/${contact.id}` })
  await untilSent(() => receiver.messages.length).toBe(3)
  for (const { headers, body } of receiver.messages) {
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow('No matching signature found')
  }
  const [created, updated, deleted] = bodies()
  expect(created).toMatchObject({
    type: 'contact.created',
    data: { id: contact.id, record: { first_name: 'Mary', last_name: 'Example', tags: [] }, actor: `user:${ada.id}` },
  })
  expect(Object.keys(created.data.record)).not.toEqual(expect.arrayContaining(['user_id']))
  expect(updated).toEqual({
    type: 'contact.updated',
    timestamp: expect.any(String),
    data: {
      id: contact.id,
      changes: { first_name: { before: 'Mary', after: 'Maria' } },
      change: response.headers['foyer-change'],
      actor: `user:${ada.id}`,
      actor_name: null,
    },
  })
  // `createApiKey` has named the key after its scope
  expect(deleted).toMatchObject({ type: 'contact.deleted', data: { record: { first_name: 'Maria' }, actor_name: 'write' } })
  await expect
    .poll(() => readLog(id))
    .toMatchObject(
      ['deleted', 'updated', 'created'].map((event) => ({
        event: `contact.${event}`,
        status: 'delivered',
        attempts: 1,
        response_status: 204,
      })),
    )
  expect(new Set((await readLog(id)).map((each) => each.id))).toEqual(
    new Set(receiver.messages.map(({ headers }) => headers['webhook-id'])),
  )
})

test('an endpoint gets only its events: none of other owners, and none from a time when it was off or not yet added', async () => {
  await addContact('Before')
  const { id } = await addEndpoint({ events: ['deal.created'] })
  const off = await addEndpoint()
  await post(`/api/webhooks/${off.id}`, { is_active: false })
  await addContact('Other kind')
  const grace = await signInAs(app, 'grace')
  await grace.send({ method: 'POST', url: '/api/deals', payload: { title: 'Foreign' } })
  await ada.send({ method: 'PATCH', url: '/api/profile', payload: { full_name: 'Ada' } })
  await post('/api/deals', { title: 'Shelves' })
  await untilSent(() => receiver.messages.length).toBe(1)
  expect(bodies()).toMatchObject([{ type: 'deal.created', data: { record: { title: 'Shelves' } } }])
  expect(await readLog(id)).toHaveLength(1)
  expect(await readLog(off.id)).toEqual([])
})

test('a failed delivery is sent again with the same id and body; meanwhile only later changes of its record wait', async () => {
  const { id } = await addEndpoint()
  const [first, second] = [await addContact('First'), await addContact('Second')]
  receiver.setRespond((response, { body }) => void response.writeHead(body.includes(first.id) ? 500 : 200).end())
  await rename(first.id, 'Changed')
  await untilSent(() => receiver.messages.length).toBe(2)
  await expect
    .poll(() => readLog(id))
    .toMatchObject([
      { event: 'contact.updated', status: 'waiting', attempts: 0 },
      { record_id: second.id, status: 'delivered' },
      { record_id: first.id, status: 'waiting', attempts: 1, response_status: 500, problem: 'The receiver answered with status 500.' },
    ])
  addedMs += 9000 // the second attempt is due after 10 s
  await run()
  expect(receiver.messages).toHaveLength(2)
  receiver.setRespond((response) => void response.writeHead(200).end())
  addedMs += 2000
  await untilSent(() => receiver.messages.length).toBe(4)
  const sent = receiver.messages.filter(({ body }) => body.includes(first.id))
  expect(sent.map(({ body }) => JSON.parse(body).type)).toEqual(['contact.created', 'contact.created', 'contact.updated'])
  expect([sent[1]?.body, sent[1]?.headers['webhook-id']]).toEqual([sent[0]?.body, sent[0]?.headers['webhook-id']])
})

test('a receiver that is down for a day loses nothing', async () => {
  const { id } = await addEndpoint()
  receiver.setRespond((response) => void response.destroy())
  const count = 20
  for (let number = 0; number < count; number++) await addContact(`Contact ${number}`)
  for (let hour = 0; hour < 24; hour++) {
    await run()
    addedMs += dayMs / 24
  }
  await untilSent(async () => (await readEndpoint(id)).problem).not.toBeNull()
  expect(await readEndpoint(id)).toMatchObject({ is_active: true, waiting: count, problem: 'Nothing answers at this address.' })
  receiver.setRespond((response) => void response.writeHead(200).end())
  receiver.messages.length = 0
  await untilSentInSteps(60 * 60_000, async () => (await readEndpoint(id)).waiting).toBe(0)
  expect(new Set(receiver.messages.map(({ headers }) => headers['webhook-id'])).size).toBe(count)
  expect(await readEndpoint(id)).toMatchObject({ problem: null, failing_since: null, failed: 0 })
})

test('after three days a delivery fails, and the next one of its record is sent; a replay has the same id and body', async () => {
  const { id } = await addEndpoint()
  const contact = await addContact('Mary')
  receiver.setRespond((response) => void response.writeHead(400).end())
  await untilSent(() => receiver.messages.length).toBe(1)
  await expect.poll(async () => (await readLog(id))[0]?.attempts).toBe(1)
  addedMs += 3 * dayMs
  await untilSent(async () => (await readLog(id))[0]?.status).toBe('failed')
  await rename(contact.id, 'Maria')
  receiver.setRespond((response) => void response.writeHead(200).end())
  await untilSent(async () => (await readLog(id, '?status=delivered')).length).toBe(1)
  expect(await post(`/api/webhooks/${id}/replay`)).toEqual({ count: 1 })
  await untilSent(async () => (await readLog(id, '?status=delivered')).length).toBe(2)
  const [delivery] = await readLog(id, '?status=delivered&limit=1')
  expect((await post(`/api/webhooks/${id}/deliveries/${delivery?.id}/replay`)).status).toBe('waiting')
  await untilSent(async () => (await readLog(id, '?status=delivered')).length).toBe(2)
  const created = receiver.messages.filter(({ body }) => body.includes('contact.created'))
  expect(new Set(created.map(({ body, headers }) => `${String(headers['webhook-id'])} ${body}`)).size).toBe(1)
})

test('a receiver that is down for three days loses only deliveries older than that, and gets the others when it is back', async () => {
  const { id } = await addEndpoint()
  receiver.setRespond((response) => void response.destroy())
  const ids: string[] = []
  for (let added = 0; added < 12; added++) ids.push((await addContact(`Contact ${added}`)).id) // more than are sent at the same time
  await untilSent(async () => (await readEndpoint(id)).failing_since).not.toBeNull()
  addedMs += 2 * dayMs
  for (const contact of ids) await rename(contact, 'Renamed')
  await untilSent(async () => (await readLog(id)).length).toBe(24)
  addedMs += 1.5 * dayMs
  const countOf = async (event: string, status: string): Promise<number> =>
    (await readLog(id, `?status=${status}`)).filter((delivery) => delivery.event === event).length
  await untilSent(() => countOf('contact.created', 'failed')).toBe(12)
  receiver.setRespond((response) => void response.writeHead(200).end())
  await untilSentInSteps(60 * 60_000, () => countOf('contact.updated', 'delivered')).toBe(12)
  expect(await countOf('contact.created', 'failed')).toBe(12)
})

test('a redirect and a receiver that hangs fail with a sentence; a response without an end counts by its status', async () => {
  setReceiverTimeout(300)
  onTestFinished(() => setReceiverTimeout(15_000))
  const { id } = await addEndpoint()
  const send = async (answer: Parameters<WebhookReceiver['setRespond']>[0]): Promise<WebhookDelivery | undefined> => {
    receiver.setRespond(answer)
    await post(`/api/webhooks/${id}/test`)
    await untilSent(async () => (await readLog(id))[0]?.attempts).toBe(1)
    return (await readLog(id))[0]
  }
  expect(await send((response) => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end())).toMatchObject({
    status: 'waiting',
    problem: 'The address leads to another one. Enter that address.',
  })
  expect(await send(() => {})).toMatchObject({ status: 'waiting', problem: 'The receiver did not answer within 0.3 seconds.' })
  let written = 0
  const endless = await send((response) => {
    const write = (): void => {
      while (!response.destroyed && written < 2 ** 30) {
        written += 65_536
        if (!response.write(Buffer.alloc(65_536))) return void response.once('drain', write)
      }
    }
    response.writeHead(200)
    write()
  })
  expect(endless).toMatchObject({ status: 'delivered' })
  expect(written).toBeLessThan(2 ** 26)
})

test('an endpoint is turned off when its receiver answers with 410, and only the owner turns it on again', async () => {
  const { id } = await addEndpoint()
  receiver.setRespond((response) => void response.writeHead(410).end())
  await addContact('Mary')
  await untilSent(async () => (await readEndpoint(id)).is_active).toBe(false)
  expect((await readEndpoint(id)).problem).toContain('410')
  receiver.setRespond((response) => void response.writeHead(200).end())
  await post(`/api/webhooks/${id}`, { is_active: true })
  addedMs += 60_000
  await untilSent(async () => (await readLog(id))[0]?.status).toBe('delivered')
})

test('a new secret signs all further attempts, and the secret is in no other response', async () => {
  const { id, secret } = await addEndpoint()
  const { secret: newSecret } = await post(`/api/webhooks/${id}/secret`)
  expect(newSecret).toMatch(/^whsec_[\w+/]{43}=$/)
  expect(newSecret).not.toBe(secret)
  await post(`/api/webhooks/${id}/test`)
  await untilSent(() => receiver.messages.length).toBe(1)
  const [{ headers, body } = { headers: {}, body: '' }] = receiver.messages
  expect(new Webhook(newSecret).verify(body, headers)).toMatchObject({ type: 'test' })
  const { rows } = await app.tableOwner.query('select to_jsonb(e)::text as row from webhook_endpoints e where id = $1', [id])
  expect(rows[0].row + JSON.stringify(await readEndpoint(id))).not.toContain(newSecret.slice(6, 30))
})

test('the change of an erased record is not sent', async () => {
  const { id } = await addEndpoint()
  receiver.setRespond((response) => void response.writeHead(500).end())
  const contact = await addContact('Mary')
  await untilSent(async () => (await readLog(id))[0]?.attempts).toBe(1)
  await ada.send({ method: 'DELETE', url: `/api/contacts/${contact.id}` })
  await ada.send({ method: 'DELETE', url: `/api/trash/${contact.id}` })
  const sent = receiver.messages.length
  addedMs += 60_000
  await untilSent(async () => (await readLog(id)).map(({ status }) => status)).toEqual(['failed'])
  expect((await readLog(id))[0]?.problem).toBe('The history of this change was erased.')
  expect(receiver.messages).toHaveLength(sent)
})

test('due deliveries are found by an index, and many of them slow down neither other owners nor the writes of their owner', async () => {
  const { id } = await addEndpoint()
  receiver.setRespond((response) => void response.writeHead(500).end())
  const count = process.env['FOYER_FULL'] === '1' ? 100_000 : 5000
  await app.tableOwner.query(
    `insert into webhook_deliveries (user_id, created_at, endpoint_id, event, record_id, is_next, queued_at, next_at)
     select $1, now(), $2, 'test', gen_random_uuid(), true, now(), now() from generate_series(1, $3::int)`,
    [ada.id, id, count],
  )
  await app.tableOwner.query('analyze webhook_deliveries')
  const { rows } = await app.tableOwner.query<{ 'QUERY PLAN': string }>(
    `explain select * from webhook_deliveries where user_id = '${ada.id}' and endpoint_id = '${id}' and status = 'waiting' and is_next
     and next_at <= now() order by next_at, id limit 8`,
  )
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Index Scan using webhook_deliveries_due/)
  const grace = await signInAs(app, 'grace')
  const quick = await startWebhookReceiver()
  onTestFinished(() => quick[Symbol.asyncDispose]())
  await grace.send({ method: 'POST', url: '/api/webhooks', payload: { url: quick.url } })
  await grace.send({ method: 'POST', url: '/api/deals', payload: { title: 'Shelves' } })
  let begin = performance.now()
  await untilSent(() => quick.messages.length).toBe(1)
  expect(performance.now() - begin).toBeLessThan(10_000)
  begin = performance.now()
  await addContact('Mary')
  expect(performance.now() - begin).toBeLessThan(5000)
  expect((await readEndpoint(id)).waiting).toBe(1000) // counting stops there
})

test('bad addresses and events are refused with a sentence, and at most 20 endpoints are kept', async () => {
  const refused = async (payload: object) => (await post('/api/webhooks', payload)).fields
  expect(await refused({ url: 'example.com' })).toEqual({ url: 'Enter an address like https://example.com/webhook' })
  expect(await refused({ url: 'ftp://example.com' })).toEqual({ url: 'Enter an address like https://example.com/webhook' })
  expect(await refused({ url: 'https://ada:secret@example.com' })).toEqual({ url: 'Enter the address without a password and without #' })
  expect(await refused({ url: receiver.url, events: [] })).toEqual({ events: 'Choose at least one event' })
  expect(await refused({ url: receiver.url, events: ['contact.eaten'] })).toEqual({ 'events.0': 'There is no such event' })
  for (let added = 0; added < 20; added++) await addEndpoint()
  expect(await refused({ url: receiver.url })).toEqual({ url: 'At most 20 endpoints. Delete one first' })
})

// Which deliveries are made, and in which order they are sent.
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { WebhookDelivery } from '#contract/webhooks.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { startWebhookReceiver, type WebhookReceiver } from '#server/testing/webhook-receiver.ts'

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
  await app.tableOwner.query(`update sessions set expires_at = 'infinity'`)
  return () => receiver[Symbol.asyncDispose]()
})

const post = async (person: Person, url: string, payload: object = {}) => (await person.send({ method: 'POST', url, payload })).json()
const readLog = async (id: string): Promise<WebhookDelivery[]> => (await ada.send({ url: `/api/webhooks/${id}/deliveries` })).json().rows
const run = () => app.runSchedule('webhooks', now())
/** Lets the schedule run until the expectation is true. */
const untilSent = (expectation: () => unknown) => expect.poll(async () => (await run(), expectation()), { interval: 50 })
/** Waits until no job sends deliveries of Ada. */
const untilJobsEnd = () =>
  expect
    .poll(async () => (await app.tableOwner.query(`select from jobs.jobs where type = 'webhooks' and owner = $1`, [ada.id])).rowCount)
    .toBe(0)

test('a delivery that is sent again while a later change of its record is being sent still comes before that change', async () => {
  const { id } = await post(ada, '/api/webhooks', { url: receiver.url })
  const { id: contact } = await post(ada, '/api/contacts', { first_name: 'Mary', last_name: 'Example' })
  receiver.setRespond((response) => void response.writeHead(400).end())
  await untilSent(async () => (await readLog(id))[0]?.attempts).toBe(1)
  addedMs += 3 * dayMs
  await untilSent(async () => (await readLog(id))[0]?.status).toBe('failed')
  const [created] = await readLog(id)
  const held: ServerResponse[] = []
  receiver.setRespond((response) => void held.push(response))
  await ada.send({ method: 'PATCH', url: `/api/contacts/${contact}`, payload: { first_name: 'Maria' } })
  await untilSent(() => held.length).toBe(1)
  await post(ada, `/api/webhooks/${id}/deliveries/${created?.id}/replay`)
  receiver.messages.length = 0
  receiver.setRespond((response) => void response.writeHead(500).end())
  held[0]?.writeHead(500).end()
  await untilSent(async () => (await readLog(id)).map(({ attempts }) => attempts)).toEqual([1, 1])
  addedMs += 60_000
  await untilSent(() => receiver.messages.length).toBeGreaterThan(1)
  receiver.setRespond((response) => void response.writeHead(200).end())
  addedMs += 60_000
  await untilSent(async () => (await readLog(id)).map(({ status }) => status)).toEqual(['delivered', 'delivered'])
  const types: string[] = receiver.messages.map(({ body }) => JSON.parse(body).type)
  expect(types.lastIndexOf('contact.created')).toBeLessThan(types.indexOf('contact.updated'))
})

test('when the deliveries of one owner cannot be made, the deliveries of other owners are sent', async () => {
  const grace = await signInAs(app, 'grace')
  for (const person of [ada, grace]) {
    await post(person, '/api/webhooks', { url: receiver.url })
    await post(person, '/api/deals', { title: `Deal of ${person.email}` })
  }
  await app.tableOwner
    .query(`create function refuse_deliveries() returns trigger language plpgsql as $$ begin raise 'not for %', new.user_id; end $$;
    create trigger refuse before insert on webhook_deliveries for each row when (new.user_id = '${grace.id}') execute function refuse_deliveries()`)
  await expect(run()).rejects.toMatchObject({
    errors: [{ message: expect.stringContaining(grace.id), cause: { message: `not for ${grace.id}` } }],
  })
  await expect.poll(() => receiver.messages.length).toBe(1)
  expect(receiver.messages[0]?.body).toContain(ada.email)
  await app.tableOwner.query('drop function refuse_deliveries cascade')
  await untilSent(() => receiver.messages.length).toBe(2)
})

test('the deliveries of other owners are sent while an account is being deleted', { timeout: 10_000 }, async () => {
  const grace = await signInAs(app, 'grace')
  for (const person of [ada, grace]) await post(person, '/api/webhooks', { url: receiver.url })
  receiver.setRespond((response) => void response.writeHead(500).end())
  await post(ada, '/api/deals', { title: 'Earlier deal' })
  await untilSent(() => receiver.messages.length).toBe(1)
  await untilJobsEnd() // a job that still ran would make the next attempt before the deletion
  receiver.setRespond((response) => void response.writeHead(200).end())
  addedMs += 60_000 // the next attempt is due
  for (const person of [ada, grace]) await post(person, '/api/deals', { title: `Deal of ${person.email}` })
  const deletion = await app.tableOwner.connect()
  onTestFinished(() => deletion.release(true)) // closes the connection, which rolls the deletion back
  await deletion.query('begin')
  await deletion.query(`select set_config('app.owner', $1, true)`, [ada.id])
  await deletion.query('select app.delete_account()')
  await run()
  await expect.poll(() => receiver.messages.length).toBe(2)
  expect(receiver.messages[1]?.body).toContain(grace.email)
})

test('a change from the time before an endpoint was turned on is not sent to it, and later changes are', async () => {
  await post(ada, '/api/webhooks', { url: receiver.url })
  await using second = await startWebhookReceiver()
  const { id } = await post(ada, '/api/webhooks', { url: second.url })
  await post(ada, `/api/webhooks/${id}`, { is_active: false })
  await post(ada, '/api/deals', { title: 'While it was off' })
  await post(ada, `/api/webhooks/${id}`, { is_active: true })
  await post(ada, '/api/deals', { title: 'While it was on' })
  await post(ada, `/api/webhooks/${id}`, { is_active: true, description: 'Newsletter' })
  await untilSent(() => [receiver.messages.length, second.messages.length]).toEqual([2, 1])
  expect(second.messages[0]?.body).toContain('While it was on')
  expect(await readLog(id)).toHaveLength(1)
})

test('results that cannot be stored make the job wait before it sends again, and the schedule does not shorten that wait', async () => {
  const { id } = await post(ada, '/api/webhooks', { url: receiver.url })
  await app.tableOwner.query(`create function refuse_results() returns trigger language plpgsql as $$ begin raise 'no results'; end $$;
    create trigger refuse before update on webhook_deliveries for each row when (new.user_id = '${ada.id}') execute function refuse_results()`)
  await post(ada, '/api/deals', { title: 'Shelves' })
  await untilSent(() => receiver.messages.length).toBe(1)
  const readAttempts = async () =>
    (await app.tableOwner.query(`select attempts from jobs.jobs where type = 'webhooks' and owner = $1 and taken_by is null`, [ada.id]))
      .rows
  await expect.poll(readAttempts).toEqual([{ attempts: 1 }])
  await run()
  await sleep(300)
  expect([await readAttempts(), receiver.messages.length]).toEqual([[{ attempts: 1 }], 1])
  await app.tableOwner.query('drop function refuse_results cascade')
  const [delivery] = await readLog(id)
  await post(ada, `/api/webhooks/${id}/deliveries/${delivery?.id}/replay`)
  await expect.poll(async () => (await readLog(id))[0]?.status).toBe('delivered')
})

test('a pause of an endpoint begins at once, also if the job was added again during the batch, and the owner can end it', async () => {
  const { id } = await post(ada, '/api/webhooks', { url: receiver.url })
  const readEndpoint = async () => (await ada.send({ url: `/api/webhooks/${id}` })).json()
  receiver.setRespond((response) => void response.writeHead(503).end())
  await post(ada, '/api/deals', { title: 'First' })
  for (const attempts of [1, 2]) {
    await untilSent(async () => (await readLog(id))[0]?.attempts).toBe(attempts)
    addedMs += 60_000
  }
  // the third failure in a row will pause the endpoint
  const held: ServerResponse[] = []
  receiver.setRespond((response) => void held.push(response))
  await untilSent(() => held.length).toBe(1)
  await post(ada, '/api/deals', { title: 'Second' })
  await run()
  await post(ada, `/api/webhooks/${id}/test`)
  receiver.setRespond((response) => void response.writeHead(200).end())
  held[0]?.writeHead(503).end()
  await expect.poll(async () => (await readEndpoint()).paused_until).not.toBeNull()
  await untilJobsEnd()
  expect(await readLog(id)).toMatchObject([{ attempts: 0 }, { attempts: 0 }, { attempts: 3, status: 'waiting' }])
  await post(ada, `/api/webhooks/${id}/deliveries/${(await readLog(id)).at(-1)?.id}/replay`)
  await untilSent(async () => (await readLog(id)).map(({ status }) => status)).toEqual(['delivered', 'delivered', 'delivered'])
})

test('after a delivery was sent again, the log still has the number of its earlier attempts and their last failure', async () => {
  const { id } = await post(ada, '/api/webhooks', { url: receiver.url })
  receiver.setRespond((response) => void response.writeHead(400).end())
  const { id: delivery } = await post(ada, `/api/webhooks/${id}/test`)
  await untilSent(async () => (await readLog(id))[0]?.attempts).toBe(1)
  addedMs += 60_000
  await untilSent(async () => (await readLog(id))[0]?.attempts).toBe(2)
  expect((await readLog(id))[0]).toMatchObject({ earlier: null })
  receiver.setRespond((response) => void response.writeHead(200).end())
  const sendAgain = () => post(ada, `/api/webhooks/${id}/deliveries/${delivery}/replay`)
  const earlier = { attempts: 2, problem: 'The receiver answered with status 400.' }
  expect(await sendAgain()).toMatchObject({ status: 'waiting', attempts: 0, earlier })
  await untilSent(async () => (await readLog(id))[0]?.status).toBe('delivered')
  expect((await readLog(id))[0]).toMatchObject({ attempts: 1, problem: null, response_status: 200, earlier })
  await sendAgain()
  await untilSent(async () => (await readLog(id))[0]?.status).toBe('delivered')
  expect((await readLog(id))[0]).toMatchObject({ attempts: 1, earlier: { ...earlier, attempts: 3 } })
})

test('when the first waiting delivery of a record is deleted because of its age, the later ones of that record are sent', async () => {
  const { id } = await post(ada, '/api/webhooks', { url: receiver.url })
  receiver.setRespond((response) => void response.writeHead(503).end())
  for (const first_name of ['Mary', 'Charles']) {
    const contact = await post(ada, '/api/contacts', { first_name, last_name: 'Example' })
    await ada.send({ method: 'PATCH', url: `/api/contacts/${contact.id}`, payload: { last_name: 'Changed' } })
  }
  await untilSent(async () => (await readLog(id)).map(({ attempts }) => attempts)).toEqual([0, 1, 0, 1])
  const [, ofCharles, , ofMary] = await readLog(id)
  const age = `update webhook_deliveries set id = app.uuid_floor(now() - interval '31 days') where id = $1`
  await app.tableOwner.query(age, [ofMary?.id])
  // an earlier version deleted without marking the next delivery
  await app.tableOwner.query('delete from webhook_deliveries where id = $1', [ofCharles?.id])
  await app.runSchedule('old webhook deliveries', now())
  receiver.setRespond((response) => void response.writeHead(200).end())
  addedMs += 60_000
  await untilSent(async () => (await readLog(id)).map(({ status }) => status)).toEqual(['delivered', 'delivered'])
  expect((await readLog(id)).map(({ event }) => event)).toEqual(['contact.updated', 'contact.updated'])
})

describe('many deliveries of one endpoint', () => {
  const deliveries = 12_000
  const addDeliveries = (id: string, status: 'waiting' | 'failed', queuedAt: Date) =>
    app.tableOwner.query(
      `insert into webhook_deliveries (user_id, created_at, endpoint_id, event, record_id, status, is_next, queued_at, next_at)
       select $1, $3, $2, 'test', uuidv7(), $4, $4 = 'waiting', $3, $3 from generate_series(1, ${deliveries})`,
      [ada.id, id, queuedAt, status],
    )
  /** Returns the number of deliveries with the status, and the highest number that one transaction has written. */
  const readWritten = async (id: string, status: string) =>
    (
      await app.tableOwner.query<{ count: number; most: number }>(
        `select sum(written)::int as count, max(written)::int as most from (
           select count(*) as written from webhook_deliveries where endpoint_id = $1 and status = $2 group by xmin::text) n`,
        [id, status],
      )
    ).rows[0]

  test('many failed deliveries are sent again in several transactions, and those of one record are in the same transaction', async () => {
    const { id } = await post(ada, '/api/webhooks', { url: receiver.url })
    await post(ada, `/api/webhooks/${id}`, { is_active: false }) // nothing is sent during the test
    await addDeliveries(id, 'failed', now())
    // each record has two deliveries, of which one is among the first by id and one among the last
    await app.tableOwner.query(
      `update webhook_deliveries d set record_id = pairs.record_id from (
         select id, first_value(record_id) over (partition by number % ${deliveries / 2}) as record_id
         from (select id, record_id, row_number() over (order by id) as number from webhook_deliveries where endpoint_id = $1) numbered
       ) pairs where d.endpoint_id = $1 and d.id = pairs.id`,
      [id],
    )
    expect(await post(ada, `/api/webhooks/${id}/replay`)).toEqual({ count: deliveries })
    expect(await readWritten(id, 'waiting')).toEqual({ count: deliveries, most: 5000 })
    const { rows } = await app.tableOwner.query(
      `select count(*) filter (where is_next)::int as next, count(distinct (record_id, xmin::text))::int as groups
       from webhook_deliveries where endpoint_id = $1`,
      [id],
    )
    expect(rows).toEqual([{ next: deliveries / 2, groups: deliveries / 2 }])
    expect(await post(ada, `/api/webhooks/${id}/replay`)).toEqual({ count: 0 })
  })

  test('many old deliveries are given up in several transactions', async () => {
    receiver.setRespond((response) => void response.writeHead(503).end())
    const { id } = await post(ada, '/api/webhooks', { url: receiver.url })
    const queuedAt = new Date(now().getTime() - 4 * dayMs)
    await addDeliveries(id, 'waiting', queuedAt)
    await app.tableOwner.query('update webhook_endpoints set failures = 1, failing_since = $2 where id = $1', [id, queuedAt])
    await run()
    const most = 5008 // the first transaction also stores the results of the eight attempts
    await expect.poll(() => readWritten(id, 'failed'), { timeout: 10_000 }).toEqual({ count: deliveries, most })
  })
})

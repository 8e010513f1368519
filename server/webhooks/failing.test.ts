// The owner of an endpoint that keeps failing gets one mail, also when two processes send.
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WebhookDelivery } from '#contract/webhooks.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { startWebhookReceiver, type WebhookReceiver } from '#server/testing/webhook-receiver.ts'

const dayMs = 24 * 60 * 60 * 1000
let app: TestApp
let otherApp: TestApp
let ada: Person
let receiver: WebhookReceiver
let addedMs = 0
const now = () => new Date(Date.now() + addedMs)
beforeAll(async () => {
  app = await openTestApp({ now, allowedHosts: ['127.0.0.1'] })
  otherApp = await openTestApp({ now, allowedHosts: ['127.0.0.1'], connections: app.connections })
  receiver = await startWebhookReceiver()
  ada = await signInAs(app, 'ada')
  await app.tableOwner.query(`update sessions set expires_at = 'infinity'`)
})
afterAll(async () => {
  await otherApp.stop()
  await app.stop()
  await receiver[Symbol.asyncDispose]()
})

const post = async (url: string, payload: object) => (await ada.send({ method: 'POST', url, payload })).json()
const addContact = (first_name: string) => post('/api/contacts', { first_name, last_name: 'Example' })
/** Lets the schedule run in both processes, each time `stepMs` later, until the expectation is true. */
const untilSentInSteps = (stepMs: number, expectation: () => unknown) =>
  expect.poll(
    async () => {
      addedMs += stepMs
      await Promise.all([app, otherApp].map((each) => each.runSchedule('webhooks', now())))
      return expectation()
    },
    { interval: 50 },
  )

const readMails = async (id: string): Promise<string[]> =>
  (await ada.send({ url: `/api/outbox?about=${id}` }))
    .json()
    .rows.map(({ subject }: { subject: string }) => subject)
    .toReversed()
const readLog = async (id: string): Promise<WebhookDelivery[]> => (await ada.send({ url: `/api/webhooks/${id}/deliveries` })).json().rows

test('until a success the owner gets only one mail after a day of failures, and only one when deliveries are given up', async () => {
  const { id } = await post('/api/webhooks', { url: receiver.url, description: 'Newsletter' })
  const countDeliveries = async (status: string): Promise<number> =>
    (await ada.send({ url: `/api/webhooks/${id}/deliveries?status=${status}` })).json().rows.length
  const failing = 'Webhook is failing: Newsletter'
  const givenUp = 'Webhook deliveries were given up: Newsletter'
  receiver.setRespond((response) => void response.writeHead(503).end())
  await addContact('First')
  await untilSentInSteps(dayMs / 8, () => readMails(id)).toEqual([failing])
  await untilSentInSteps(dayMs / 8, () => readMails(id)).toEqual([failing, givenUp])
  await addContact('Second')
  await untilSentInSteps(dayMs / 8, () => countDeliveries('failed')).toBe(2)
  expect(await readMails(id)).toEqual([failing, givenUp])
  receiver.setRespond((response) => void response.writeHead(200).end())
  await addContact('Third')
  await untilSentInSteps(60_000, () => countDeliveries('delivered')).toBe(1)
  receiver.setRespond((response) => void response.writeHead(503).end())
  await addContact('Fourth')
  await untilSentInSteps(dayMs / 8, () => readMails(id)).toEqual([failing, givenUp, failing])
  receiver.setRespond((response) => void response.writeHead(410).end())
  await untilSentInSteps(dayMs / 8, () => readMails(id)).toEqual([failing, givenUp, failing, 'Webhook was turned off: Newsletter'])
  const { rows } = await app.tableOwner.query('select to_address, content from outbox_mails where about_id = $1', [id])
  for (const { to_address, content } of rows) {
    expect(to_address).toBe(ada.email)
    expect(content).toContain(`/api-keys/webhooks/${id}`)
  }
})

test('an endpoint that refuses everything is failing but not paused, and still gets a change that waited for a refused one', async () => {
  const { id } = await post('/api/webhooks', { url: receiver.url, description: 'Refusing' })
  const readEndpoint = async () => (await ada.send({ url: `/api/webhooks/${id}` })).json()
  receiver.setRespond((response) => void response.writeHead(404).end())
  const { id: contact } = await addContact('First')
  await untilSentInSteps(1000, async () => (await readEndpoint()).failing_since).not.toBeNull()
  await ada.send({ method: 'PATCH', url: `/api/contacts/${contact}`, payload: { first_name: 'Changed' } })
  const failing = 'Webhook is failing: Refusing'
  await untilSentInSteps(dayMs / 8, () => readMails(id)).toEqual([failing])
  expect(await readEndpoint()).toMatchObject({ is_active: true, paused_until: null, problem: 'The receiver answered with status 404.' })
  receiver.setRespond((response, { body }) => void response.writeHead(body.includes('created') ? 404 : 200).end())
  await untilSentInSteps(dayMs / 8, async () => (await readEndpoint()).last_success_at).not.toBeNull()
  expect(await readEndpoint()).toMatchObject({ failing_since: null, waiting: 0, failed: 1 })
  expect(await readMails(id)).toEqual([failing, 'Webhook deliveries were given up: Refusing'])
  await ada.send({ method: 'DELETE', url: `/api/webhooks/${id}` })
})

test('an endpoint says when it is tried next: after the wait of its first delivery, and after its own pause', async () => {
  const { id } = await post('/api/webhooks', { url: receiver.url })
  const read = async (path = '') => (await ada.send({ url: `/api/webhooks/${id}${path}` })).json()
  expect((await read()).next_attempt_at).toBeNull()
  receiver.setRespond((response) => void response.writeHead(404).end())
  await addContact('First')
  await untilSentInSteps(1000, async () => (await read()).problem).not.toBeNull()
  // polled, because another attempt may be made between the two requests
  const readTimes = async () => {
    const [delivery] = (await read('/deliveries')).rows
    const { paused_until, next_attempt_at } = await read()
    return { paused_until, isTimeOfDelivery: next_attempt_at === delivery.next_at }
  }
  await expect.poll(readTimes).toEqual({ paused_until: null, isTimeOfDelivery: true })
  receiver.setRespond((response) => void response.writeHead(503).end())
  await untilSentInSteps(dayMs / 24, async () => (await read()).paused_until).not.toBeNull()
  await addContact('Second') // waits only for the pause
  // polled, because the endpoint shows the time of the first delivery until the next attempt is stored
  const readPause = async () => {
    const { waiting, paused_until, next_attempt_at } = await read()
    return { waiting, isTimeOfPause: paused_until !== null && next_attempt_at === paused_until }
  }
  await untilSentInSteps(0, readPause).toEqual({ waiting: 2, isTimeOfPause: true })
  await post(`/api/webhooks/${id}`, { is_active: false })
  expect((await read()).next_attempt_at).toBeNull()
  await ada.send({ method: 'DELETE', url: `/api/webhooks/${id}` })
})

test('the response of an old address says nothing about the address that has replaced it', async () => {
  await using corrected = await startWebhookReceiver()
  const held = Promise.withResolvers<ServerResponse>()
  let isHeld = false
  receiver.setRespond((response) => {
    isHeld = true
    held.resolve(response)
  })
  const { id } = await post('/api/webhooks', { url: receiver.url })
  await addContact('Held')
  await untilSentInSteps(1000, () => isHeld).toBe(true)
  await post(`/api/webhooks/${id}`, { url: corrected.url })
  const response = await held.promise
  response.writeHead(410).end()
  await addContact('Next')
  await untilSentInSteps(1000, () => corrected.messages.length).toBeGreaterThan(0)
  expect((await ada.send({ url: `/api/webhooks/${id}` })).json()).toMatchObject({ is_active: true, problem: null, paused_until: null })
  expect((await ada.send({ url: `/api/outbox?about=${id}` })).json().rows).toEqual([])
})

test('a delivery that is sent again during its attempt reaches the new address, whatever the old one answers', async () => {
  await using corrected = await startWebhookReceiver()
  const held = Promise.withResolvers<ServerResponse>()
  receiver.setRespond((response) => held.resolve(response))
  receiver.messages.length = 0
  const { id } = await post('/api/webhooks', { url: receiver.url })
  const delivery = await post(`/api/webhooks/${id}/test`, {})
  await untilSentInSteps(1000, () => receiver.messages.length).toBe(1)
  await post(`/api/webhooks/${id}`, { url: corrected.url })
  addedMs += 1000
  await post(`/api/webhooks/${id}/deliveries/${delivery.id}/replay`, {})
  const response = await held.promise
  response.writeHead(200).end()
  await untilSentInSteps(1000, () => corrected.messages.map(({ headers }) => headers['webhook-id'])).toEqual([delivery.id])
  await untilSentInSteps(1000, async () => (await readLog(id))[0]?.status).toBe('delivered')
  expect(await readLog(id)).toMatchObject([{ id: delivery.id, attempts: 1, response_status: 204 }])
})

test('a receiver that changes to another protocol (101) fails the attempt at once', async () => {
  receiver.setRespond((response) => void response.writeHead(101, { connection: 'upgrade', upgrade: 'other' }).end())
  const { id } = await post('/api/webhooks', { url: receiver.url })
  await post(`/api/webhooks/${id}/test`, {})
  await untilSentInSteps(0, async () => (await readLog(id))[0]?.attempts).toBe(1)
  expect(await readLog(id)).toMatchObject([{ status: 'waiting', response_status: null, problem: 'Nothing answers at this address.' }])
})

// Endpoints in private networks. A private address is refused when it is entered. For a name that resolves to a private address, each
// attempt to send is refused.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WebhookDelivery } from '#contract/webhooks.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { startWebhookReceiver } from '#server/testing/webhook-receiver.ts'

const problem = 'This address is in a private network. The operator of this server can allow it with FOYER_ALLOWED_HOSTS.'
let app: TestApp
let ada: Person
beforeAll(async () => {
  app = await openTestApp({
    allowedHosts: ['127.0.0.1', 'localhost:8080'],
    lookup: (_name, options, callback) =>
      options.all ? callback(null, [{ address: '10.0.0.1', family: 4 }]) : callback(null, '10.0.0.1', 4),
  })
  ada = await signInAs(app, 'ada')
})
afterAll(() => app.stop())

const post = async (url: string, payload: object = {}) => (await ada.send({ method: 'POST', url, payload })).json()
const readEndpoint = async (id: string) => (await ada.send({ url: `/api/webhooks/${id}` })).json()
const readLog = async (id: string): Promise<WebhookDelivery[]> => (await ada.send({ url: `/api/webhooks/${id}/deliveries` })).json().rows
/** Runs the schedule of the webhooks until the expectation is met, also if that is a refusal to send. */
const untilSent = (expectation: () => unknown) =>
  expect.poll(async () => (await app.runSchedule('webhooks', new Date()), expectation()), { interval: 50 })

const privateUrls = [
  'http://169.254.169.254/latest',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://10.0.0.1/',
  'https://192.168.1.5:8443/webhook',
  'http://2130706434/', // 127.0.0.2
  'http://localhost/webhook',
  'http://LOCALHOST.:3000/webhook',
  'http://receiver.localhost/',
]

test.each(privateUrls)('an endpoint with the address %s is refused when it is added or changed', async (url) => {
  const { rows: before } = (await ada.send({ url: '/api/webhooks' })).json()
  expect(await post('/api/webhooks', { url })).toMatchObject({ code: 'invalid', fields: { url: problem } })
  expect((await ada.send({ url: '/api/webhooks' })).json().rows).toHaveLength(before.length)
  const { id } = await post('/api/webhooks', { url: 'https://example.com/webhook' })
  expect((await post(`/api/webhooks/${id}`, { url, description: 'Newsletter' })).fields).toEqual({ url: problem })
  expect(await readEndpoint(id)).toMatchObject({ url: 'https://example.com/webhook', description: '' })
  await ada.send({ method: 'DELETE', url: `/api/webhooks/${id}` })
})

test('hosts that the operator allows are accepted and get deliveries', async () => {
  await using receiver = await startWebhookReceiver()
  expect(await post('/api/webhooks', { url: 'http://localhost:8080/webhook' })).toMatchObject({ is_active: true })
  const { id } = await post('/api/webhooks', { url: receiver.url })
  await post(`/api/webhooks/${id}/test`)
  await untilSent(() => receiver.messages.length).toBe(1)
})

test('nothing is sent to a stored private address, and its endpoint and its delivery say why', async () => {
  const { id } = await post('/api/webhooks', { url: 'https://example.com/webhook' })
  await app.tableOwner.query(`update webhook_endpoints set url = 'http://169.254.169.254/latest' where id = $1`, [id])
  await post(`/api/webhooks/${id}/test`)
  await untilSent(async () => (await readLog(id))[0]).toMatchObject({ status: 'waiting', response_status: null, problem })
  expect(await readEndpoint(id)).toMatchObject({ problem })
  expect(await post(`/api/webhooks/${id}`, { is_active: false })).toMatchObject({ is_active: false })
})

test('nothing is sent to a name that leads to a private network, and its endpoint and its delivery say why', async () => {
  const { id } = await post('/api/webhooks', { url: 'https://receiver.example.com/webhook' })
  await post(`/api/webhooks/${id}/test`)
  await untilSent(async () => (await readLog(id))[0]).toMatchObject({ status: 'waiting', response_status: null, problem })
  expect(await readEndpoint(id)).toMatchObject({ problem })
})

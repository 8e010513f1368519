// The webhooks of an account that has used up its quota.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs } from '#server/testing/people.ts'
import { startWebhookReceiver } from '#server/testing/webhook-receiver.ts'

const recordQuotaBytes = 10_000_000
let app: TestApp
beforeAll(async () => void (app = await openTestApp({ allowedHosts: ['127.0.0.1'], recordQuotaBytes })))
afterAll(() => app.stop())

test('an endpoint of a full account is turned off after one answer with 410, and its owner gets the mail', async () => {
  await using receiver = await startWebhookReceiver()
  receiver.setRespond((response) => void response.writeHead(410).end())
  const ada = await signInAs(app, 'ada')
  const post = async (url: string, payload: object) => (await ada.send({ method: 'POST', url, payload })).json()
  const { id: deleted } = await post('/api/contacts', { first_name: 'Deleted', last_name: 'Example' })
  const { id } = await post('/api/webhooks', { url: receiver.url, events: ['contact.created'] })
  await post('/api/contacts', { first_name: 'Mary', last_name: 'Example' })
  const readUse = async (): Promise<number> => (await ada.send({ url: '/api/storage' })).json().record_bytes
  await expect.poll(readUse, { timeout: 10_000 }).toBeGreaterThan(0)
  await app.tableOwner.query('update record_use set bytes = $2 where user_id = $1', [ada.id, recordQuotaBytes])
  await ada.send({ method: 'DELETE', url: `/api/contacts/${deleted}` }) // a write, after which the server reads the changed sum
  await expect.poll(readUse, { timeout: 10_000 }).toBeGreaterThan(recordQuotaBytes)
  expect(await post('/api/contacts', { first_name: 'Refused', last_name: 'Example' })).toMatchObject({ code: 'record_quota_exceeded' })
  const readEndpoint = async () => (await ada.send({ url: `/api/webhooks/${id}` })).json()
  await expect.poll(async () => (await app.runSchedule('webhooks'), (await readEndpoint()).is_active), { timeout: 5000 }).toBe(false)
  expect(receiver.messages).toHaveLength(1)
  const { rows } = (await ada.send({ url: `/api/outbox?about=${id}` })).json()
  expect(rows).toMatchObject([{ subject: expect.stringContaining('Webhook was turned off'), to_address: ada.email }])
})

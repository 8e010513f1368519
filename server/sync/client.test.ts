// What the client sends, and where, without a server.
import { expect, onTestFinished, test } from 'vitest'
import type { OutboundFetch } from '#server/platform/outbound/outbound.ts'
import { createCrmClient, setCrmPauses } from './client.ts'

setCrmPauses({ request: 0 })

/** Creates a client whose first request is redirected to `location`. `sent` has the addresses of the requests and their times. */
function createTestClient({ location, allowedHosts = [] }: { location?: string; allowedHosts?: string[] } = {}) {
  const sent: { address: string; at: number }[] = []
  const fetch: OutboundFetch = async (address) => {
    sent.push({ address: String(address), at: performance.now() })
    return sent.length === 1 && location !== undefined ? new Response(null, { status: 302, headers: { location } }) : Response.json([])
  }
  const apiUrl = 'https://api.insightly.com/v3.1'
  return { sent, client: createCrmClient({ fetch, allowedHosts, apiUrl, authorization: 'Basic a2V5Og==', domain: 'insightly.com' }) }
}

test('after a redirect to a host of the CRM, later requests are sent to this host', async () => {
  const { client, sent } = createTestClient({ location: 'https://api.na1.insightly.com/v3.1/Contacts?skip=0' })
  await client.get('/Contacts', { skip: '0' })
  await client.get('/Contacts', { skip: '500' })
  expect(sent.map(({ address }) => address)).toEqual([
    'https://api.insightly.com/v3.1/Contacts?skip=0',
    'https://api.na1.insightly.com/v3.1/Contacts?skip=0',
    'https://api.na1.insightly.com/v3.1/Contacts?skip=500',
  ])
})

test.each([
  'http://api.na1.insightly.com/v3.1/Contacts',
  'http://api.insightly.com/v3.1/Contacts',
  'http://proxy.example/v3.1/Contacts',
  'https://insightly.com.example/v3.1/Contacts',
])('the key is not sent after a redirect to %s', async (location) => {
  const { client, sent } = createTestClient({ location, allowedHosts: ['proxy.example'] })
  await expect(client.get('/Contacts')).rejects.toMatchObject({ reason: 'redirect' })
  expect(sent).toHaveLength(1)
})

test('requests start at least the pause apart', async () => {
  setCrmPauses({ request: 40 })
  onTestFinished(() => setCrmPauses({ request: 0 }))
  const { client, sent } = createTestClient()
  await Promise.all([client.get('/Contacts'), client.get('/Organisations'), client.get('/Users/Me')])
  const pauses = sent.slice(1).map(({ at }, index) => at - (sent[index]?.at ?? 0))
  expect(pauses).toHaveLength(2)
  expect((sent[2]?.at ?? 0) - (sent[0]?.at ?? 0)).toBeGreaterThan(70) // timers may be a few milliseconds early
})

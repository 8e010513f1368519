// What the client sends, and where, without a server.
import { inspect } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import type { OutboundFetch } from '#server/platform/outbound/outbound.ts'
import { createCrmClient, setCrmPauses } from './client.ts'
import { CrmFailure } from './failure.ts'

setCrmPauses({ request: 0, retry: 1 })

type TestClientOptions = { location?: string; allowedHosts?: string[]; body?: string; respond?: () => Response }

/**
 * Creates a client whose first request is redirected to `location`. The other responses have `body`, or are those of `respond`. `requests`
 * has the addresses of the requests and their times.
 */
function createTestClient({ location, allowedHosts = [], body = '[]', respond = () => new Response(body) }: TestClientOptions = {}) {
  const requests: { address: string; at: number }[] = []
  const fetch: OutboundFetch = async (address) => {
    requests.push({ address: String(address), at: performance.now() })
    return requests.length === 1 && location !== undefined ? new Response(null, { status: 302, headers: { location } }) : respond()
  }
  const apiUrl = 'https://api.insightly.com/v3.1'
  return { requests, client: createCrmClient({ fetch, allowedHosts, apiUrl, authorization: 'Basic a2V5Og==', domain: 'insightly.com' }) }
}

test('after a redirect to a host of the CRM, later requests are sent to this host', async () => {
  const { client, requests } = createTestClient({ location: 'https://api.na1.insightly.com/v3.1/Contacts?skip=0' })
  await client.get('/Contacts', { skip: '0' })
  await client.get('/Contacts', { skip: '500' })
  expect(requests.map(({ address }) => address)).toEqual([
    'https://api.insightly.com/v3.1/Contacts?skip=0',
    'https://api.na1.insightly.com/v3.1/Contacts?skip=0',
    'https://api.na1.insightly.com/v3.1/Contacts?skip=500',
  ])
})

test.each([
  'http://api.na1.insightly.com/v3.1/Contacts',
  'http://api.insightly.com/v3.1/Contacts',
  'http://proxy.example/v3.1/Contacts', // an allowed host, but unencrypted
  'https://insightly.com.example/v3.1/Contacts', // not a host of the CRM
])('the key is not sent after a redirect to %s', async (location) => {
  const { client, requests } = createTestClient({ location, allowedHosts: ['proxy.example'] })
  await expect(client.get('/Contacts')).rejects.toMatchObject({ reason: 'redirect' })
  expect(requests).toHaveLength(1)
})

test.each(['{"message": s3cret}', 's3cret'])(
  'the failure of a response that is not JSON does not contain the text of the response: %s',
  async (body) => {
    const { client } = createTestClient({ body })
    const failure = await client.get('/Contacts').catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(CrmFailure)
    expect(inspect(failure)).not.toContain('s3cret')
  },
)

test('a request fails after ten waits, also if the CRM asks to wait 0 seconds each time', async () => {
  let count = 0
  const { client } = createTestClient({
    respond: () => (++count <= 20 ? new Response(null, { status: 429, headers: { 'retry-after': '0' } }) : new Response('[]')),
  })
  await expect(client.get('/Contacts')).rejects.toMatchObject({ reason: 'waiting' })
  expect(count).toBe(11)
})

test('simultaneous requests start with at least the pause between them', async () => {
  setCrmPauses({ request: 40 })
  onTestFinished(() => setCrmPauses({ request: 0 }))
  const { client, requests } = createTestClient()
  await Promise.all([client.get('/Contacts'), client.get('/Organisations'), client.get('/Users/Me')])
  expect(requests).toHaveLength(3)
  expect((requests[2]?.at ?? 0) - (requests[0]?.at ?? 0)).toBeGreaterThan(70) // two pauses; timers may be a few milliseconds early
})

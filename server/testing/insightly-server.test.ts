import { expect, test } from 'vitest'
import { startInsightly, type Fault } from './insightly-server.ts'

test.each<[string, Fault, string]>([
  ['other parameters', { query: { skip: '2' } }, '?skip=2'],
  ['more headers', { headers: { 'retry-after': '7' } }, '?top=1'],
])('a fault with %s also applies to the redirect of the general host', async (_name, fault, query) => {
  await using crm = await startInsightly({ respond: () => fault })
  const response = await fetch(`${crm.url}/Contacts?top=1`, { redirect: 'manual', signal: AbortSignal.timeout(5000) })
  expect(response.status).toBe(302)
  expect(response.headers.get('location')).toBe(`${crm.accountUrl}/Contacts${query}`)
  expect(response.headers.get('retry-after')).toBe('headers' in Object(fault) ? '7' : null)
})

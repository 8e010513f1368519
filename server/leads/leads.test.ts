// Other programs send contacts to /functions/v1/leads with an API key.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { createApiKey, signInAs, type Person } from '#server/testing/people.ts'

let app: TestApp
let ada: Person
let key: Awaited<ReturnType<typeof createApiKey>>
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  key = await createApiKey(app, ada, 'leads')
})

const url = '/functions/v1/leads'
const send = (payload: object, headers = {}) => key.send({ method: 'POST', url, payload, headers })
const readContacts = async () => (await ada.send({ url: '/api/contacts?sort=newest' })).json().rows
const readContact = async (id: string) => (await ada.send({ url: `/api/contacts/${id}` })).json()

test('a lead becomes a contact with first and last name and any other field, and the actor of the change is the API key', async () => {
  const lead = { name: 'Dr. Jane van Doe', email: 'jane@example.com', phone: '+1 555 0100', company: 'Acme', tags: ['web'] }
  const response = await send(lead)
  expect([response.statusCode, response.json()]).toEqual([200, { success: true, contact_id: expect.any(String) }])
  expect(await readContact(response.json().contact_id)).toMatchObject({
    first_name: 'Jane',
    last_name: 'van Doe',
    email: 'jane@example.com',
    phone: '+1 555 0100',
    company: 'Acme',
    tags: ['web'],
  })
  const change = await ada.send({ url: `/api/changes/${String(response.headers['foyer-change'])}` })
  expect(change.json()).toMatchObject({ actor: `api_key:${key.id}`, label: 'Received lead' })
})

test('the same lead again, also fifty times at once, gets the same response and changes nothing', async () => {
  const lead = { name: 'Jane Doe', email: 'jane@example.com' }
  const responses = await Promise.all(Array.from({ length: 50 }, () => send(lead)))
  const ids = new Set(responses.map((response) => response.json().contact_id))
  expect([responses.every(({ statusCode }) => statusCode === 200), ids.size]).toEqual([true, 1])
  expect(responses.filter(({ headers }) => headers['foyer-change'])).toHaveLength(1)
  expect(await readContacts()).toHaveLength(1)
})

test('a lead fills only the empty fields of an existing contact', async () => {
  const known = (await send({ name: 'Jane Doe', email: 'jane@example.com', company: 'Acme' })).json().contact_id
  const again = await send({ name: 'Eve Mallory', email: 'JANE@example.com', company: 'Evil', title: 'CEO' })
  expect(again.json().contact_id).toBe(known)
  expect(await readContact(known)).toMatchObject({ first_name: 'Jane', last_name: 'Doe', company: 'Acme', title: 'CEO' })
})

test('a single name, only an email, or only a phone number is enough', async () => {
  for (const lead of [{ name: 'Madonna' }, { email: 'only@example.com' }, { phone: '+1 555 0101' }])
    expect((await send(lead)).statusCode).toBe(200)
  const names = (await readContacts()).map((each: { first_name: string; last_name: string }) =>
    `${each.first_name} ${each.last_name}`.trim(),
  )
  expect(names).toEqual(['+1 555 0101', 'only@example.com', 'Madonna'])
})

test.each([
  [{}, { name: 'Send a name, an email or a phone number' }],
  [{ name: '\u200B', last_name: '\u2800' }, { name: 'Send a name, an email or a phone number' }],
  [{ name: ' ', email: '' }, { name: 'Send a name, an email or a phone number' }],
  [{ name: 'Jane', email: 'jane' }, { email: 'Enter an email like name@example.com' }],
  [{ name: 'Jane', phone: 'none' }, { phone: 'Enter a phone number like +44 20 7946 0118' }],
  [{ name: 'Jane', user_id: 'x' }, { user_id: expect.any(String) }],
  [{ name: 'Jane', reports_to_id: '01930000-0000-7000-8000-00000000ffff' }, { reports_to_id: 'This contact is no longer here' }],
])('%j is refused with a sentence for the field, and nothing is stored', async (lead, fields) => {
  const response = await send(lead)
  expect([response.statusCode, response.json().fields]).toEqual([422, fields])
  expect(await readContacts()).toEqual([])
})

test('without a key, with an unknown key or with a key for reading only, nothing is stored; a key for writing can send leads', async () => {
  const request = { method: 'POST', url, payload: { name: 'Jane' } } as const
  expect((await app.server.inject(request)).json().code).toBe('not_signed_in')
  expect((await app.server.inject({ ...request, headers: { 'x-api-key': 'sk_1' } })).json().code).toBe('key_unknown')
  const reader = await createApiKey(app, ada, 'read')
  expect((await reader.send(request)).json().code).toBe('scope_missing')
  expect(await readContacts()).toEqual([])
  const writer = await createApiKey(app, ada, 'write')
  expect((await writer.send(request)).statusCode).toBe(200)
})

test('a browser on another website may not read the response, because a key in a web page is public', async () => {
  const origin = 'https://shop.example'
  const preflight = await app.server.inject({
    method: 'OPTIONS',
    url,
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key' },
  })
  expect(preflight.statusCode).toBe(404)
  const response = await send({ name: 'Jane' }, { origin })
  for (const { headers } of [preflight, response]) expect(headers).not.toHaveProperty('access-control-allow-origin')
})

// API keys: the routes of their owner, and requests with a key.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { maxApiKeys } from '#contract/apiKeys.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { createApiKey, signInAs, type Person } from '#server/testing/people.ts'

let app: TestApp
let ada: Person
let time = new Date('2026-11-23T12:00:00Z')
beforeAll(async () => {
  app = await openTestApp({ now: () => time })
  ada = await signInAs(app, 'ada')
  // `signInAs` adds sessions that end a day after the real time, which may be before the time of this test
  await app.tableOwner.query(`update sessions set expires_at = 'infinity'`)
})
afterAll(() => app.stop())

const create = (payload: object, person = ada) => person.send({ method: 'POST', url: '/api/api-keys', payload })
const list = async (person = ada) => (await person.send({ url: '/api/api-keys' })).json().rows
const readContacts = (headers: Record<string, string>) => app.server.inject({ url: '/api/contacts', headers })
const statusAndCode = (response: Awaited<ReturnType<typeof create>>) => [response.statusCode, response.json().code]

test('a key is returned once, begins with sk_, and only its hash and its first 12 characters are stored', async () => {
  const response = await create({ name: '  Website\n', scopes: ['leads', 'read', 'leads'] })
  expect(response.statusCode).toBe(201)
  const { key, ...created } = response.json()
  expect(key).toMatch(/^sk_[\da-f]{64}$/)
  expect(created).toMatchObject({
    name: 'Website',
    key_prefix: key.slice(0, 12),
    scopes: ['leads', 'read'],
    is_active: true,
    last_used_at: null,
    expires_at: null,
  })
  expect((await list())[0]).toEqual(created)
  const { rows } = await app.tableOwner.query('select to_jsonb(k) as row from api_keys k where id = $1', [created.id])
  expect(rows[0].row.key_hash).toBe(createHash('sha256').update(key).digest('hex'))
  expect(JSON.stringify(rows)).not.toContain(key.slice(12))
})

test('a name and a right are required, and an expiry must be in the future', async () => {
  for (const name of ['', '  ', '\u200b']) {
    const response = await create({ name })
    expect([response.statusCode, response.json().fields]).toEqual([422, { name: 'Please enter a name for the API key' }])
  }
  expect((await create({ name: 'None', scopes: [] })).json().fields).toEqual({ scopes: 'Choose what the key may do' })
  expect((await create({ name: 'Old', expires_at: '2026-11-23T12:00:00Z' })).json().fields).toEqual({
    expires_at: 'Choose a time in the future',
  })
})

test('a key is accepted in x-api-key and as a Bearer token, acts as its own actor, and without chosen rights cannot read', async () => {
  const writer = await createApiKey(app, ada, 'write')
  const contact = { first_name: 'Mary', last_name: 'Somerville', email: 'mary@example.org' }
  const added = await writer.send({ method: 'POST', url: '/api/contacts', payload: contact })
  expect(added.statusCode, added.body).toBe(201)
  const change = await ada.send({ url: `/api/changes/${String(added.headers['foyer-change'])}` })
  expect(change.json().actor).toBe(`api_key:${writer.id}`)
  const reader = await createApiKey(app, ada, 'read')
  expect((await readContacts({ 'x-api-key': reader.key })).json().rows).toMatchObject([contact])
  expect((await readContacts({ authorization: `Bearer ${reader.key}` })).json().rows).toMatchObject([contact])
  const { key } = (await create({ name: 'Default' })).json()
  expect(statusAndCode(await readContacts({ 'x-api-key': key }))).toEqual([403, 'scope_missing'])
})

test('the history has the name of the key, also after the key was deleted', async () => {
  const { id: keyId, key } = (await create({ name: 'Website', scopes: ['read', 'write'] })).json()
  const headers = { 'x-api-key': key }
  const deal = (await app.server.inject({ method: 'POST', url: '/api/deals', headers, payload: { title: 'Shelves' } })).json()
  const url = `/api/deals/${deal.id}`
  const change = { actor: `api_key:${keyId}`, actor_name: 'Website' }
  const edit = (value: number, version: number) => ada.send({ method: 'PATCH', url, payload: { value, version } })
  expect((await app.server.inject({ method: 'PATCH', url, headers, payload: { value: 5, version: 1 } })).statusCode).toBe(200)
  expect((await ada.send({ method: 'DELETE', url: `/api/api-keys/${keyId}` })).statusCode).toBe(204)
  expect((await edit(6, 1)).json().conflict).toMatchObject(change)
  expect((await edit(6, 2)).statusCode).toBe(200)
  const timeline = (await ada.send({ url: `/api/changes?record=${deal.id}` })).json().rows
  expect(timeline).toMatchObject([{ actor: `user:${ada.id}`, actor_name: null }, change, change])
  expect((await ada.send({ url: '/api/changes/recent?limit=3' })).json().rows).toMatchObject([{ actor_name: null }, change, change])
  expect((await ada.send({ url: `/api/changes/${timeline[1].change}` })).json()).toMatchObject(change)
})

test('in a request with a key the cookie does not count, and the origin may be another website', async () => {
  const cookie = `foyer=${ada.token}`
  expect((await readContacts({ cookie })).statusCode).toBe(200)
  for (const key of ['', 'nonsense', `sk_${'0'.repeat(64)}`])
    expect(statusAndCode(await readContacts({ cookie, 'x-api-key': key }))).toEqual([401, 'key_unknown'])
  expect(statusAndCode(await readContacts({ cookie, authorization: `Bearer sk_${'0'.repeat(64)}` }))).toEqual([401, 'key_unknown'])
  const { send } = await createApiKey(app, ada, 'write')
  const headers = { origin: 'https://elsewhere.example', cookie }
  const payload = { title: 'Shelves' }
  expect((await send({ method: 'POST', url: '/api/deals', payload, headers })).statusCode).toBe(201)
})

test('a deleted key and an expired key are refused at once', async () => {
  const { id, key } = await createApiKey(app, ada, 'read')
  expect((await readContacts({ 'x-api-key': key })).statusCode).toBe(200)
  expect((await ada.send({ method: 'DELETE', url: `/api/api-keys/${id}` })).statusCode).toBe(204)
  expect(statusAndCode(await readContacts({ 'x-api-key': key }))).toEqual([401, 'key_unknown'])
  expect((await ada.send({ method: 'DELETE', url: `/api/api-keys/${id}` })).statusCode).toBe(404)
  const expiring = (await create({ name: 'Short', scopes: ['read'], expires_at: '2026-11-23T12:00:10Z' })).json()
  expect((await readContacts({ 'x-api-key': expiring.key })).statusCode).toBe(200)
  time = new Date('2026-11-23T12:00:10Z')
  expect(statusAndCode(await readContacts({ 'x-api-key': expiring.key }))).toEqual([401, 'key_unknown'])
  expect((await list())[0]).toMatchObject({ id: expiring.id, is_active: false })
})

test('a key is listed although its expiry, stored by an earlier version, would be refused now', async () => {
  const { id } = await createApiKey(app, ada, 'read')
  await app.tableOwner.query(`update api_keys set expires_at = '9999-12-31T00:00:00Z' where id = $1`, [id])
  expect((await list()).find((each: { id: string }) => each.id === id)).toMatchObject({ expires_at: '9999-12-31T00:00:00Z' })
})

test('the last use is written at most once a minute', async () => {
  const { id, key } = await createApiKey(app, ada, 'read')
  const lastUse = async () => (await list()).find((each: { id: string }) => each.id === id).last_used_at
  const use = async (at: string) => {
    time = new Date(at)
    await Promise.all([1, 2, 3].map(() => readContacts({ 'x-api-key': key })))
    return new Date(await lastUse()).toISOString()
  }
  expect(await use('2026-11-23T13:00:00Z')).toBe('2026-11-23T13:00:00.000Z')
  expect(await use('2026-11-23T13:00:59Z')).toBe('2026-11-23T13:00:00.000Z')
  expect(await use('2026-11-23T13:01:00Z')).toBe('2026-11-23T13:01:00.000Z')
})

test('each key has its own limit of 600 requests per minute', async () => {
  const grace = await signInAs(app, 'grace')
  await app.tableOwner.query(`update sessions set expires_at = 'infinity'`)
  const [first, second] = [await createApiKey(app, grace, 'read'), await createApiKey(app, grace, 'read')]
  for (let sent = 0; sent < 600; sent += 100) {
    const responses = await Promise.all(Array.from({ length: 100 }, () => readContacts({ 'x-api-key': first.key })))
    expect(responses.every(({ statusCode }) => statusCode === 200)).toBe(true)
  }
  expect(statusAndCode(await readContacts({ 'x-api-key': first.key }))).toEqual([429, 'too_many_requests'])
  expect((await readContacts({ 'x-api-key': second.key })).statusCode).toBe(200)
})

test('a user has at most 100 keys, also after concurrent requests, and another user sees none of them', async () => {
  const grace = await signInAs(app, 'grace')
  await app.tableOwner.query(`update sessions set expires_at = 'infinity'`)
  await app.tableOwner.query(
    `insert into api_keys (user_id, name, key_hash, key_prefix, scopes, created_at)
     select $1, 'Key', 'hash ' || n, 'sk_', '{read}', now() from generate_series(1, $2::int) n`,
    [grace.id, maxApiKeys - 1],
  )
  const responses = await Promise.all([1, 2, 3].map(() => create({ name: 'One more' }, grace)))
  expect(responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 422, 422])
  expect(await list(grace)).toHaveLength(maxApiKeys)
  expect((await list()).some(({ name }: { name: string }) => name === 'One more')).toBe(false)
})

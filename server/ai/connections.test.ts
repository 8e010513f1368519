import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AiSettings } from '#server/platform/ai/settings.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { openAi } from './ai.ts'

const installationKey = 'the key of an installation in tests'
const operator: AiSettings = {
  connection: {
    baseUrl: 'https://operator.example/v1',
    key: { reveal: () => 'the key of the operator' },
    model: 'large',
    imageModel: 'painter',
    inputPrice: 1,
    outputPrice: 2,
  },
  maxTokensPerDay: 50_000,
}
const off: AiSettings = { connection: undefined, maxTokensPerDay: undefined }

let now = new Date()
let apps: Record<'off' | 'operator', TestApp>
let ada: Person
beforeAll(async () => {
  const withoutAi = await openTestApp({ now: () => now })
  const { connections } = withoutAi // both apps have the same database
  apps = { off: withoutAi, operator: await openTestApp({ ai: operator, connections, now: () => now }) }
})
afterAll(async () => {
  await apps.operator.stop()
  await apps.off.stop()
})
beforeEach(async () => {
  now = new Date()
  ada = await signInAs(apps.off, 'ada')
})

const send = async (app: keyof typeof apps, method: 'GET' | 'PUT' | 'DELETE', payload?: object, url = '/api/ai') => {
  const response = await apps[app].server.inject({
    method,
    url,
    headers: { authorization: `Bearer ${ada.token}` },
    ...(payload && { payload }),
  })
  return { status: response.statusCode, body: response.body === '' ? undefined : response.json(), text: response.body }
}
const contextOf = (name: keyof typeof apps) => ({
  database: apps[name].database,
  now: () => now,
  installationKey,
  settings: { ai: name === 'off' ? off : operator },
})
const openKey = async (): Promise<string | undefined> => (await openAi(contextOf('off'), { owner: ada.id })).connection.key
const ownConnection = { base_url: 'https://ai.example/v1', key: 'key-of-ada-0001', model: 'small' }

test('without a connection the AI is off', async () => {
  expect(await send('off', 'GET')).toMatchObject({ status: 200, body: { source: 'off', model: '', has_operator_connection: false } })
})

test('of the operator’s connection, only the models are shown', async () => {
  const { body, text } = await send('operator', 'GET')
  expect(body).toEqual({
    source: 'operator',
    base_url: '',
    key_state: 'none',
    key_end: '',
    model: 'large',
    image_model: 'painter',
    capabilities: { tools: null, structured_output: null, vision: null, images: null },
    input_price: null,
    output_price: null,
    has_operator_connection: true,
  })
  expect(text).not.toMatch(/operator\.example|the key of/)
})

test('an own connection is stored and shown without its key, and takes precedence until it is removed', async () => {
  const saveResponse = await send('operator', 'PUT', { ...ownConnection, image_model: 'painter', input_price: 0.5, output_price: 2 })
  expect(saveResponse).toMatchObject({
    status: 200,
    body: {
      source: 'own',
      base_url: 'https://ai.example/v1',
      key_state: 'stored',
      key_end: '0001',
      model: 'small',
      image_model: 'painter',
      input_price: 0.5,
      output_price: 2,
      has_operator_connection: true,
    },
  })
  expect(saveResponse.text).not.toContain(ownConnection.key)
  expect((await send('operator', 'GET')).body).toEqual(saveResponse.body)
  expect(await openKey()).toBe(ownConnection.key)
  expect((await send('operator', 'DELETE')).status).toBe(204)
  expect((await send('operator', 'GET')).body).toMatchObject({ source: 'operator', model: 'large' })
  expect((await send('operator', 'DELETE')).status).toBe(204)
})

test('no character of a short key is shown', async () => {
  expect((await send('off', 'PUT', { ...ownConnection, key: 'short-key' })).body).toMatchObject({ key_state: 'stored', key_end: '' })
})

test('a save without a key keeps the stored key if the origin stays the same, and removes it if the origin changes', async () => {
  await send('off', 'PUT', ownConnection)
  const { key: _key, ...withoutKey } = ownConnection
  expect((await send('off', 'PUT', { ...withoutKey, base_url: 'https://ai.example/other', model: 'large' })).body).toMatchObject({
    key_state: 'stored',
    model: 'large',
  })
  expect(await openKey()).toBe(ownConnection.key)
  for (const base_url of ['https://ai.example:8443/v1', 'http://ai.example/v1', 'https://ai.example.other.example/v1']) {
    await send('off', 'PUT', ownConnection)
    expect((await send('off', 'PUT', { ...withoutKey, base_url })).body, base_url).toMatchObject({ base_url, key_state: 'none' })
    expect(await openKey()).toBeUndefined()
  }
})

test('an empty key removes the stored one', async () => {
  await send('off', 'PUT', ownConnection)
  expect((await send('off', 'PUT', { ...ownConnection, key: '' })).body).toMatchObject({ key_state: 'none', key_end: '' })
})

test('after a change of the key of the installation, the owner must enter their AI key again', async () => {
  await send('off', 'PUT', ownConnection)
  const { connections } = apps.off
  const app = await openTestApp({ connections, installationKey: 'another key of the installation' })
  const response = await app.server.inject({ url: '/api/ai', headers: { authorization: `Bearer ${ada.token}` } })
  await app.stop()
  expect([response.statusCode, response.json()]).toEqual([200, expect.objectContaining({ source: 'own', key_state: 'lost', key_end: '' })])
  expect((await send('off', 'GET')).body).toMatchObject({ key_state: 'stored' })
})

test.each([
  ['base_url', { base_url: 'ftp://ai.example' }, 'Enter an address like https://ai.example/v1'],
  ['base_url', { base_url: 'https://ada:word@ai.example/v1' }, 'Enter the address without a password, ? or #'],
  ['base_url', { base_url: 'https://ai.example/v1?key=word' }, 'Enter the address without a password, ? or #'],
  ['model', { model: ' ' }, 'Choose a model'],
  ['output_price', { input_price: 1 }, 'Enter both prices, or none'],
  ['input_price', { output_price: 1 }, 'Enter both prices, or none'],
  ['input_price', { input_price: -1, output_price: 1 }, 'At least 0'],
])('a wrong %s is refused at its field: %o', async (field, wrong, sentence) => {
  const { status, body } = await send('off', 'PUT', { ...ownConnection, ...wrong })
  expect([status, body.fields]).toEqual([422, expect.objectContaining({ [field]: sentence })])
  expect((await send('off', 'GET')).body.source).toBe('off')
})

test('the usage of a month begins on its first day in the time zone of the owner', async () => {
  await apps.off.tableOwner.query(`update profiles set timezone = 'Pacific/Auckland' where user_id = $1`, [ada.id])
  const useAt = async (time: string) => {
    now = new Date(time)
    await (await openAi(contextOf('operator'), { owner: ada.id })).countUse({ inputTokens: 1000, outputTokens: 500 })
  }
  await useAt('2026-10-31T10:59:00Z') // 23:59 on the last day of October in Auckland
  await useAt('2026-10-31T11:01:00Z')
  await useAt('2026-11-23T10:00:00Z')
  expect((await send('operator', 'GET', undefined, '/api/ai/usage')).body).toEqual({
    month: '2026-11-01',
    answers: 2,
    images: 0,
    input_tokens: 2000,
    output_tokens: 1000,
    cost: 0.004,
    tokens_today: 1500,
    tokens_per_day: 50_000,
  })
  await (await openAi(contextOf('operator'), { owner: ada.id })).countUse({ inputTokens: undefined, outputTokens: undefined, images: 1 })
  now = new Date('2026-11-23T11:00:00Z') // midnight in Auckland
  expect((await send('operator', 'GET', undefined, '/api/ai/usage')).body).toMatchObject({ answers: 2, images: 1, tokens_today: 0 })
})

test('without any use all numbers are 0 and there is no cost', async () => {
  now = new Date('2026-11-23T12:00:00Z')
  expect((await send('off', 'GET', undefined, '/api/ai/usage')).body).toEqual({
    month: '2026-11-01',
    answers: 0,
    images: 0,
    input_tokens: 0,
    output_tokens: 0,
    cost: null,
    tokens_today: 0,
    tokens_per_day: null,
  })
})

test('an own connection has no limit, and its tokens do not count towards the limit of the operator’s connection', async () => {
  await send('operator', 'PUT', ownConnection)
  await (await openAi(contextOf('operator'), { owner: ada.id })).countUse({ inputTokens: 70_000, outputTokens: 0 })
  expect((await send('operator', 'GET', undefined, '/api/ai/usage')).body).toMatchObject({ tokens_today: 70_000, tokens_per_day: null })
  await send('operator', 'DELETE')
  expect((await send('operator', 'GET', undefined, '/api/ai/usage')).body).toMatchObject({ tokens_today: 0, tokens_per_day: 50_000 })
})

test('saving and removing are announced as live updates', async () => {
  const readAnnounced = async (): Promise<number> => {
    const { rowCount } = await apps.off.tableOwner.query(
      `select from unjournaled_writes where user_id = $1 and table_name = 'ai_connections'`,
      [ada.id],
    )
    return rowCount ?? 0
  }
  await send('off', 'PUT', ownConnection)
  await send('off', 'PUT', { ...ownConnection, model: 'large' })
  await send('off', 'DELETE')
  expect(await readAnnounced()).toBe(3)
  await send('off', 'DELETE')
  expect(await readAnnounced()).toBe(3)
})

test('an account with a connection and usage can be deleted', async () => {
  await send('off', 'PUT', ownConnection)
  await (await openAi(contextOf('off'), { owner: ada.id })).countUse({ inputTokens: 1, outputTokens: 1 })
  const response = await ada.send({ method: 'POST', url: '/api/account/delete', payload: { password: 'engine no. 1' } })
  expect(response.statusCode).toBe(204)
  const { rows } = await apps.off.tableOwner.query('select (select count(*) from ai_connections where user_id = $1)::int as count', [
    ada.id,
  ])
  expect(rows).toEqual([{ count: 0 }])
})

// Connections to other CRMs: their addresses are checked, and their keys are in no response, event, log or download.
import { Writable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { maxConnections } from '#contract/crmConnections.ts'
import { startInsightly, type InsightlyServer } from '#server/testing/insightly-server.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { cleanLater } from '#server/testing/cleaning.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { undo } from '#server/testing/records.ts'
import { connectCrm, syncCrm } from '#server/testing/sync.ts'
import { unzip } from '#server/testing/zip.ts'

const key = 'insightly-key-of-ada-4711'
const log: string[] = []
let app: TestApp
let crm: InsightlyServer
let ada: Person
beforeAll(async () => {
  crm = await startInsightly({ key }) // with three contacts; its host `general` redirects to its host `account`
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      log.push(String(chunk))
      done()
    },
  })
  app = await openTestApp({
    logger: { level: 'trace', stream },
    allowedHosts: ['127.0.0.1'],
    lookup: (_name, options, callback) =>
      options.all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4),
  })
})
afterAll(async () => {
  await app.stop()
  await crm[Symbol.asyncDispose]()
})
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  crm.setRespond(undefined)
})

const url = '/api/crm-connections'
const add = async (payload: object) => {
  const response = await ada.send({ method: 'POST', url, payload })
  return { status: response.statusCode, body: response.json() }
}
const privateAddress = 'This address is in a private network. The operator of this server can allow it with FOYER_ALLOWED_HOSTS.'

test('a connection is tried, stored and shown without its key', async () => {
  const connection = await connectCrm(ada, crm)
  expect(connection).toEqual({
    id: expect.any(String),
    crm_type: 'insightly',
    api_url: crm.url,
    key_state: 'stored',
    key_end: '4711',
    created_at: expect.any(String),
    last_synced_at: null,
    contacts: 0,
    last_sync: null,
  })
  expect((await ada.send({ url })).json()).toEqual({ rows: [connection] })
  expect((await ada.send({ url: `${url}/${connection.id}/syncs` })).json()).toEqual({ rows: [] })
})

test.each([
  ['api_key', { api_key: 'wrong-key' }, 'Insightly refused the API key. Copy it again from your user settings there.'],
  ['api_key', { api_key: '' }, 'Enter the API key'],
  ['api_key', { api_key: 'a “key”' }, 'Enter the key without spaces or special characters'],
  ['api_url', { api_url: '' }, 'Enter the API URL'],
  ['api_url', { api_url: 'ftp://insightly.example' }, 'Enter an address like https://api.insightly.com/v3.1'],
  ['api_url', { api_url: 'https://ada:word@insightly.example' }, 'Enter the address without a password, ? or #'],
  ['api_url', { api_url: 'http://127.0.0.1:1/v3.1' }, 'Insightly cannot be reached.'],
  ['api_url', { api_url: 'http://10.0.0.1/v3.1' }, privateAddress],
  ['api_url', { api_url: 'http://[::1]/v3.1' }, privateAddress],
  ['api_url', { api_url: 'http://api.insightly.com:9/v3.1' }, privateAddress], // the name leads to this machine
])('a wrong %s is refused at its field: %o', async (field, wrong, sentence) => {
  expect(await add({ api_url: crm.url, api_key: key, ...wrong })).toMatchObject({ status: 422, body: { fields: { [field]: sentence } } })
  expect((await ada.send({ url })).json()).toEqual({ rows: [] })
})

test.each([
  ['status 404', { status: 404 }, 'There is no Insightly at this address. It usually is https://api.insightly.com/v3.1.'],
  ['a web page', { status: 200, body: '<html>Welcome</html>' }, 'This address does not answer like Insightly.'],
  ['a response of another form', { status: 200, body: [] }, 'Insightly gave an answer that could not be used.'],
  ['status 503', { status: 503 }, 'Insightly failed.'],
  ['a request to wait', { status: 429, headers: { 'retry-after': '30' } }, 'Insightly is busy and asks to wait.'],
])('a connection is refused with a message if the CRM answers with %s', async (_name, fault, sentence) => {
  crm.setRespond(({ host }) => (host === 'account' ? fault : undefined))
  expect(await add({ api_url: crm.url, api_key: key })).toMatchObject({ status: 422, body: { fields: { api_url: sentence } } })
})

test.each([
  ['http://localhost:9/v3.1/Users/Me', 'The CRM leads to an address that is not its own, so the key was not sent there.'],
  ['http://192.168.0.1/v3.1/Users/Me', 'The CRM leads to an address that is not its own, so the key was not sent there.'],
  ['https://insightly.com.example/v3.1/Users/Me', 'The CRM leads to an address that is not its own, so the key was not sent there.'],
  ['http://api.na1.insightly.com:9/v3.1/Users/Me', privateAddress], // a name of Insightly that leads to this machine
  ['http://user:word@api.na1.insightly.com/', 'The address must not contain a user name or a password.'],
])('a redirect to %s is not followed', async (location, sentence) => {
  crm.setRespond(({ host }) => (host === 'general' ? { status: 302, headers: { location } } : undefined))
  expect(await add({ api_url: crm.url, api_key: key })).toMatchObject({ status: 422, body: { fields: { api_url: sentence } } })
})

test('a redirect during a sync to a private address ends the sync', async () => {
  const { id } = await connectCrm(ada, crm)
  crm.setRespond(({ host }) => (host === 'general' ? { status: 302, headers: { location: 'http://169.254.169.254/' } } : undefined))
  expect(await syncCrm(ada, id)).toMatchObject({ status: 'failed', created: 0, problem: expect.stringContaining('key was not sent there') })
})

test('the same connection is not added twice, and no more connections than the maximum are added', async () => {
  await connectCrm(ada, crm)
  const fields = { api_key: 'This connection exists already' }
  expect(await add({ api_url: `${crm.url}/`, api_key: key })).toMatchObject({ status: 422, body: { fields } })
  for (let number = 1; number < maxConnections; number++)
    expect(await add({ api_url: crm.url, api_key: `key-${number}`, check: false })).toMatchObject({ status: 201 })
  expect(await add({ api_url: crm.url, api_key: 'one-more', check: false })).toMatchObject({
    status: 422,
    body: { fields: { api_url: expect.stringContaining('Delete one first') } },
  })
})

test('the deletion of a connection can be undone, with its key', async () => {
  const { id } = await connectCrm(ada, crm)
  const deleted = await ada.send({ method: 'DELETE', url: `${url}/${id}` })
  expect((await ada.send({ url })).json()).toEqual({ rows: [] })
  expect((await ada.send({ method: 'DELETE', url: `${url}/${id}` })).statusCode).toBe(404)
  await ada.send({ method: 'POST', url: `/api/changes/${String(deleted.headers['foyer-change'])}/undo` })
  expect(await syncCrm(ada, id)).toMatchObject({ status: 'done', created: 3 })
})

test('the API key of a connection is shown as lost after the key of the installation has changed', async () => {
  const { id } = await connectCrm(ada, crm)
  const other = await openTestApp({ connections: app.connections, installationKey: 'another key of the installation' })
  const headers = { authorization: `Bearer ${ada.token}` }
  const response = await other.server.inject({ url: `${url}/${id}`, headers })
  await other.stop()
  expect(response.json()).toMatchObject({ key_state: 'lost', key_end: '' })
})

test('a key is replaced after it was tried, or untried with `check: false`, and the contacts stay linked', async () => {
  const { id } = await connectCrm(ada, crm)
  await syncCrm(ada, id)
  const replace = async (payload: object) => {
    const response = await ada.send({ method: 'PUT', url: `${url}/${id}/key`, payload })
    return { status: response.statusCode, body: response.json() }
  }
  expect(await replace({ api_key: 'wrong-key-of-ada' })).toMatchObject({
    status: 422,
    body: { fields: { api_key: expect.stringContaining('refused the API key') } },
  })
  expect(await syncCrm(ada, id, true)).toMatchObject({ status: 'done', unchanged: 3 })
  expect(await replace({ api_key: 'wrong-key-of-ada', check: false })).toMatchObject({
    status: 200,
    body: { key_end: '-ada', contacts: 3 },
  })
  expect(await syncCrm(ada, id, true)).toMatchObject({ status: 'failed' })
  expect(await replace({ api_key: key })).toMatchObject({ status: 200, body: { key_end: '4711' } })
  expect(await syncCrm(ada, id, true)).toMatchObject({ status: 'done', unchanged: 3 })
})

test('the connections and syncs of another user are not found', async () => {
  const { id } = await connectCrm(ada, crm)
  const grace = await signInAs(app, 'grace')
  expect((await grace.send({ url })).json()).toEqual({ rows: [] })
  for (const request of [
    { url: `${url}/${id}` },
    { url: `${url}/${id}/syncs` },
    { method: 'DELETE' as const, url: `${url}/${id}` },
    { method: 'PUT' as const, url: `${url}/${id}/key`, payload: { api_key: key } },
    { method: 'POST' as const, url: `${url}/${id}/stop` },
    { method: 'POST' as const, url: '/functions/v1/sync-crm', payload: { connectionId: id } },
  ])
    expect((await grace.send(request)).statusCode).toBe(404)
})

test('a connection with very many contacts is deleted by a job', async () => {
  const { id } = await connectCrm(ada, crm)
  await app.tableOwner.query(
    `insert into crm_contacts (user_id, last_name, external_id, crm_connection_id) select $1, 'Last' || n, n::text, $2 from generate_series(1, 1500) n`,
    [ada.id, id],
  )
  const response = await ada.send({ method: 'DELETE', url: `${url}/${id}` })
  expect(response.statusCode).toBe(202)
  await expect.poll(async () => (await ada.send({ url })).json()).toEqual({ rows: [] })
})

test('keys and syncs of deleted connections are deleted after thirty days, when no undo needs them', async () => {
  const count = async (): Promise<unknown> =>
    (
      await app.tableOwner.query(
        `select (select count(*)::int from crm_connection_keys where user_id = $1) as keys, (select count(*)::int from crm_syncs where user_id = $1) as syncs`,
        [ada.id],
      )
    ).rows[0]
  const { id } = await connectCrm(ada, crm)
  await syncCrm(ada, id)
  const deletion = await ada.send({ method: 'DELETE', url: `${url}/${id}` })
  await cleanLater(app, 'keys and syncs of CRM connections', 29)
  expect(await count()).toEqual({ keys: 1, syncs: 1 })
  await undo(ada, deletion)
  expect((await ada.send({ url: `${url}/${id}` })).json()).toMatchObject({ key_state: 'stored', last_sync: { status: 'done' } })
  await ada.send({ method: 'DELETE', url: `${url}/${id}` })
  await cleanLater(app, 'keys and syncs of CRM connections', 31)
  expect(await count()).toEqual({ keys: 0, syncs: 0 })
})

test('the key is in no response, history, download, row or log', async () => {
  const responses: string[] = []
  const send = async (request: Parameters<Person['send']>[0]) => {
    const response = await ada.send(request)
    responses.push(JSON.stringify(response.headers), response.body)
    return response
  }
  crm.setRespond(({ authorization }) => ({ status: 401, body: { Name: 'Unauthorized', Message: `${key} and ${authorization}` } }))
  await send({ method: 'POST', url, payload: { api_url: crm.url, api_key: key } })
  crm.setRespond(undefined)
  await send({ method: 'POST', url, payload: { api_url: `http://${key}@127.0.0.1`, api_key: key } })
  const { id } = (await send({ method: 'POST', url, payload: { api_url: crm.url, api_key: key } })).json()
  await syncCrm(ada, id)
  for (const path of [url, `${url}/${id}`, `${url}/${id}/syncs`, `/api/changes?record=${id}`, '/api/changes/recent', '/api/contacts'])
    await send({ url: path })
  const takeout = (await send({ method: 'POST', url: '/api/takeout', payload: { password: 'engine no. 1' } })).json()
  const zip = [...(await unzip((await ada.send({ url: takeout.url })).rawPayload))].flat().map(String).join('\n')
  expect(zip).toContain('crm_connections')
  await send({ method: 'DELETE', url: `${url}/${id}` })
  await send({ url: '/api/trash' })
  const { rows } = await app.tableOwner.query(
    `select to_jsonb(j)::text from journal j where user_id = $1 union all select to_jsonb(k)::text from crm_connection_keys k where user_id = $1
     union all select to_jsonb(c)::text from crm_connections c union all select to_jsonb(b)::text from jobs.jobs b`,
    [ada.id],
  )
  const { rows: keys } = await app.tableOwner.query<{ sealed_key: string }>(
    'select sealed_key from crm_connection_keys where user_id = $1',
    [ada.id],
  )
  const sealed = keys[0]?.sealed_key ?? ''
  expect(sealed.length).toBeGreaterThan(20)
  const places = { responses: responses.join('\n'), rows: JSON.stringify(rows), zip, log: log.join('\n') }
  for (const [place, text] of Object.entries(places)) {
    for (const form of [key, btoa(`${key}:`), btoa(key), ...(place === 'rows' ? [] : [sealed])])
      expect(text.includes(form), `${place} contains ${form}`).toBe(false)
  }
})

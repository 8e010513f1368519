// An API key neither sees nor undoes the changes of tables that only sessions may change, such as connections and the profile.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { sql } from '#server/platform/database/database.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { inGroup, openGroupHere } from '#server/platform/journal/groups.ts'
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
  key = await createApiKey(app, ada, 'read', 'write', 'leads')
})

const crm = { api_url: 'http://127.0.0.1:9/v3.1', api_key: 'key-of-ada', check: false }
const changeOf = ({ headers }: LightMyRequestResponse) => String(headers['foyer-change'])
const post = (person: Pick<Person, 'send'>, url: string, payload?: object) =>
  person.send({ method: 'POST', url, ...(payload && { payload }) })
const undo = (person: Pick<Person, 'send'>, change: string) => post(person, `/api/changes/${change}/undo`)
const statusAndCode = (response: LightMyRequestResponse) => [response.statusCode, response.json().code]
const rowsOf = async (person: Pick<Person, 'send'>, url: string) => (await person.send({ url })).json().rows
const readConnections = () => rowsOf(ada, '/api/crm-connections')

test('a key undoes, redoes and restores none of these changes; a session does', async () => {
  const addition = await post(ada, '/api/crm-connections', crm)
  const { id } = addition.json()
  expect(statusAndCode(await undo(key, changeOf(addition)))).toEqual([403, 'scope_missing'])
  const deletion = await ada.send({ method: 'DELETE', url: `/api/crm-connections/${id}` })
  expect(statusAndCode(await undo(key, changeOf(deletion)))).toEqual([403, 'scope_missing'])
  expect(statusAndCode(await post(key, `/api/trash/${id}/restore`))).toEqual([403, 'scope_missing'])
  expect(await readConnections()).toEqual([])

  const undone = await undo(ada, changeOf(deletion))
  expect(statusAndCode(await undo(key, undone.json().id))).toEqual([403, 'scope_missing'])
  expect((await undo(ada, undone.json().id)).statusCode).toBe(200)
  expect((await post(ada, `/api/trash/${id}/restore`)).statusCode).toBe(200)
  expect(await readConnections()).toMatchObject([{ id, key_state: 'stored' }])

  const edit = await ada.send({ method: 'PATCH', url: '/api/profile', payload: { full_name: 'Ada King' } })
  expect(statusAndCode(await undo(key, changeOf(edit)))).toEqual([403, 'scope_missing'])
  expect((await ada.send({ url: '/api/profile' })).json()).toMatchObject({ full_name: 'Ada King' })
})

test('the lists for a key leave these changes out and are filled with others', async () => {
  const deal = await post(key, '/api/deals', { title: 'Shelves' })
  await key.send({ method: 'DELETE', url: `/api/deals/${deal.json().id}` })
  const { id } = (await post(ada, '/api/crm-connections', crm)).json()
  await ada.send({ method: 'DELETE', url: `/api/crm-connections/${id}` })
  await ada.send({ method: 'PATCH', url: '/api/profile', payload: { full_name: 'Ada King' } })

  const urls = ['/api/changes/recent?limit=1', '/api/trash?limit=1']
  const read = (person: Pick<Person, 'send'>) => Promise.all(urls.map((url) => rowsOf(person, url)))
  expect(await read(ada)).toMatchObject([[{ table: 'profiles' }], [{ table: 'crm_connections', title: crm.api_url }]])
  expect(await read(key)).toMatchObject([[{ table: 'deals' }], [{ table: 'deals', title: 'Shelves' }]])
  expect(await rowsOf(key, '/api/changes/recent')).toHaveLength(2)
  for (const record of [id, ada.id]) {
    expect(await rowsOf(ada, `/api/changes?record=${record}`), record).not.toEqual([])
    expect(statusAndCode(await key.send({ url: `/api/changes?record=${record}` })), record).toEqual([404, 'not_found'])
  }
})

test('a program that speaks MCP gets a sentence instead of an undo, and does not find these changes', async () => {
  const { id } = (await post(ada, '/api/crm-connections', crm)).json()
  const deletion = changeOf(await ada.send({ method: 'DELETE', url: `/api/crm-connections/${id}` }))
  const client = new Client({ name: 'test', version: '1' })
  const address = await app.server.listen({ port: 0, host: '127.0.0.1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${address}/mcp`), { requestInit: { headers: { 'x-api-key': key.key } } }))
  onTestFinished(() => client.close())
  const call = async (name: string, input: Record<string, unknown> = {}) =>
    JSON.stringify(await client.callTool({ name, arguments: input }))
  for (const answer of [await call('undo', { id: deletion }), await call('restore', { id })])
    expect(answer).toContain('This key does not have the scope for that.')
  for (const answer of [await call('recent_changes'), await call('trash')]) expect(answer).not.toContain('127.0.0.1')
  expect(await readConnections()).toEqual([])
})

test('a key cannot end the deletion of a connection while its contacts are unlinked', async () => {
  const { id } = (await post(ada, '/api/crm-connections', crm)).json()
  const contact = (await post(ada, '/api/contacts', { first_name: 'Mary', last_name: 'Somerville' })).json()
  const caller = callerFor(ada.id)
  await app.database.transaction(caller, 'Synced', () =>
    sql('update crm_contacts set crm_connection_id = $2 where id = $1', [contact.id, id]),
  )
  const group = await app.database.transaction(caller, 'Deleting 1 CRM connection', () => openGroupHere({ isDelete: true }))
  await inGroup(app.database, caller, { group, label: 'Deleted' }, () =>
    sql(`select app.detach_dependents('crm_connections', $1, 1000)`, [[id]]),
  )
  expect(statusAndCode(await undo(key, group))).toEqual([403, 'scope_missing'])
  expect((await undo(ada, group)).statusCode).toBe(200)
})

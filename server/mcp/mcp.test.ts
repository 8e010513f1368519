// MCP with the official client library, over HTTP.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import type { Scope } from '#contract/actors.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { createApiKey, signInAs, type Person } from '#server/testing/people.ts'

let app: TestApp
let address: string
let ada: Person
const errorLines: string[] = []
beforeAll(async () => {
  app = await openTestApp({ logger: { level: 'error', stream: { write: (line: string) => void errorLines.push(line) } } })
  address = await app.server.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.stop())
beforeEach(async () => {
  errorLines.length = 0
  ada = await signInAs(app, 'ada')
})

const Result = z.object({ content: z.array(z.object({ text: z.string() })), isError: z.optional(z.boolean()) })

async function connect(key: string) {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${address}/mcp`), { requestInit: { headers: { 'x-api-key': key } } }))
  onTestFinished(() => client.close())
  return {
    client,
    /** Calls a tool. Returns its result, or the sentence of its failure. */
    call: async (name: string, input: Record<string, unknown> = {}) => {
      const { content, isError } = Result.parse(await client.callTool({ name, arguments: input }))
      const text = content[0]?.text ?? ''
      return isError ? text : JSON.parse(text)
    },
  }
}
const connectWith = async (...scopes: Scope[]) => connect((await createApiKey(app, ada, ...scopes)).key)
const readContacts = async () => (await ada.send({ url: '/api/contacts' })).json().rows

test('a client creates a contact, finds it, changes it, and undoes the creation, all as its key', async () => {
  const key = await createApiKey(app, ada, 'read', 'write')
  const { call } = await connect(key.key)
  const created = await call('create', {
    kind: 'contact',
    records: [{ first_name: 'Mary', last_name: 'Somerville', email: 'mary@example.org' }],
  })
  expect(created).toMatchObject({ changed: 1, records: [{ title: 'Mary Somerville' }], change: expect.any(String) })
  expect(await call('find', { kind: 'contact', search: 'somerville' })).toMatchObject({
    found: '1',
    rows: [{ link: created.records[0].link, email: 'mary@example.org' }],
  })
  const readChange = async (id: string) => (await ada.send({ url: `/api/changes/${id}` })).json()
  expect(await readChange(created.change)).toMatchObject({ label: 'Added 1 contact' })
  const updated = await call('update', { kind: 'contact', records: [created.records[0].link], fields: { title: 'Astronomer' } })
  expect(await readContacts()).toMatchObject([{ title: 'Astronomer' }])
  expect(await readChange(updated.change)).toMatchObject({ label: 'Changed 1 contact', actor: `api_key:${key.id}` })
  await call('undo', { id: updated.change })
  await call('undo', { id: created.change })
  expect(await readContacts()).toEqual([])
})

test('a call with several records is one change; a call with a wrong record changes nothing and returns a sentence', async () => {
  const { call } = await connectWith('read', 'write')
  const records = [{ title: 'Bar' }, { title: 'Shelves' }]
  const created = await call('create', { kind: 'deal', records })
  expect((await ada.send({ url: `/api/changes/${created.change}` })).json()).toMatchObject({ label: 'Added 2 deals', count: 2 })
  expect(await call('create', { kind: 'deal', records: [{ title: 'Desk' }, { title: '' }] })).toContain('title: Enter a title')
  expect(await call('create', { kind: 'deal', records: 'x' })).toContain('records: ')
  expect(await call('count', { kind: 'deal' })).toMatchObject({ count: '2' })
  const deleted = await call('delete', { kind: 'deal', matching: {} })
  expect(deleted.changed).toBe(2)
  expect(await call('count', { kind: 'deal' })).toMatchObject({ count: '0' })
})

test('a key sees only the tools of its scopes, and can call only these', async () => {
  const namesOf = async (...scopes: Scope[]) => {
    const { tools } = await (await connectWith(...scopes)).client.listTools()
    for (const { description, inputSchema } of tools) expect([typeof description, inputSchema.type]).toEqual(['string', 'object'])
    return tools.map(({ name }) => name)
  }
  expect(await namesOf('leads')).toEqual(['send_lead'])
  // update, delete and tag also need the scope `read`, because they read the records first
  expect((await namesOf('write')).toSorted()).toEqual(['create', 'restore', 'send_lead', 'undo'])
  const reading = await namesOf('read')
  expect(reading).toEqual(expect.arrayContaining(['find', 'read', 'count', 'notes', 'search', 'history']))
  const all = await namesOf('read', 'write')
  expect(all.filter((name) => !reading.includes(name)).toSorted()).toEqual(
    ['create', 'delete', 'restore', 'send_lead', 'tag', 'undo', 'update'].toSorted(),
  )
  const writer = await connectWith('write')
  const { change } = await writer.call('create', { kind: 'deal', records: [{ title: 'Bar' }] })
  expect((await ada.send({ url: '/api/deals' })).json().rows).toMatchObject([{ title: 'Bar' }])
  await writer.call('undo', { id: change })
  expect((await ada.send({ url: '/api/deals' })).json().rows).toEqual([])
  const { call } = await connectWith('read')
  expect(await call('create', { kind: 'contact', records: [{ first_name: 'A', last_name: 'B' }] })).toContain('There is no tool create')
  const lead = await connectWith('leads')
  expect(await lead.call('send_lead', { name: 'Jane Doe', email: 'jane@example.com' })).toMatchObject({ result: { success: true } })
  expect(await readContacts()).toMatchObject([{ first_name: 'Jane', last_name: 'Doe' }])
})

test('an error of the server is logged with its cause, and the client gets a sentence; a refusal is not logged', async () => {
  const { call } = await connectWith('read', 'write')
  expect(await call('read', { record: 'foyer:deal/01930000-0000-7000-8000-000000000701' })).toContain('not yours')
  expect(await call('create', { kind: 'deal', records: [{ title: '' }] })).toContain('title: Enter a title')
  expect(errorLines).toEqual([])
  await app.tableOwner.query('alter table deals rename to hidden_deals')
  onTestFinished(async () => void (await app.tableOwner.query('alter table hidden_deals rename to deals')))
  const sentence = 'Something went wrong on our side. Nothing was changed.'
  expect(await call('find', { kind: 'deal' })).toContain(sentence)
  expect(await call('create', { kind: 'deal', records: [{ title: 'Bar' }] })).toContain(sentence)
  expect(errorLines.map((line) => JSON.parse(line))).toMatchObject(
    ['find', 'create'].map((tool) => ({
      tool,
      err: { message: expect.stringContaining('"deals" does not exist') },
      msg: 'a tool of MCP failed',
    })),
  )
})

test('a client of another owner finds nothing, and a client without a valid key cannot connect', async () => {
  const { id } = (await ada.send({ method: 'POST', url: '/api/deals', payload: { title: 'Secret' } })).json()
  const grace = await signInAs(app, 'grace')
  const { call } = await connect((await createApiKey(app, grace, 'read', 'write')).key)
  expect(await call('find', { kind: 'deal' })).toMatchObject({ found: '0' })
  expect(await call('read', { record: `foyer:deal/${id}` })).toContain('not yours')
  expect(await call('delete', { kind: 'deal', records: [id] })).toContain('not yours')
  await expect(connect(`sk_${'0'.repeat(64)}`)).rejects.toThrow(/401|not valid/)
  const key = await createApiKey(app, grace, 'read')
  const connected = await connect(key.key)
  await grace.send({ method: 'DELETE', url: `/api/api-keys/${key.id}` })
  await expect(connected.call('find', { kind: 'deal' })).rejects.toThrow(/401|not valid/)
})

test('bad messages get an error of the protocol, and never status 500', async () => {
  const key = await createApiKey(app, ada, 'read')
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  for (const payload of [
    '{',
    '[]',
    '{}',
    '"x"',
    'null',
    '{"jsonrpc":"2.0","id":1,"method":"nonsense"}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call"}',
  ])
    expect((await key.send({ method: 'POST', url: '/mcp', payload, headers })).statusCode, payload).toBeLessThan(500)
  const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const list = await key.send({ method: 'POST', url: '/mcp', payload: [listTools, { ...listTools, id: 2 }], headers })
  expect([list.statusCode, list.json().code]).toEqual([400, 'malformed']) // a list would count only once for the limit of its key
  expect((await key.send({ url: '/mcp' })).statusCode).toBe(405)
  expect((await app.server.inject({ method: 'POST', url: '/mcp', payload: {} })).statusCode).toBe(401)
})

// A key of an AI connection is in no response, log, event, download or stored row. The test searches in all of them.
import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { newId } from '#server/platform/database/uuid.ts'
import { listOwnedTables } from '#server/testing/rows.ts'
import { startAiServer, type AiServerOptions } from '#server/testing/ai-server.ts'
import { openTestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { unzip } from '#server/testing/zip.ts'

const ownKey = 'sk-secret-of-ada-4711'
const operatorKey = 'sk-secret-of-operator-0815'

const answerAtOnce: AiServerOptions['respond'] = ({ path }) => (path === '/chat/completions' ? 'Hello.' : undefined)

test('neither the key of the operator nor the key of an owner can be found anywhere', async () => {
  const log: string[] = []
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      log.push(String(chunk))
      done()
    },
  })
  await using endpoint = await startAiServer({ key: ownKey, respond: answerAtOnce })
  await using operatorEndpoint = await startAiServer({
    respond: ({ headers }) => ({ status: 401, body: { error: { message: `Incorrect API key provided: ${headers.authorization}` } } }),
  })
  const app = await openTestApp({
    logger: { level: 'trace', stream },
    allowedHosts: [new URL(endpoint.baseUrl).host],
    ai: {
      connection: {
        baseUrl: operatorEndpoint.baseUrl,
        key: { reveal: () => operatorKey },
        model: 'large',
        imageModel: undefined,
        inputPrice: null,
        outputPrice: null,
      },
      maxTokensPerDay: 1000,
    },
  })
  const ada = await signInAs(app, 'ada')
  const responses: string[] = []
  const send = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) => {
    const response = await ada.send({ method, url, ...(payload && { payload }) })
    responses.push(JSON.stringify(response.headers), response.body)
    return response
  }
  const address = await app.server.listen({ port: 0, host: '127.0.0.1' })
  const events = await openEvents(address, ada)
  const connection = { base_url: endpoint.baseUrl, key: ownKey, model: 'small' }
  await send('GET', '/api/ai')
  // the route tests the operator's connection in the background
  await expect.poll(() => operatorEndpoint.requests.length).toBeGreaterThan(0)
  await send('POST', '/api/ai/models', connection) // refused, because of the field `model`
  await send('POST', '/api/ai/models', { base_url: endpoint.baseUrl, key: ownKey })
  await send('POST', '/api/ai/models', { base_url: endpoint.baseUrl, key: `${ownKey}x` })
  await send('POST', '/api/ai/test', connection)
  await send('POST', '/api/ai/test', { ...connection, base_url: `${endpoint.baseUrl}/nowhere` })
  await send('PUT', '/api/ai', { ...connection, base_url: `http://${ownKey}@127.0.0.1` }) // refused, because of the address
  await send('PUT', '/api/ai', connection)
  await send('POST', '/api/ai/test', { base_url: endpoint.baseUrl, model: 'small' })
  await send('GET', '/api/ai')
  await send('GET', '/api/ai/usage')
  const conversation = (await send('POST', '/api/conversations', { title: 'Keys' })).json()
  const { answer } = (
    await send('POST', `/api/conversations/${conversation.id}/messages`, { id: newId(), answer_id: newId(), content: 'My key?' })
  ).json()
  await send('GET', `/api/messages/${answer.id}/events`)
  await send('GET', '/api/changes')
  expect(endpoint.requests.map(({ headers }) => headers.authorization)).toContain(`Bearer ${ownKey}`) // the test does send keys
  const rows = await readEverything(app)
  const { url }: { url: string } = (await send('POST', '/api/takeout', { password: 'engine no. 1' })).json()
  const zip = await unzip((await ada.send({ url })).rawPayload)
  await app.tableOwner.query(`update ai_connections set sealed_key = 'nonsense'`)
  await send('GET', '/api/ai')
  await send('DELETE', '/api/ai')
  await expect.poll(() => events.text().match(/"tables":\["(ai_connections|messages)/g)?.length).toBeGreaterThan(3)
  events.close()
  await app.stop()

  expect(log.length).toBeGreaterThan(10)
  expect(rows).toContain('ai_connections')
  const places = {
    responses: responses.join('\n'),
    log: log.join('\n'),
    rows,
    download: [...zip].flat().map(String).join('\n'),
    events: events.text(),
  }
  for (const [place, text] of Object.entries(places)) {
    for (const key of [ownKey, operatorKey]) {
      // without the end of the base64, which depends on the text after the key
      for (const form of [key, Buffer.from(key).toString('base64').slice(0, -4), Buffer.from(key).toString('hex')])
        expect(text.includes(form), `${place} contains ${form}`).toBe(false)
    }
  }
  expect(places.responses).not.toContain(operatorEndpoint.baseUrl) // the address of the operator's endpoint is private too
})

/** Opens the live stream as a browser does. `text` is everything that has arrived. */
async function openEvents(address: string, { token }: Pick<Person, 'token'>): Promise<{ text: () => string; close: () => void }> {
  const client = new AbortController()
  const response = await fetch(`${address}/api/events`, { headers: { authorization: `Bearer ${token}` }, signal: client.signal })
  let text = JSON.stringify([...response.headers])
  void (async () => {
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) text += piece
  })().catch(() => {}) // rejects when the stream is closed
  return { text: () => text, close: () => client.abort() }
}

/** Returns all rows of all tables of owners, and all jobs, as text. */
async function readEverything(app: Awaited<ReturnType<typeof openTestApp>>): Promise<string> {
  const tables = ['jobs.jobs', ...(await listOwnedTables(app, { withHistory: true })).map(({ name }) => name)]
  const texts = await Promise.all(
    tables.map(
      async (table) => `${table}\n${JSON.stringify((await app.tableOwner.query(`select to_jsonb(t)::text from ${table} t`)).rows)}`,
    ),
  )
  return texts.join('\n')
}

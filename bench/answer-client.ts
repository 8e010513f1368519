// The clients of the benchmark of answers: they ask, read the events of the answer, and compute delays from the times in its text.
import { Agent, request, type IncomingMessage } from 'node:http'
import { newId } from '#server/platform/database/uuid.ts'
import type { Owner } from './owners.ts'

/** The number of sockets is not limited, because each reader needs a socket. */
const agent = new Agent({ keepAlive: true })

/** Starts an answer to a message in a new conversation, and returns the id of the answer. */
export async function startAnswer(url: string, { token }: Owner, content: string): Promise<string> {
  const post = async (path: string, body: object): Promise<{ id: string }> => {
    const response = await send(url + path, { authorization: `Bearer ${token}`, 'content-type': 'application/json' }, body)
    return JSON.parse(await readText(response))
  }
  const { id } = await post('/api/conversations', { title: 'Measured' })
  const answerId = newId()
  await post(`/api/conversations/${id}/messages`, { id: newId(), answer_id: answerId, content })
  return answerId
}

/** Opens the events of an answer. */
export const openEvents = (url: string, { token }: Owner, answerId: string): Promise<IncomingMessage> =>
  send(`${url}/api/messages/${answerId}/events`, { authorization: `Bearer ${token}` })

/**
 * Starts an answer and begins to read it. Resolves when its events are open; the returned function waits for the end of the answer and returns
 * the delays of its pieces.
 */
export async function readAnswer(url: string, owner: Owner, content: string): Promise<() => Promise<number[]>> {
  const response = await openEvents(url, owner, await startAnswer(url, owner, content))
  const delays = collectDelays(response, (data) => (data.type === 'text' ? data.text : ''))
  return () => delays
}

/** Does the same as `readAnswer` without the product in between. */
export async function readAnswerOfEndpoint(endpointUrl: string, content: string): Promise<() => Promise<number[]>> {
  const body = { model: 'small', stream: true, messages: [{ role: 'user', content }] }
  const response = await send(`${endpointUrl}/chat/completions`, { 'content-type': 'application/json' }, body)
  const delays = collectDelays(response, (data) => data.choices?.[0]?.delta.content ?? '')
  return () => delays
}

/** The data of an event of the product, or of a chunk of the endpoint. */
type EventData = { type?: string; text: string; choices?: { delta: { content?: string } }[] }

/**
 * Returns for each piece the time in ms from its sending by the endpoint to its arrival. The text of a piece is the time of its sending, in
 * nanoseconds, and a semicolon.
 */
async function collectDelays(response: IncomingMessage, textOf: (data: EventData) => string): Promise<number[]> {
  const delays: number[] = []
  let received = ''
  for await (const chunk of response.setEncoding('utf8')) {
    const arrivedAt = process.hrtime.bigint()
    received += chunk
    const events = received.split('\n\n')
    received = events.pop() ?? ''
    for (const event of events) {
      const json = event.match(/^data: (\{.*)$/m)?.[1]
      for (const time of json === undefined ? [] : textOf(JSON.parse(json)).split(';'))
        if (/^\d+$/.test(time)) delays.push(Number(arrivedAt - BigInt(time)) / 1e6)
    }
  }
  return delays
}

async function readText(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  return text
}

async function send(address: string, headers: Record<string, string>, body?: object): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const outgoing = request(address, { method: body ? 'POST' : 'GET', headers, agent }, resolve)
  outgoing.once('error', reject).end(body && JSON.stringify(body))
  const response = await promise
  const { statusCode = 0 } = response
  if (statusCode >= 300) throw new Error(`${address} returned ${statusCode}: ${await readText(response)}`)
  return response
}

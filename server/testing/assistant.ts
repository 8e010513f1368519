import { expect } from 'vitest'
import type { AnswerEvent, Message } from '#contract/assistant.ts'
import { newId } from '#server/platform/database/uuid.ts'
import type { Person } from './people.ts'

type SentMessage = { message: Message; answer: Message }
type Fields = Record<string, unknown>

/** Returns functions with which a person talks to the assistant through the API. */
export function talkAs(person: Pick<Person, 'send'>) {
  const post = (url: string, payload: Fields = {}) => person.send({ method: 'POST', url, payload })
  const postMessage = (conversationId: string, content: string, fields: Fields = {}) =>
    post(`/api/conversations/${conversationId}/messages`, { id: newId(), answer_id: newId(), content, ...fields })
  const read = async (id: string): Promise<Message> => (await person.send({ url: `/api/messages/${id}` })).json()
  const waitFor = async (id: string, isReached: (message: Message) => boolean): Promise<Message> => {
    await expect.poll(async () => isReached(await read(id)), { timeout: 20_000, interval: 20 }).toBe(true)
    return read(id)
  }
  return {
    post,
    postMessage,
    read,
    waitFor,
    /** Starts a conversation and returns its id. */
    begin: async (title = 'Quiet deals'): Promise<string> => {
      const response = await post('/api/conversations', { title })
      expect(response.statusCode, response.body).toBe(201) // otherwise the id would be undefined
      return response.json().id
    },
    /** Sends a message and returns it with its answer, which has just started. */
    send: async (conversationId: string, content: string, fields: Fields = {}): Promise<SentMessage> => {
      const response = await postMessage(conversationId, content, fields)
      expect(response.statusCode, response.body).toBe(201)
      return response.json()
    },
    /** Waits until the answer has ended, and returns it. */
    waitForEnd: (id: string): Promise<Message> => waitFor(id, ({ state }) => state !== 'streaming'),
    list: async (conversationId: string): Promise<Message[]> =>
      (await person.send({ url: `/api/conversations/${conversationId}/messages` })).json().rows,
    stop: (id: string) => post(`/api/messages/${id}/stop`),
    /** Reads the events of an answer until it ends. */
    follow: async (id: string, query = ''): Promise<AnswerEvent[]> =>
      parseEvents((await person.send({ url: `/api/messages/${id}/events${query}` })).body),
  }
}

/** Returns the events of a stream. The `event: end` after them, which has no id, is left out. */
export const parseEvents = (stream: string): AnswerEvent[] =>
  stream
    .split('\n\n')
    .filter((message) => message.startsWith('id: '))
    .map((message) => JSON.parse(message.replace(/^id: \d+\ndata: /, '')))

/** Returns the text that a reader has after these events, and checks that each piece begins where the one before ended. */
export function joinText(events: readonly AnswerEvent[], from = 0): string {
  let text = ''
  for (const event of events) {
    if (event.type !== 'text') continue
    expect(event.at).toBe(from + text.length)
    text += event.text
  }
  return text
}

/**
 * Returns the parts of a reply of ten pieces. The model writes the first piece at once. `sendPieces` lets it make `count` further steps:
 * the first nine steps write a piece each, and the tenth ends the reply.
 */
export function createPieces() {
  const waits = Array.from({ length: 10 }, () => Promise.withResolvers<void>())
  const parts = waits.flatMap(({ promise }, index) => [{ text: `piece ${index} ` }, { wait: promise }])
  let next = 0
  const sendPieces = (count = 1): void => {
    for (const { resolve } of waits.slice(next, next + count)) resolve()
    next += count
  }
  return { parts, sendPieces }
}

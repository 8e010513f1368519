import type * as z from 'zod/mini'
import { conversationRoutes, messageRoutes, type Message, type NewMessage, type Reference } from '#contract/assistant.ts'
import { recordKinds } from '#contract/kinds.ts'
import { call, ProblemError } from '#web/lib/client.ts'
import { getTimezone } from '#web/lib/format.ts'
import { newId } from '#web/lib/ids.ts'
import { queries, refreshTables } from '#web/lib/queries.ts'
import { createStore, useStore } from '#web/lib/store.ts'
import { conversationQuery } from '../conversations/queries.ts'
import { addMessages, cutMessages, startEmptyMessages } from './messages.ts'
import { toastSendError } from './sendErrors.ts'

/** What the user sees beside the conversation. */
export type OpenContext = Pick<z.input<typeof NewMessage>, 'open_record' | 'open_list'>

/** Messages that are being sent. They replace the message with the id `replacedId` and all later ones. */
type Outgoing = { messages: readonly Message[]; replacedId: string | undefined }

/** The messages that are being sent, by the id of the conversation. */
const outgoing = createStore<ReadonlyMap<string, Outgoing>>(new Map())

/** Returns the messages of a conversation together with those that are being sent. */
export function useMessages(conversationId: string, stored: readonly Message[]): { messages: readonly Message[]; isSending: boolean } {
  const pending = useStore(outgoing).get(conversationId)
  if (!pending) return { messages: stored, isSending: false }
  const others = cutMessages(stored, pending.replacedId).filter(({ id }) => pending.messages.every((each) => each.id !== id))
  return { messages: [...others, ...pending.messages], isSending: true }
}

export type MessageInput = { content: string; references: readonly Reference[]; context: OpenContext }

/**
 * Creates a conversation and sends its first message, which is shown at once. After a failure a toast says why. The conversation exists if
 * the result is 'not sent'.
 */
export async function sendFirstMessage(conversationId: string, input: MessageInput): Promise<'sent' | 'not sent' | 'not created'> {
  const title = makeTitle(input.content)
  showBeforeStored(conversationId, title)
  let isCreated = false
  const create = async (): Promise<void> => {
    if (isCreated) return // the request is repeated after a network error
    const conversation = await call(conversationRoutes.create, { body: { id: conversationId, title } })
    isCreated = true
    queries.setQueryData(conversationQuery(conversationId).queryKey, conversation)
  }
  const isSent = await sendMessage(conversationId, input, { before: create })
  if (isSent) return 'sent'
  return isCreated ? 'not sent' : 'not created'
}

/** Shows a conversation without messages, so that its screen requests nothing that the server does not have yet. */
function showBeforeStored(id: string, title: string): void {
  const now = new Date().toISOString()
  queries.setQueryData(conversationQuery(id).queryKey, { id, title, allowed_changes: [], created_at: now, updated_at: now, version: 1 })
  startEmptyMessages(id)
}

/** Sends a message. Resolves to false if that failed; a toast then says why. */
export async function sendMessage(
  conversationId: string,
  { content, references, context }: MessageInput,
  { before, replacedId }: { before?: () => Promise<void>; replacedId?: string } = {},
): Promise<boolean> {
  const [id, answerId] = [newId(), newId()]
  const message = createMessage(conversationId, { id, role: 'user', state: 'done', content, references: [...references] })
  const answer = createMessage(conversationId, { id: answerId, role: 'assistant', state: 'streaming' })
  const body = {
    id,
    answer_id: answerId,
    content,
    references: references.map(({ kind, id: recordId }) => ({ kind, id: recordId })),
    timezone: getTimezone(),
    ...context,
  }
  return startAnswer(conversationId, { messages: [message, answer], replacedId }, async () => {
    await before?.()
    const response = await (replacedId === undefined
      ? call(messageRoutes.send, { params: { id: conversationId }, body })
      : call(messageRoutes.edit, { params: { id: replacedId }, body }))
    return [response.message, response.answer]
  })
}

/** Replaces an answer by a new one. Resolves to false if that failed; a toast then says why. */
export async function retryAnswer({ id, conversation_id: conversationId }: Message): Promise<boolean> {
  const answerId = newId()
  const answer = createMessage(conversationId, { id: answerId, role: 'assistant', state: 'streaming' })
  return startAnswer(conversationId, { messages: [answer], replacedId: id }, async () => [
    await call(messageRoutes.retry, { params: { id }, body: { answer_id: answerId, timezone: getTimezone() } }),
  ])
}

async function startAnswer(conversationId: string, pending: Outgoing, request: () => Promise<Message[]>): Promise<boolean> {
  setOutgoing(conversationId, pending)
  try {
    addMessages(conversationId, await repeatAfterNetworkError(request), pending.replacedId)
    void refreshTables([recordKinds.conversation.table])
    return true
  } catch (error) {
    toastSendError(error)
    return false
  } finally {
    setOutgoing(conversationId, undefined)
  }
}

/** The delays before a request is repeated after a network error. The ids of the messages prevent that they are stored twice. */
const repeatDelaysMs = [400, 1500]

/**
 * Repeats a request that failed without a response (`offline` of `lib/client.ts`), unless the browser itself is offline, because then the
 * repeated request would fail too.
 */
async function repeatAfterNetworkError<T>(request: () => Promise<T>): Promise<T> {
  for (const delayMs of repeatDelaysMs) {
    try {
      return await request()
    } catch (error) {
      if (!(error instanceof ProblemError) || error.problem.code !== 'offline' || !navigator.onLine) throw error
      await new Promise((resolve) => setTimeout(resolve, delayMs))
    }
  }
  return request()
}

function setOutgoing(conversationId: string, pending: Outgoing | undefined): void {
  const others = [...outgoing.get()].filter(([id]) => id !== conversationId)
  outgoing.set(new Map(pending ? [...others, [conversationId, pending]] : others))
}

const createMessage = (conversationId: string, message: Pick<Message, 'id' | 'role' | 'state'> & Partial<Message>): Message => ({
  conversation_id: conversationId,
  created_at: new Date().toISOString(),
  content: '',
  problem: '',
  steps: [],
  references: [],
  files: [],
  proposal_id: null,
  input_tokens: null,
  output_tokens: null,
  cost: null,
  ...message,
})

const maxTitleLength = 60

/** Makes the title of a conversation from the first line of its first message, which is cut at the end of a word. */
function makeTitle(content: string): string {
  const line = content.trim().split('\n')[0]?.trim() ?? ''
  if (line.length <= maxTitleLength) return line
  const words = line.slice(0, maxTitleLength).replace(/\s+\S*$/, '') // without the last word, which may be cut
  return `${words}…`
}

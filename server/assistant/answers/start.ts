// Starts answers: for a new message, for an edited one, and once more for a message that has an answer.
import type { Message, NewMessage, Reference } from '#contract/assistant.ts'
import { openAi } from '#server/ai/ai.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { Refusal } from '#server/platform/refusal.ts'
import {
  countRunning,
  findMessage,
  insertMessage,
  lockAnswers,
  lockConversation,
  markInterrupted,
  readMessage,
  readPosition,
  replaceFrom,
  requireConversation,
} from '../messages/messages.store.ts'
import { readReferences } from './attachments.ts'
import { writeAnswer, type AnswerServices } from './write-answer.ts'
import type { RunningAnswers } from './running.ts'

/** The maximum number of answers that are written at the same time: of one owner in all processes, and of all owners in one process. */
const maxRunningOfOwner = 4
const maxRunningInProcess = 400
const retryAfterSeconds = 5

type Started = { message: Message; answer: Message }

/**
 * Adds a message and starts its answer. A repeated call with the same ids returns what the first call added. Throws `not_found`, `ai_off`,
 * `ai_limit`, and `answer_running` while another answer of the conversation is written.
 */
export const sendMessage = (services: AnswerServices, caller: Caller, conversationId: string, body: NewMessage): Promise<Started> =>
  startWithMessage(services, caller, body, async () => ({ conversationId, replaced: undefined }), conversationId)

/** Replaces a message of the user and everything after it by a new message, and starts its answer. Throws like `sendMessage`. */
export const editMessage = (services: AnswerServices, caller: Caller, messageId: string, body: NewMessage): Promise<Started> =>
  startWithMessage(services, caller, body, async () => {
    const { conversation_id: conversationId, number, role } = await readPosition(caller.owner, messageId)
    if (role !== 'user') throw new Refusal('not_found')
    return { conversationId, replaced: number }
  })

/** Where a new message goes. `replaced`: the number of the first message that it replaces. */
type Place = { conversationId: string; replaced: number | undefined }

async function startWithMessage(
  services: AnswerServices,
  caller: Caller,
  { id, answer_id: answerId, content, references, ...circumstances }: NewMessage,
  findPlace: () => Promise<Place>,
  requestedConversation?: string,
): Promise<Started> {
  const { database, kinds } = services.context
  const { owner } = caller
  const readTitles = (): Promise<Reference[]> => readReferences(kinds, owner, references)
  const readStarted = async (): Promise<Started | undefined> => {
    const [message, answer] = await Promise.all([findMessage(owner, id), findMessage(owner, answerId)])
    if (!message && !answer) return undefined
    if (requestedConversation !== undefined) await requireConversation(owner, requestedConversation)
    const isElsewhere = requestedConversation !== undefined && message?.conversation_id !== requestedConversation
    if (message?.role !== 'user' || answer?.role !== 'assistant' || message.conversation_id !== answer.conversation_id || isElsewhere)
      throw new Refusal('invalid', { fields: { id: 'This id is taken' } })
    return { message, answer }
  }
  return start(services, caller, answerId, {
    readStarted,
    findPlace,
    readTitles,
    insert: async ({ conversationId }) => {
      await insertMessage(owner, { role: 'user', id, conversationId, content, references: await readTitles(), circumstances })
      await insertMessage(owner, { role: 'assistant', id: answerId, conversationId })
    },
    read: () => database.read(caller, async () => ({ message: await readMessage(owner, id), answer: await readMessage(owner, answerId) })),
  })
}

/** Replaces an answer and everything after it by a new answer. Throws like `sendMessage`. */
export function retryAnswer(
  services: AnswerServices,
  caller: Caller,
  replacedId: string,
  { answer_id: answerId, timezone }: { answer_id: string; timezone: string },
): Promise<Message> {
  const { database } = services.context
  const { owner } = caller
  return start(services, caller, answerId, {
    readStarted: async () => {
      const answer = await findMessage(owner, answerId)
      if (answer && answer.role !== 'assistant') throw new Refusal('invalid', { fields: { answer_id: 'This id is taken' } })
      return answer
    },
    findPlace: async () => {
      const { conversation_id: conversationId, number, role } = await readPosition(owner, replacedId)
      if (role !== 'assistant') throw new Refusal('not_found')
      return { conversationId, replaced: number }
    },
    insert: ({ conversationId }) => insertMessage(owner, { role: 'assistant', id: answerId, conversationId }),
    read: () => database.read(caller, () => readMessage(owner, answerId)),
    timezone,
  })
}

type StartOptions<T> = {
  /** Returns what an earlier request with the same ids has added. */
  readStarted: () => Promise<T | undefined>
  findPlace: () => Promise<Place>
  /** Throws `not_found` if an attached record does not exist. */
  readTitles?: () => Promise<unknown>
  insert: (place: Place) => Promise<void>
  read: () => Promise<T>
  /** By default, the time zone of the message. */
  timezone?: string
}

async function start<T>(services: AnswerServices, caller: Caller, answerId: string, options: StartOptions<T>): Promise<T> {
  const { context, running } = services
  const { database } = context
  const { readStarted, findPlace, readTitles, insert, read } = options
  // the checks run before `openAi`, because an opened answer counts towards the limit of the day, and again in the transaction
  const earlier = await database.read(caller, async () => {
    const started = await readStarted()
    if (started !== undefined) return started
    return requireStartable().catch(async (error: unknown) => {
      const startedSince = await readStarted() // the running answer may be that of another request with the same ids
      if (startedSince === undefined) throw error
      return startedSince
    })
  })
  if (earlier !== undefined) return earlier
  const opened = await openAi(context, caller)
  const added = await addMessages().catch(async (error: unknown) => {
    await opened.release()
    throw error
  })
  if (added === 'repeated') {
    await opened.release()
    return read()
  }
  const { conversationId, allowedChanges } = added
  running.start({ id: answerId, owner: caller.owner }, (answer) =>
    writeAnswer(answer, { ...services, opened, conversationId, allowedChanges, timezone: options.timezone }),
  )
  return read()

  async function requireStartable(): Promise<undefined> {
    const place = await findPlace()
    await requireConversation(caller.owner, place.conversationId)
    await requireCapacity(caller.owner, place.conversationId, running)
    await readTitles?.()
    return undefined
  }

  async function addMessages(): Promise<'repeated' | { conversationId: string; allowedChanges: string[] }> {
    const { owner } = caller
    return database.transaction(caller, 'Sent a message', async () => {
      await lockAnswers(owner)
      if ((await readStarted()) !== undefined) return 'repeated'
      const place = await findPlace()
      const { allowed_changes } = await lockConversation(owner, place.conversationId)
      await markInterrupted(owner, place.conversationId)
      await requireCapacity(owner, place.conversationId, running)
      if (place.replaced !== undefined) await replaceFrom(owner, { conversation_id: place.conversationId, number: place.replaced })
      await insert(place)
      return { conversationId: place.conversationId, allowedChanges: allowed_changes }
    })
  }
}

/** Throws `answer_running` or `overloaded` while no further answer may start. */
async function requireCapacity(owner: string, conversationId: string, running: RunningAnswers): Promise<void> {
  if (running.count() >= maxRunningInProcess) throw new Refusal('overloaded', { retry_after_seconds: retryAfterSeconds })
  const { all, inConversation } = await countRunning(owner, conversationId)
  if (inConversation > 0) throw new Refusal('answer_running')
  if (all < maxRunningOfOwner) return
  const sentence = `The assistant is already writing ${maxRunningOfOwner} answers. Wait until one has finished, or stop one.`
  throw new Refusal('answer_running', { fields: { content: sentence } })
}

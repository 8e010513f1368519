// The function `ai-chat`: answers the messages that a client sends, as a stream in the chat completion format. It changes no records.
import type * as z from 'zod/mini'
import { chatFunctionRoutes } from '#contract/aiFunctions.ts'
import { withAi } from '#server/ai/ai.ts'
import type { Answer, ChatMessage } from '#server/platform/ai/types.ts'
import { callerFor, type Caller } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { mount, type Router } from '#server/platform/http/mount.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { maxHistoryCharacters } from './answers/history.ts'
import { formatFileBlock, removeFileBlocks } from './files/file-blocks.ts'
import { createFileTool } from './files/answer-files.ts'
import { createInstructions } from './instructions.ts'
import { createReadingTools } from './tools/tools.ts'
import { createToolState } from './tools/tool-state.ts'

type ChatBody = z.output<typeof chatFunctionRoutes.aiChat.body>
type Services = { context: AppContext; router: Router }

/** How many answers of this function one owner gets at the same time, in all processes. */
const maxChatsOfOwner = 4
const retryAfterSeconds = 5

export function mountChatFunction(router: Router, context: AppContext): void {
  mount(router, chatFunctionRoutes, {
    aiChat: async ({ caller, body, signal }) => streamChat({ context, router }, caller, body, signal),
  })
}

/**
 * Yields the text of the model as it comes; a slow client gets larger pieces. A client that disconnects stops the model. Throws `ai_off`,
 * `ai_limit`, `too_many_requests`, and `ai_failed` for an answer that is empty or breaks off.
 */
async function* streamChat(services: Services, caller: Caller, body: ChatBody, signal: AbortSignal) {
  const release = await services.context.slots.tryTake(`ai-chat of ${caller.owner}`, maxChatsOfOwner)
  if (!release) throw new Refusal('too_many_requests', { retry_after_seconds: retryAfterSeconds })
  const stop = new AbortController()
  let [unsentText, hasText] = ['', false]
  let { promise: change, resolve: notify } = Promise.withResolvers<void>()
  const onText = (text: string): void => {
    unsentText += text
    notify()
  }
  let answer: Answer | undefined
  const ended = ask(services, caller, body, { signal: AbortSignal.any([signal, stop.signal]), onText })
    .then((result) => (answer = result))
    .finally(() => notify())
  ended.catch(() => {}) // it is awaited below, unless the client has disconnected
  try {
    while (!signal.aborted) {
      // nothing is sent before the first visible text, because an empty answer is refused with an error status
      if (!hasText && unsentText.trim() !== '') hasText = true
      if (hasText && unsentText !== '') {
        const content = unsentText
        unsentText = ''
        yield { choices: [{ index: 0, delta: { content } }] }
      } else if (answer) {
        break
      } else {
        await Promise.race([change, ended])
        ;({ promise: change, resolve: notify } = Promise.withResolvers<void>())
      }
    }
    const { state, problem } = await ended
    if (!hasText || state === 'interrupted' || state === 'failed') throw new Refusal('ai_failed', problem === '' ? {} : { detail: problem })
  } finally {
    stop.abort()
    await release()
  }
}

type Listener = { signal: AbortSignal; onText: (text: string) => void }

function ask({ context, router }: Services, { owner }: Caller, { messages, timezone }: ChatBody, listener: Listener): Promise<Answer> {
  const caller = { ...callerFor(owner), readSignal: listener.signal }
  return withAi(context, caller, async (connection, count) => {
    const toolState = createToolState({
      conversationId: newId(),
      answerId: newId(),
      allowedChanges: [],
      hasUntrustedText: true,
      addStep: () => {},
    })
    const makeFile = createFileTool(async (file) => listener.onText(`\n\n${formatFileBlock(file)}\n\n`))
    const hasTools = connection.capabilities.tools !== false
    const answer = await context.ai.generate(connection, {
      instructions: createInstructions({ now: context.now(), timezone, hasTools, canPropose: false }),
      messages: cutMessages(messages),
      tools: hasTools ? [...createReadingTools(context, router, caller, toolState), makeFile] : [],
      ...listener,
    })
    count(answer.use)
    return answer
  })
}

/** Returns the newest messages that fit, without the bytes of files in earlier answers. The first message is never an answer. */
function cutMessages(messages: ChatBody['messages']): ChatMessage[] {
  const newest: ChatMessage[] = []
  let length = 0
  for (const { role, content } of messages.toReversed()) {
    const text = removeFileBlocks(content)
    length += text.length
    if (newest.length > 0 && length > maxHistoryCharacters) break
    newest.unshift({ role, text })
  }
  return newest[0]?.role === 'assistant' ? newest.slice(1) : newest
}

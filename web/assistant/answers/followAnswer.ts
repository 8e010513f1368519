import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import type { AnswerEvent, Message, Step } from '#contract/assistant.ts'
import { recordKinds } from '#contract/kinds.ts'
import { hasSignedInAgain, ProblemError } from '#web/lib/client.ts'
import { queries, refreshTables } from '#web/lib/queries.ts'
import { createStore } from '#web/lib/store.ts'
import { messagesQuery, replaceMessage } from './messages.ts'
import { readAnswer } from './readAnswer.ts'
import { toastEmptyAnswer } from './sendErrors.ts'

/**
 * What this tab has read of an answer that is being written. `isConnectionLost`: the connection is lost, and the first new attempt has
 * failed.
 */
type AnswerText = { content: string; steps: Step[]; isConnectionLost: boolean }

/** The texts of the answers that this tab reads, by id. */
const texts = createStore<ReadonlyMap<string, AnswerText>>(new Map())

/** The answers that are being read, by id: the number of components that show the answer, and the controller that stops the reading. */
const readings = new Map<string, { readers: number; stop: AbortController }>()

const firstReconnectMs = 500
const maxReconnectMs = 10_000

/**
 * Returns an answer with the text that has arrived so far. While the answer is being written, reads it from the server; after a lost
 * connection the reading continues where it ended. Several components may show the same answer. `isStored` is false until the server has
 * stored the message.
 */
export function useAnswer(answer: Message, isStored: boolean): { answer: Message; isConnectionLost: boolean } {
  const { id } = answer
  const isStreaming = answer.state === 'streaming'
  const start = useEffectEvent(() => startReading(answer))
  useEffect(() => (id !== '' && isStreaming && isStored ? start() : undefined), [id, isStreaming, isStored])
  const text = useSyncExternalStore(texts.subscribe, () => texts.get().get(id))
  if (!isStreaming || !text) return { answer, isConnectionLost: false }
  const { content, steps, isConnectionLost } = text
  return { answer: { ...answer, content, steps }, isConnectionLost }
}

/**
 * Starts to read an answer, unless it is being read already. Each component calls the returned function once; the last call stops the
 * reading.
 */
function startReading(answer: Message): () => void {
  const { id } = answer
  const running = readings.get(id)
  if (running) running.readers += 1
  else {
    const stop = new AbortController()
    readings.set(id, { readers: 1, stop })
    setText(id, { content: answer.content, steps: answer.steps, isConnectionLost: false })
    void readToEnd(answer, stop.signal)
  }
  return () => {
    const reading = readings.get(id)
    if (!reading) return
    reading.readers -= 1
    if (reading.readers === 0) endReading(answer, reading.stop)
  }
}

/** Stops the reading and stores what was read, so that a component that shows the answer later continues there. */
function endReading(answer: Message, stop: AbortController): void {
  const text = texts.get().get(answer.id)
  stop.abort()
  readings.delete(answer.id)
  setText(answer.id, undefined)
  if (text) storeText(answer, text)
}

function storeText(answer: Message, { content, steps }: AnswerText): void {
  const rows = queries.getQueryData(messagesQuery(answer.conversation_id).queryKey)?.pages.flatMap((page) => page.rows)
  const stored = rows?.find(({ id }) => id === answer.id)
  if (stored?.state === 'streaming') replaceMessage({ ...stored, content, steps })
}

async function readToEnd(answer: Message, signal: AbortSignal): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    try {
      if (await readConnection(answer, signal, () => (failures = 0))) return
    } catch (error) {
      if (signal.aborted) return
      if (!(await canReadAgain(error))) return void refreshMessages(answer)
    }
    if (signal.aborted) return
    updateText(answer.id, { isConnectionLost: failures > 0 })
    await waitToReconnect(Math.min(maxReconnectMs, firstReconnectMs * 2 ** failures), signal)
    failures += 1
  }
}

/** Reads the answer over one connection. Returns true at the end of the answer, and false if the connection was lost. */
async function readConnection(answer: Message, signal: AbortSignal, onEvent: () => void): Promise<boolean> {
  const { content, steps } = getText(answer.id)
  for await (const event of readAnswer(answer.id, { from: content.length, steps: steps.length }, signal)) {
    if (signal.aborted) return true
    onEvent()
    if (event.type === 'end') {
      finish(answer, event.message)
      return true
    }
    if (!applyEvent(answer.id, event)) return false
  }
  return false
}

/** Adds text or a step. Returns false if text before this event is missing. */
function applyEvent(id: string, event: Exclude<AnswerEvent, { type: 'end' }>): boolean {
  const { content, steps } = getText(id)
  if (event.type === 'step') {
    updateText(id, { steps: [...steps.slice(0, event.index), event.step, ...steps.slice(event.index + 1)], isConnectionLost: false })
    return true
  }
  if (event.at > content.length) return false
  updateText(id, { content: content.slice(0, event.at) + event.text, isConnectionLost: false })
  return true
}

/**
 * Shows the complete message. If it is empty, it is removed, and a toast says why. What was read stays until the components show the stored
 * message, which is a moment later; otherwise the text would disappear for that moment.
 */
function finish(answer: Message, message: Message): void {
  replaceMessage(message)
  updateText(answer.id, { content: message.content, steps: message.steps, isConnectionLost: false })
  readings.get(answer.id)?.stop.abort()
  if (isEmptyAnswer(message)) toastEmptyAnswer(message.problem)
  void refreshTables([recordKinds.conversation.table])
}

/** Returns true for an answer that failed without any text. It is not shown. */
export const isEmptyAnswer = ({ role, state, content, proposal_id, files }: Message): boolean =>
  role === 'assistant' && state !== 'streaming' && content.trim() === '' && proposal_id === null && files.length === 0

/** Returns false for errors that will come again, such as that the message was deleted. */
async function canReadAgain(error: unknown): Promise<boolean> {
  if (!(error instanceof ProblemError)) return true
  const { status, code } = error.problem
  if (code === 'not_signed_in') return hasSignedInAgain({ ...error.problem, code })
  return status === 0 || status === 429 || status >= 500
}

const refreshMessages = ({ conversation_id }: Message): Promise<void> =>
  queries.invalidateQueries({ queryKey: messagesQuery(conversation_id).queryKey })

/** Resolves after the delay, or earlier when the browser is online again or the tab becomes visible, for example after sleep. */
function waitToReconnect(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = new AbortController()
    const end = (): void => {
      done.abort()
      resolve()
    }
    const timer = setTimeout(end, delayMs)
    done.signal.addEventListener('abort', () => clearTimeout(timer))
    signal.addEventListener('abort', end, { signal: done.signal })
    addEventListener('online', end, { signal: done.signal })
    document.addEventListener('visibilitychange', end, { signal: done.signal })
  })
}

const emptyText: AnswerText = { content: '', steps: [], isConnectionLost: false }
const getText = (id: string): AnswerText => texts.get().get(id) ?? emptyText
const updateText = (id: string, changes: Partial<AnswerText>): void => setText(id, { ...getText(id), ...changes })

function setText(id: string, text: AnswerText | undefined): void {
  const others = [...texts.get()].filter(([otherId]) => otherId !== id)
  texts.set(new Map(text ? [...others, [id, text]] : others))
}

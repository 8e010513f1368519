// Writes one answer: asks the model, collects text, steps, files and proposed changes, and stores them while they come.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Message, Step } from '#contract/assistant.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { OpenedAi } from '#server/ai/ai.ts'
import type { Answer } from '#server/platform/ai/types.ts'
import { toStorable, toStorableText } from '#server/platform/database/storable.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import type { Router } from '#server/platform/http/mount.ts'
import { toRefusal } from '#server/platform/http/problem.ts'
import { createFileBlockExtractor, removeFileBlocks } from '../files/file-blocks.ts'
import { createAnswerFiles } from '../files/answer-files.ts'
import { brokenOffProblem } from '../messages/messages.store.ts'
import { saveProposal } from '../proposals/proposals.ts'
import { createTools } from '../tools/tools.ts'
import { createToolState, type ToolState } from '../tools/tool-state.ts'
import { storeEnd, storeProgress } from './answers.store.ts'
import { readPrompt } from './prompt.ts'
import type { RunningAnswer, RunningAnswers, StopReason } from './running.ts'

/** The time between two stores of the text of an answer. Other processes and a restarted process lack the text after the last store. */
const storeMs = 1000
/** The maximum length of the text that is shown, in UTF-16 code units. */
const maxCharacters = 400_000
/** The maximum length of everything that the model writes, with files in base64, in UTF-16 code units. */
const maxModelCharacters = 16_000_000
const maxSteps = 100
/** The maximum number of tries to store the end of an answer while the database does not answer. */
const maxEndTries = 60

export type AnswerServices = { context: AppContext; router: Router; running: RunningAnswers; log: Pick<FastifyBaseLogger, 'error'> }

type AnswerInput = AnswerServices & {
  opened: OpenedAi
  conversationId: string
  allowedChanges: readonly string[]
  /** By default, the time zone of the message. */
  timezone: string | undefined
}

/** Writes an answer until it ends. Never throws. */
export async function writeAnswer(answer: RunningAnswer, input: AnswerInput): Promise<void> {
  const toolState = createToolState({
    ...input,
    answerId: answer.id,
    hasUntrustedText: false,
    addStep: (step) => addStep(answer, input.running, step),
  })
  const progress = storeRegularly(answer, input)
  try {
    await finish(
      answer,
      input,
      toolState,
      await askModel(answer, input, toolState).catch((error: unknown) => toFailedAnswer(answer, input, error)),
    )
  } catch (error) {
    input.log.error({ err: error }, 'the end of an answer was not stored') // it is shown as interrupted, with the text that was stored
  } finally {
    await progress.stop()
  }
}

/** Logs an error of the server, and returns a failed answer. A stop while the prompt is read is no error. */
function toFailedAnswer({ stop }: RunningAnswer, { log }: AnswerInput, error: unknown): ModelAnswer {
  const isStopped = stop.signal.aborted && error === stop.signal.reason
  if (!isStopped) log.error({ err: error }, 'an answer failed')
  const use = { inputTokens: undefined, outputTokens: undefined }
  return {
    state: 'failed',
    problem: 'Failed to get response',
    text: '',
    modelMessages: [],
    use,
    hasFiles: false,
    correctText: (text) => text,
  }
}

/** What the model has answered. `correctText` corrects what the text says about files that could not be stored. */
type ModelAnswer = Answer & { hasFiles: boolean; correctText: (text: string) => string }

function addStep(answer: RunningAnswer, running: RunningAnswers, step: Omit<Step, 'at'>): void {
  if (answer.steps.length >= maxSteps) return
  answer.steps.push({ ...step, at: answer.text.length })
  running.notifyReaders(answer.id)
}

/** Asks the model, and adds what it says to the running answer. */
async function askModel(
  answer: RunningAnswer,
  { context, router, running, opened, conversationId, timezone }: AnswerInput,
  toolState: ToolState,
): Promise<ModelAnswer> {
  const { owner, stop } = answer
  const { connection } = opened
  const prompt = await readPrompt(context, owner, { conversationId, answerId: answer.id, connection, timezone, signal: stop.signal })
  toolState.hasUntrustedText = prompt.hasUntrustedText
  const caller = { ...callerFor(owner), readSignal: stop.signal }
  const files = createAnswerFiles(context, owner, answer.id)
  const extractor = createFileBlockExtractor(files.add)
  const show = (text: string): void => {
    if (text === '') return
    const remaining = maxCharacters - answer.text.length
    answer.text += toStorableText(text.slice(0, Math.max(0, remaining)))
    running.notifyReaders(answer.id)
    if (text.length > remaining) stop.abort('too long' satisfies StopReason)
  }
  const canCallTools = connection.capabilities.tools !== false
  const ended = await context.ai.generate(connection, {
    instructions: prompt.instructions,
    messages: prompt.messages,
    tools: canCallTools ? [...createTools(context, router, caller, toolState), files.tool] : [],
    signal: stop.signal,
    onText: (piece) => show(extractor.push(piece)),
    limits: { maxCharacters: maxModelCharacters },
  })
  show(extractor.end(ended.state === 'done'))
  return { ...ended, ...(await files.finish()) }
}

/**
 * Stores the text each second. Stops the answer if its row is marked as stopped by the user or as interrupted, or if the answer or its
 * conversation was deleted.
 */
function storeRegularly(answer: RunningAnswer, { context: { database } }: AnswerInput): { stop: () => Promise<void> } {
  const caller = callerFor(answer.owner)
  const stored = { text: '', stepCount: 0 }
  let storing: Promise<void> | undefined
  const store = async (): Promise<void> => {
    const { text, steps } = answer
    const stepCount = steps.length
    const result = await database.batch(caller, 'Stored an answer', () =>
      storeProgress(answer.owner, answer.id, {
        content: text === stored.text ? undefined : text,
        steps: stepCount === stored.stepCount ? undefined : steps,
      }),
    )
    Object.assign(stored, { text, stepCount })
    if (result !== 'continue') answer.stop.abort((result === 'stop' ? 'stopped by user' : 'lost') satisfies StopReason)
  }
  const timer = setInterval(() => {
    storing ??= store()
      .catch(() => {}) // the text is stored again after the next second
      .finally(() => (storing = undefined))
  }, storeMs)
  return {
    stop: async () => {
      clearInterval(timer)
      await storing
    },
  }
}

/** Stores the end of the answer, its use of the AI and its proposal. */
async function finish(answer: RunningAnswer, input: AnswerInput, toolState: ToolState, ended: ModelAnswer): Promise<void> {
  const { owner, id, text, steps, stop } = answer
  const { context, opened } = input
  const caller = callerFor(owner)
  const outcome = decideOutcome(answer, ended, toolState)
  const isWanted = !stop.signal.aborted || stop.signal.reason === ('too long' satisfies StopReason)
  const cost = await opened.countUse(ended.use).catch(() => null) // the account may be deleted
  const proposalId = isWanted ? await storeProposal(answer, input, toolState, { mayApply: outcome.state === 'done' }) : null
  const end = {
    ...(proposalId === undefined ? proposalNotStored : outcome),
    content: ended.correctText(text),
    steps,
    proposal_id: proposalId ?? null,
    input_tokens: ended.use.inputTokens ?? null,
    output_tokens: ended.use.outputTokens ?? null,
    cost,
    modelMessages: toModelMessages(ended.modelMessages),
    hasUntrustedText: toolState.hasUntrustedText,
  }
  await storeWithRetries(answer, () => context.database.transaction(caller, 'Stored an answer', () => storeEnd(owner, id, end)))
}

const proposalNotStored = {
  state: 'interrupted' as const,
  problem: 'The proposed changes could not be stored. The account may have no space left.',
}

/** Stores the proposed changes. Returns the id of the proposal, null if there are none, and undefined if they could not be stored. */
async function storeProposal(
  answer: RunningAnswer,
  { context, router, log }: AnswerInput,
  toolState: ToolState,
  options: { mayApply: boolean },
): Promise<string | null | undefined> {
  try {
    return await storeWithRetries(answer, () => saveProposal(context, router, callerFor(answer.owner), toolState, options))
  } catch (error) {
    log.error({ err: error }, 'the proposed changes of an answer were not stored')
    return undefined
  }
}

/** Returns the state of an answer and why it is not complete. An answer without text may consist of proposed changes or files. */
function decideOutcome(
  { stop, text }: RunningAnswer,
  { state, problem, failure, hasFiles }: ModelAnswer,
  { items }: ToolState,
): Pick<Message, 'state' | 'problem'> {
  if (stop.signal.aborted) return outcomeOfStop(stop.signal.reason)
  const isEmpty = text.trim() === '' && items.length === 0 && !hasFiles
  if (failure === 'empty') return isEmpty ? { state: 'failed', problem: emptyProblem } : { state: 'done', problem: '' }
  if (isEmpty && state !== 'too_many_steps') return { state: 'failed', problem: problem === '' ? emptyProblem : problem }
  return { state: state === 'failed' ? 'interrupted' : state, problem }
}

const emptyProblem = 'Received empty response from AI. Please try again.'

function outcomeOfStop(reason: unknown): Pick<Message, 'state' | 'problem'> {
  if (reason === ('too long' satisfies StopReason))
    return { state: 'cut', problem: 'The answer was longer than 400,000 characters and was cut.' }
  if (reason === ('stopped by user' satisfies StopReason)) return { state: 'stopped', problem: '' }
  return { state: 'interrupted', problem: brokenOffProblem }
}

/** Returns the messages in a form that can be stored, without the bytes of files. */
const toModelMessages = (messages: readonly unknown[]): unknown[] => messages.map((message) => toStorable(removeFiles(message)))

function removeFiles(value: unknown): unknown {
  if (typeof value === 'string') return removeFileBlocks(value)
  if (Array.isArray(value)) return value.map(removeFiles)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, nested]) => [name, removeFiles(nested)]))
}

/** Repeats `store` each second while the database does not answer; only a few times when the server stops. */
async function storeWithRetries<T>({ stop }: RunningAnswer, store: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await store()
    } catch (error) {
      const canWait = tries < (stop.signal.reason === ('server stops' satisfies StopReason) ? 3 : maxEndTries)
      if (!canWait || !databaseFailures.has(toRefusal(error).code)) throw error
    }
    await sleep(storeMs)
  }
}

/** The codes of errors after which the database may work again soon. */
const databaseFailures = new Set<ErrorCode>(['not_ready', 'busy', 'overloaded', 'outcome_unknown'])

import type { ModelMessage, TextStreamPart, ToolSet } from 'ai'
import type { OutboundFetch } from '../outbound/outbound.ts'
import { AiFailure, failureOfError, failureOfResponse } from './failure.ts'
import { hasPictures, toModelMessages, toStoredMessages } from './messages.ts'
import { findModel, loadSdk, type Sdk } from './sdk.ts'
import { toSdkTools } from './tools.ts'
import type { AiFailureReason, Answer, AnswerLimits, AnswerRequest, ChatMessage, Connection } from './types.ts'

/**
 * `firstMs`: the maximum time until each response begins, and then until its first text. `chunkMs`: the maximum time between two pieces.
 * `toolMs`: the maximum time of one call of a tool. `maxSteps`: how often the model is asked. `maxCharacters`: the maximum length of
 * everything that the model writes, with its reasoning and the input of tools.
 */
const defaultLimits: Required<AnswerLimits> = {
  firstMs: 120_000,
  chunkMs: 60_000,
  totalMs: 600_000,
  toolMs: 20_000,
  maxSteps: 8,
  maxCharacters: 400_000,
}
/** The maximum number of tokens that an endpoint can report for one request. */
const maxTokens = 100_000_000
/** Low, so that answers about records stay close to them. It is always sent, because Ollama takes 1.0 otherwise. */
const defaultTemperature = 0.2

/** An answer with the reason why it is not complete. `isTemporary`: the same request may succeed later. */
export type Outcome = Answer & { failure: AiFailureReason | undefined; isTemporary: boolean }

/** The part of an answer that has arrived. */
type Progress = {
  text: string
  /** The length of everything that the model has written. */
  characters: number
  use: Answer['use']
  /** The length of the instructions, the messages and the results of tools. Each step sends them, and everything that was written before. */
  givenCharacters: number
  /** The number of characters that were sent and received in steps that have ended without a report of their tokens. */
  unreportedCharacters: number
  /** The number of characters that the current step has sent, and `characters` at its start; undefined between two steps. */
  step: { sentCharacters: number; charactersBefore: number } | undefined
  finishReason: string | undefined
  error: unknown
  hasCalledTools: boolean
  /** The last step that has begun has called tools. */
  hasStepCalledTools: boolean
  /** The next text belongs to a later step, which begins a paragraph. */
  isNewStep: boolean
}

/** Answers a conversation: asks the model, runs the tools that it calls, and asks again. Never throws. */
export async function generate(
  fetch: OutboundFetch,
  connection: Connection,
  request: AnswerRequest & { temperature?: number },
): Promise<Outcome> {
  const limits = { ...defaultLimits, ...request.limits }
  const progress: Progress = {
    text: '',
    characters: 0,
    use: { inputTokens: undefined, outputTokens: undefined },
    givenCharacters: request.messages.reduce((sum, message) => sum + countCharacters(message), request.instructions.length),
    unreportedCharacters: 0,
    step: undefined,
    finishReason: undefined,
    error: undefined,
    hasCalledTools: false,
    hasStepCalledTools: false,
    isNewStep: false,
  }
  const end = new AbortController() // closes the connection in every case, because the model would go on writing otherwise
  const isStopped = (): boolean => request.signal?.aborted ?? false
  let modelMessages: unknown[] = []
  try {
    const sdk = await loadSdk()
    const { capabilities } = connection
    let responseMessages: readonly ModelMessage[] = []
    const messages = await toModelMessages(sdk, request.messages, capabilities.vision !== false)
    // a single consumer, because the streams for further consumers take a fifth of the CPU time of an answer
    const result = sdk.experimental_streamTextLowMemory({
      model: findModel(sdk, fetch, connection, limits.firstMs),
      instructions: request.instructions,
      messages,
      tools: capabilities.tools === false ? {} : toSdkTools(sdk, request.tools ?? []),
      temperature: request.temperature ?? defaultTemperature,
      maxRetries: 1,
      stopWhen: sdk.isStepCount(limits.maxSteps),
      // one at a time, because a call that fails removes all changes that were proposed since it began, also those of other calls
      toolCallConcurrency: 1,
      timeout: { firstChunkMs: limits.firstMs, chunkMs: limits.chunkMs, totalMs: limits.totalMs, toolMs: limits.toolMs },
      abortSignal: request.signal ? AbortSignal.any([end.signal, request.signal]) : end.signal,
      onError: () => {}, // the SDK prints every error otherwise; they are read from the stream
      onEnd: ({ responseMessages: all }) => {
        responseMessages = all
      },
    })
    for await (const part of result.stream) {
      readPart(part, progress, request.onText)
      if (progress.characters > limits.maxCharacters) {
        progress.finishReason = 'length'
        break
      }
    }
    if (progress.finishReason !== undefined && progress.characters <= limits.maxCharacters)
      modelMessages = toStoredMessages(responseMessages)
  } catch (error) {
    progress.error = error // a connection that was cut throws; other errors are parts
  } finally {
    end.abort()
  }
  const sent = { hasPictures: hasPictures(request.messages), hasTools: (request.tools?.length ?? 0) > 0 }
  const failure = isStopped() ? undefined : await findFailure(progress, sent)
  endStep(progress)
  const { unreportedCharacters } = progress
  const use = { ...progress.use, ...(unreportedCharacters > 0 && { characters: unreportedCharacters }) }
  return toOutcome({ ...progress, use }, isStopped(), failure, modelMessages)
}

/** Returns the length of a message, with the calls of tools and their results in an earlier answer. */
const countCharacters = (message: ChatMessage): number =>
  'modelMessages' in message && message.modelMessages?.length ? JSON.stringify(message.modelMessages).length : message.text.length

/** Counts the characters of the current step, unless the endpoint has reported its tokens. */
function endStep(progress: Progress, isReported = false): void {
  const { step, characters } = progress
  if (step && !isReported) progress.unreportedCharacters += step.sentCharacters + characters - step.charactersBefore
  progress.step = undefined
}

/** Adds a part of the stream to the progress. */
function readPart(part: TextStreamPart<ToolSet>, progress: Progress, onText: AnswerRequest['onText']): void {
  switch (part.type) {
    case 'text-delta': {
      if (part.text === '') return
      const text = progress.isNewStep && progress.text !== '' && !progress.text.endsWith('\n\n') ? `\n\n${part.text}` : part.text
      progress.isNewStep = false
      progress.text += text
      progress.characters += text.length
      return onText?.(text)
    }
    case 'reasoning-delta':
      progress.characters += part.text.length
      return
    case 'tool-input-delta':
      progress.characters += part.delta.length
      return
    case 'tool-call':
      progress.hasCalledTools = true
      progress.hasStepCalledTools = true
      return
    case 'tool-result':
      progress.givenCharacters += String(part.output).length // `tools.ts` returns texts
      return
    case 'error':
      progress.error = part.error
      return
    case 'abort':
      progress.error = new DOMException('The AI service was silent', 'TimeoutError')
      return
    case 'start-step':
      progress.step = { sentCharacters: progress.givenCharacters + progress.characters, charactersBefore: progress.characters }
      progress.hasStepCalledTools = false
      return
    case 'finish-step':
      progress.isNewStep = true
      endStep(progress, part.usage.inputTokens !== undefined || part.usage.outputTokens !== undefined)
      progress.use = {
        inputTokens: add(progress.use.inputTokens, part.usage.inputTokens),
        outputTokens: add(progress.use.outputTokens, part.usage.outputTokens),
      }
      return
    case 'finish':
      // some servers report `stop` for a step that calls tools: LM Studio does so if the call is sent as text (`text-tool-calls.ts`)
      progress.finishReason = part.finishReason === 'stop' && progress.hasStepCalledTools ? 'tool-calls' : part.finishReason
      return
    default:
  }
}

/** Adds the tokens that an endpoint has reported. Counts that are impossible are left out. */
const add = (sum: number | undefined, tokens: number | undefined): number | undefined =>
  tokens === undefined || !Number.isInteger(tokens) || tokens < 0 || tokens > maxTokens ? sum : (sum ?? 0) + tokens

/** Returns why an answer is not complete; undefined if it is. */
async function findFailure(progress: Progress, request: { hasPictures: boolean; hasTools: boolean }): Promise<AiFailure | undefined> {
  const { finishReason, error } = progress
  if (finishReason === undefined || finishReason === 'error') {
    if (error === undefined) return new AiFailure('failed', 'The answer broke off.')
    return failureOfSdkError(await loadSdk(), error, request)
  }
  if (finishReason === 'length') return new AiFailure('unusable', 'The answer reached the limit of the model and was cut.')
  if (finishReason === 'content-filter') return new AiFailure('unusable', 'The filter of the AI service stopped the answer.')
  if (finishReason === 'tool-calls') return new AiFailure('unusable', 'The model asked for too many steps without an answer.')
  return progress.text.trim() === '' ? new AiFailure('empty') : undefined
}

function failureOfSdkError(sdk: Sdk, error: unknown, request: { hasPictures: boolean; hasTools: boolean }): AiFailure {
  const last = sdk.RetryError.isInstance(error) ? error.lastError : error
  if (sdk.APICallError.isInstance(last) && last.statusCode !== undefined && last.statusCode >= 400)
    return failureOfResponse({ status: last.statusCode, body: last.responseBody ?? '', ...request })
  const failure = failureOfError(last)
  return failure.reason === 'failed' ? new AiFailure('failed', 'The answer broke off.') : failure
}

function toOutcome(progress: Progress, isStopped: boolean, failure: AiFailure | undefined, modelMessages: unknown[]): Outcome {
  const { text, use } = progress
  const isTemporary = failure?.isTemporary ?? false
  const base = { text, use, modelMessages, failure: failure?.reason, problem: failure?.message ?? '', isTemporary }
  if (isStopped) return { ...base, state: 'stopped', problem: '' }
  if (!failure) return { ...base, state: 'done' }
  if (progress.finishReason === 'tool-calls') return { ...base, state: 'too_many_steps' }
  if (text.trim() === '' && !progress.hasCalledTools) return { ...base, state: 'failed' }
  const isCut = progress.finishReason === 'length' || progress.finishReason === 'content-filter'
  return { ...base, state: isCut ? 'cut' : 'interrupted' }
}

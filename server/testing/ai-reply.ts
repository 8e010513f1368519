// The replies of the stand-in, and the lines of an event stream that they become.
import { setTimeout as sleep } from 'node:timers/promises'

/** A call of a tool. An `input` that is a text is sent as it is, whether it is JSON or not. */
type Call = { name: string; input: unknown; id?: string }
/** How calls are sent: in fragments, each call in one chunk, in one chunk with no index or no id, or the fragments of all calls mixed. */
type CallStyle = 'fragments' | 'whole' | 'no index' | 'no id' | 'mixed'

/** A part of a streamed answer. */
export type Part =
  /** Pieces of text, one every `everyMs` milliseconds. */
  | { text: string | readonly string[]; everyMs?: number }
  /** This number of pieces. The text of each piece is the time at which it is sent, in nanoseconds of `process.hrtime`, and a semicolon. */
  | { timePieces: number; everyMs: number }
  /** Text of which each byte is sent by itself, in lines that end with CR and LF. */
  | { bytewise: string }
  | { reasoning: string; field?: 'reasoning_content' | 'reasoning' }
  | { calls: readonly Call[]; style?: CallStyle }
  /** A text that is sent as it is. */
  | { raw: string }
  /** Continues after this number of milliseconds, or when the promise resolves. */
  | { wait: number | Promise<unknown> }
  /** The reason of the last chunk, if it is not the default. */
  | { finish: 'stop' | 'length' | 'content_filter' | 'tool_calls' }
  /** A chunk with an error, after which the stream ends. */
  | { error: unknown }
  /**
   * `malformed`: a chunk that is not JSON. `keep-alive`: a comment. `cut`: closes the connection. `end`: ends the stream without a finish
   * reason. `silence`: sends nothing more.
   */
  | { fault: 'malformed' | 'keep-alive' | 'cut' | 'end' | 'silence' }

/** A response with another status than 200. */
type OtherResponse = { status: number; headers?: Record<string, string>; body: unknown }
type MadePicture = { picture: Uint8Array; as: 'b64_json' | 'url' }

/** A reply: a text, the parts of an answer, a response without an answer, a picture, or no response at all. */
export type Reply = string | readonly Part[] | OtherResponse | MadePicture | { isSilent: true }

export type FinishReason = Extract<Part, { finish: unknown }>['finish']
type Delta = { content?: string | null; tool_calls?: object[]; [reasoning: string]: unknown }
/** What is sent, a pause, or what happens to the connection. */
export type Step = { send: string | Uint8Array } | { wait: number | Promise<unknown> } | { ending: 'cut' | 'end' | 'silence' }

/** The tokens that the stand-in reports for each answer. */
export const reportedUse = { prompt_tokens: 120, completion_tokens: 7, total_tokens: 127 }

/** Returns the parts of an answer; a text becomes pieces of one word each. */
export const partsOf = (reply: string | readonly Part[]): readonly Part[] =>
  typeof reply === 'string' ? [{ text: reply.match(/\S*\s*/g)?.filter((word) => word !== '') ?? [] }] : reply

/** Returns the steps of a streamed answer. */
export function* stepsOf(parts: readonly Part[], model: string, hasUse: boolean): Generator<Step> {
  const textOf = (delta: Delta, finish_reason: FinishReason | null = null): string =>
    toEvent({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model, choices: [{ index: 0, delta, finish_reason }] })
  const chunk = (delta: Delta, finish?: FinishReason): Step => ({ send: textOf(delta, finish) })
  yield chunk({ role: 'assistant', content: '' })
  for (const part of parts) {
    if ('text' in part) {
      for (const piece of typeof part.text === 'string' ? [part.text] : part.text) {
        if (part.everyMs !== undefined) yield { wait: part.everyMs }
        yield chunk({ content: piece })
      }
    }
    if ('timePieces' in part) {
      for (let number = 0; number < part.timePieces; number++) {
        yield { wait: part.everyMs }
        yield chunk({ content: `${process.hrtime.bigint()};` })
      }
    }
    if ('bytewise' in part) {
      const bytes = Buffer.from(textOf({ content: part.bytewise }).replaceAll('\n', '\r\n'))
      for (const byte of bytes) yield { send: Uint8Array.of(byte) }
    }
    if ('reasoning' in part) yield chunk({ [part.field ?? 'reasoning_content']: part.reasoning })
    if ('calls' in part) for (const delta of callDeltas(part.calls, part.style ?? 'fragments')) yield chunk({ tool_calls: [delta] })
    if ('raw' in part) yield { send: part.raw }
    if ('wait' in part) yield { wait: part.wait }
    if ('error' in part) yield* endWithError(part.error)
    if ('fault' in part) yield faultSteps[part.fault]
  }
  yield chunk({}, finishReasonOf(parts))
  if (hasUse)
    yield { send: toEvent({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model, choices: [], usage: reportedUse }) }
  yield { send: 'data: [DONE]\n\n' }
}

const toEvent = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

const endWithError = (error: unknown): Step[] => [{ send: toEvent({ error }) }, { ending: 'end' }]

const faultSteps: Record<Extract<Part, { fault: unknown }>['fault'], Step> = {
  malformed: { send: 'data: {"choices": [{"del\n\n' },
  'keep-alive': { send: ': keep-alive\r\n\r\n' },
  cut: { ending: 'cut' },
  end: { ending: 'end' },
  silence: { ending: 'silence' },
}

const finishReasonOf = (parts: readonly Part[]): FinishReason =>
  parts.flatMap((part) => ('finish' in part ? [part.finish] : [])).at(-1) ?? (parts.some((part) => 'calls' in part) ? 'tool_calls' : 'stop')

function callDeltas(calls: readonly Call[], style: CallStyle): object[] {
  const fragments = calls.map((call, index) => {
    const type = 'function'
    const id = style === 'no id' ? undefined : (call.id ?? `call_${index + 1}`)
    const input = inputTextOf(call)
    if (style === 'no index') return [{ id, type, function: { name: call.name, arguments: input } }]
    if (style === 'whole' || style === 'no id') return [{ index, id, type, function: { name: call.name, arguments: input } }]
    const pieces = input.match(/.{1,4}/gs) ?? []
    return [
      { index, id, type, function: { name: call.name, arguments: '' } },
      ...pieces.map((text) => ({ index, function: { arguments: text } })),
    ]
  })
  if (style !== 'mixed') return fragments.flat()
  const longest = Math.max(...fragments.map(({ length }) => length))
  return Array.from({ length: longest }, (_, position) => fragments.flatMap((each) => each[position] ?? [])).flat()
}

const inputTextOf = ({ input }: Call): string => (typeof input === 'string' ? input : JSON.stringify(input))

/** Returns the message of an answer that is not streamed. */
export function messageOf(parts: readonly Part[]): { message: object; finish_reason: FinishReason } {
  const content = parts
    .map((part) => {
      if ('text' in part) return typeof part.text === 'string' ? part.text : part.text.join('')
      return 'bytewise' in part ? part.bytewise : ''
    })
    .join('')
  const calls = parts
    .flatMap((part) => ('calls' in part ? part.calls : []))
    .map((call, index) => ({
      id: call.id ?? `call_${index + 1}`,
      type: 'function',
      function: { name: call.name, arguments: inputTextOf(call) },
    }))
  const message = { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) }
  return { message, finish_reason: finishReasonOf(parts) }
}

/** Waits for a number of milliseconds or a promise, at most until the connection is closed. */
export async function waitFor(wait: number | Promise<unknown>, closed: AbortSignal): Promise<void> {
  if (typeof wait === 'number') return sleep(wait, undefined, { signal: closed }).catch(() => undefined)
  const { promise, resolve } = Promise.withResolvers<void>()
  closed.addEventListener('abort', () => resolve(), { once: true })
  await Promise.race([wait, promise])
}

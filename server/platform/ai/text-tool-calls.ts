import type { LanguageModelMiddleware } from 'ai'
import * as z from 'zod/mini'

const opening = '[TOOL_REQUEST]'
const closing = '[END_TOOL_REQUEST]'
/** A longer text without an end is no call. It is searched again with each piece. */
const maxCallCharacters = 100_000

const Call = z.object({ name: z.string(), arguments: z.optional(z.unknown()) })

type Streamed = Awaited<ReturnType<NonNullable<LanguageModelMiddleware['wrapStream']>>>['stream']
type StreamPart = Streamed extends ReadableStream<infer Part> ? Part : never

/** Reads the calls of tools that LM Studio passes on as text, for models that were not trained to use tools. */
export const readTextToolCalls: LanguageModelMiddleware = {
  specificationVersion: 'v4',
  wrapStream: async ({ doStream, params }) => {
    const result = await doStream()
    return params.tools?.length ? { ...result, stream: result.stream.pipeThrough(createReader()) } : result
  },
}

function createReader(): TransformStream<StreamPart, StreamPart> {
  let held = ''
  let count = 0
  return new TransformStream({
    transform: (part, controller) => {
      const sendText = (id: string, text: string): void => {
        if (text !== '') controller.enqueue({ type: 'text-delta', id, delta: text })
      }
      if (part.type === 'text-end') {
        sendText(part.id, held)
        held = ''
      }
      if (part.type !== 'text-delta') return controller.enqueue(part)
      held += part.delta
      for (let call = findCall(held); call; call = findCall(held)) {
        sendText(part.id, call.before)
        controller.enqueue({ type: 'tool-call', toolCallId: `text_call_${++count}`, toolName: call.name, input: call.input })
        held = call.after
      }
      const end = held.length > maxCallCharacters ? held.length : endOfText(held)
      sendText(part.id, held.slice(0, end))
      held = held.slice(end)
    },
  })
}

function findCall(text: string): { before: string; name: string; input: string; after: string } | undefined {
  const start = text.indexOf(opening)
  const end = text.indexOf(closing, start)
  if (start === -1 || end === -1) return undefined
  const call = parseCall(text.slice(start + opening.length, end))
  const { name, arguments: input = {} } = call ?? { name: 'unknown' }
  return { before: text.slice(0, start), name, input: JSON.stringify(input), after: text.slice(end + closing.length) }
}

function parseCall(json: string): z.infer<typeof Call> | undefined {
  try {
    return Call.parse(JSON.parse(json))
  } catch {
    return undefined
  }
}

/** Returns where the text ends that certainly belongs to no call. */
function endOfText(text: string): number {
  const start = text.indexOf(opening)
  if (start !== -1) return start
  const possibleStart = text.lastIndexOf('[')
  return possibleStart !== -1 && opening.startsWith(text.slice(possibleStart)) ? possibleStart : text.length
}

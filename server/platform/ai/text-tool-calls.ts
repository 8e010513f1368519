import type { LanguageModelMiddleware } from 'ai'
import * as z from 'zod/mini'

const opening = '[TOOL_REQUEST]'
const closing = '[END_TOOL_REQUEST]'
/** A longer text without `closing` is passed on as text, because the whole text would be searched again with each new piece. */
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
  let unsentText = ''
  let count = 0
  return new TransformStream({
    transform: (part, controller) => {
      const sendText = (id: string, text: string): void => {
        if (text !== '') controller.enqueue({ type: 'text-delta', id, delta: text })
      }
      if (part.type === 'text-end') {
        sendText(part.id, unsentText)
        unsentText = ''
      }
      if (part.type !== 'text-delta') return controller.enqueue(part)
      unsentText += part.delta
      for (let call = findCall(unsentText); call; call = findCall(unsentText)) {
        sendText(part.id, call.before)
        controller.enqueue({ type: 'tool-call', toolCallId: `text_call_${++count}`, toolName: call.name, input: call.input })
        unsentText = call.after
      }
      const end = unsentText.length > maxCallCharacters ? unsentText.length : endOfText(unsentText)
      sendText(part.id, unsentText.slice(0, end))
      unsentText = unsentText.slice(end)
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

/** Returns how many characters at the beginning of the text certainly belong to no call. */
function endOfText(text: string): number {
  const start = text.indexOf(opening)
  if (start !== -1) return start
  const possibleStart = text.lastIndexOf('[')
  return possibleStart !== -1 && opening.startsWith(text.slice(possibleStart)) ? possibleStart : text.length
}

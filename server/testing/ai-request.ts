// Reads the requests that the stand-in of an AI endpoint (ai-server.ts) gets.
import type { IncomingHttpHeaders } from 'node:http'
import * as z from 'zod/mini'

const ContentPart = z.looseObject({
  type: z.string(),
  text: z.optional(z.string()),
  image_url: z.optional(z.looseObject({ url: z.string() })),
})
const ToolCall = z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string(), arguments: z.string() }) })
const Message = z.discriminatedUnion('role', [
  z.looseObject({ role: z.literal('system'), content: z.string() }),
  z.looseObject({ role: z.literal('user'), content: z.union([z.string(), z.array(ContentPart)]) }),
  z.looseObject({
    role: z.literal('assistant'),
    content: z.optional(z.nullable(z.string())),
    tool_calls: z.optional(z.array(ToolCall)),
  }),
  z.looseObject({ role: z.literal('tool'), tool_call_id: z.string(), content: z.string() }),
])
type Message = z.infer<typeof Message>

/** The fields of a request that the tests read, from OpenAI's API reference. Other fields are accepted and kept. */
const AiRequestBody = z.looseObject({
  model: z._default(z.string(), ''),
  stream: z._default(z.boolean(), false),
  stream_options: z.optional(z.looseObject({ include_usage: z.optional(z.boolean()) })),
  temperature: z.optional(z.number()),
  messages: z._default(z.array(Message), []),
  tools: z._default(
    z.array(z.looseObject({ function: z.looseObject({ name: z.string(), parameters: z.record(z.string(), z.unknown()) }) })),
    [],
  ),
  /** The text of a request for a picture. */
  prompt: z._default(z.string(), ''),
})
type AiRequestBody = z.infer<typeof AiRequestBody>

/** A request that the stand-in has received. `path` is without the `/v1` of the base address. */
export type AiRequest = {
  path: string
  headers: IncomingHttpHeaders
  body: AiRequestBody
  /** The system message. */
  instructions: string
  /** The text of the newest message of the user. */
  text: string
  /** The data URLs of the pictures in the newest message of the user. */
  pictures: string[]
  /** The results of the tools that the newest message of the assistant called; empty if the newest message is from the user. */
  toolResults: string[]
  /** The names of the offered tools. */
  tools: string[]
  state: 'open' | 'answered' | 'closed by the client'
}

/** Reads a request from its JSON. Throws for a body that an endpoint would refuse. */
export function readAiRequest(path: string, headers: IncomingHttpHeaders, json: string): AiRequest {
  const body = AiRequestBody.parse(json === '' ? {} : JSON.parse(json))
  checkToolCalls(body.messages)
  const userMessage = body.messages.findLast(({ role }) => role === 'user')
  const parts = userMessage?.role === 'user' ? contentPartsOf(userMessage.content) : []
  const results = body.messages.slice(body.messages.findLastIndex(({ role }) => role !== 'tool') + 1)
  return {
    path,
    headers,
    body,
    instructions: body.messages.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join('\n'),
    text: parts.map(({ text }) => text ?? '').join(''),
    pictures: parts.flatMap(({ image_url }) => image_url?.url ?? []),
    toolResults: results.flatMap((message) => (message.role === 'tool' ? [message.content] : [])),
    tools: body.tools.map((tool) => tool.function.name),
    state: 'open',
  }
}

const contentPartsOf = (content: string | z.infer<typeof ContentPart>[]): z.infer<typeof ContentPart>[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content

/** Throws unless each call of a tool is followed by its result, as hosted endpoints demand. */
function checkToolCalls(messages: Message[]): void {
  messages.forEach((message, index) => {
    if (message.role !== 'assistant' || !message.tool_calls) return
    const after = messages.slice(index + 1)
    const end = after.findIndex(({ role }) => role !== 'tool')
    const answered = new Set(after.slice(0, end === -1 ? undefined : end).map((next) => (next.role === 'tool' ? next.tool_call_id : '')))
    for (const { id } of message.tool_calls) if (!answered.has(id)) throw new Error(`The tool call ${id} has no result`)
  })
}

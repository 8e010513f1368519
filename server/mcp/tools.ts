import type { CallToolResult, Tool } from '@modelcontextprotocol/server'
import type { FastifyBaseLogger } from 'fastify'
import * as z from 'zod/mini'
import { errors } from '#contract/errors.ts'
import type { DirectTool } from '#server/assistant/assistant.ts'
import { refuseUnstorable } from '#server/platform/http/body.ts'
import { checkInput } from '#server/platform/http/check.ts'
import { toRefusal } from '#server/platform/http/problem.ts'
import { Refusal } from '#server/platform/refusal.ts'

/** A cache of the JSON schemas of inputs, because making one takes longer than most calls. */
const jsonSchemas = new WeakMap<z.ZodMiniType, Tool['inputSchema']>()

/** Describes a tool for the list of tools. */
export function describeTool({ name, description, inputSchema, isReading }: DirectTool): Tool {
  const known = jsonSchemas.get(inputSchema)
  const schema = known ?? toObjectSchema(inputSchema)
  if (!known) jsonSchemas.set(inputSchema, schema)
  return {
    name,
    description,
    inputSchema: schema,
    annotations: { readOnlyHint: isReading, destructiveHint: name === 'delete', openWorldHint: false },
  }
}

function toObjectSchema(inputSchema: z.ZodMiniType): Tool['inputSchema'] {
  const { $schema: _, type: __, ...schema } = z.toJSONSchema(inputSchema, { io: 'input', unrepresentable: 'any' })
  return JSON.parse(JSON.stringify({ ...schema, type: 'object' }))
}

/** `signal` aborts when the client disconnects. */
export type CallOptions = { signal: AbortSignal; log: Pick<FastifyBaseLogger, 'error'> }

/** Calls a tool. A failure is returned to the model as a sentence, so that it can correct its call. Errors of the server are logged. */
export async function callTool(
  tools: readonly DirectTool[],
  name: string,
  input: unknown,
  { signal, log }: CallOptions,
): Promise<CallToolResult> {
  const tool = tools.find((each) => each.name === name)
  if (!tool) return toFailure(`There is no tool ${name}, or this API key does not have the scope for it.`)
  try {
    refuseUnstorable(input, '')
    const result = await tool.run(checkInput(tool.inputSchema, input), signal)
    return { content: [{ type: 'text', text: JSON.stringify(result) }] }
  } catch (error) {
    const cause = causeOf(error)
    // a disconnect cancels the queries of the call
    if (!signal.aborted && isServerError(cause)) log.error({ err: cause, tool: name }, 'a tool of MCP failed')
    return toFailure(describeError(error))
  }
}

const toFailure = (text: string): CallToolResult => ({ content: [{ type: 'text', text }], isError: true })

/** A tool wraps a failure in an `Error` whose message may be shown to the user; the original error is its `cause`. */
const causeOf = (error: unknown): unknown => (error instanceof Refusal || !(error instanceof Error) ? error : (error.cause ?? error))

const isServerError = (error: unknown): boolean => errors[toRefusal(error).code][0] >= 500

/** A `Refusal` comes from the checks of the input. Every other error comes from the tool. */
function describeError(error: unknown): string {
  if (error instanceof Refusal)
    return Object.entries(error.extras.fields ?? {})
      .map(([field, message]) => `${field}: ${message}.`)
      .join(' ')
  return error instanceof Error ? error.message : 'The call failed.'
}

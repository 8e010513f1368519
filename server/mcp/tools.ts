import type { CallToolResult, Tool } from '@modelcontextprotocol/server'
import * as z from 'zod/mini'
import type { DirectTool } from '#server/assistant/assistant.ts'
import { refuseUnstorable } from '#server/platform/http/body.ts'
import { checkInput } from '#server/platform/http/check.ts'
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

/** Calls a tool. A failure is returned to the model as a sentence, so that it can correct its call. */
export async function callTool(tools: readonly DirectTool[], name: string, input: unknown, signal: AbortSignal): Promise<CallToolResult> {
  const tool = tools.find((each) => each.name === name)
  if (!tool) return toFailure(`There is no tool ${name}, or this API key does not have the right to use it.`)
  try {
    refuseUnstorable(input, '')
    const result = await tool.run(checkInput(tool.inputSchema, input), signal)
    return { content: [{ type: 'text', text: JSON.stringify(result) }] }
  } catch (error) {
    return toFailure(describeError(error))
  }
}

const toFailure = (text: string): CallToolResult => ({ content: [{ type: 'text', text }], isError: true })

/** The tools throw errors whose messages the user may see. */
function describeError(error: unknown): string {
  if (error instanceof Refusal)
    return Object.entries(error.extras.fields ?? {})
      .map(([field, message]) => `${field}: ${message}.`)
      .join(' ')
  return error instanceof Error ? error.message : 'The call failed.'
}

import type { ToolSet } from 'ai'
import * as z from 'zod/mini'
import type { Sdk } from './sdk.ts'
import type { Tool } from './types.ts'

/** The maximum length of a result that the model reads, in characters. */
const maxResultCharacters = 8000

/** The maximum number of calls in one answer. What they return is sent to the model again in each step, and stored. */
const maxCalls = 200

/** The JSON schemas by zod schema. They are kept because it takes milliseconds to convert the schemas of all tools. */
const converted = new WeakMap<z.ZodMiniType, JsonObject>()

type JsonObject = Record<string, unknown>

/** Converts the tools of one answer for the SDK. A tool that has not ended when its signal aborts counts as failed. */
export function toSdkTools(sdk: Sdk, tools: readonly Tool[]): ToolSet {
  let calls = 0
  return Object.fromEntries(
    tools.map((tool) => {
      const inputSchema = sdk.jsonSchema(() => jsonSchemaOf(tool.inputSchema), {
        validate: (value) => {
          const { success, data, error } = tool.inputSchema.safeParse(value)
          return success ? { success, value: data } : { success, error: new Error(z.prettifyError(error)) }
        },
      })
      const execute = async (input: unknown, { abortSignal }: { abortSignal?: AbortSignal }): Promise<string> => {
        if (++calls > maxCalls) throw new Error('There were too many calls. Answer with what you have.')
        const signal = abortSignal ?? new AbortController().signal
        return toResultText(await untilAborted(signal, tool.run(input, signal)))
      }
      return [tool.name, sdk.tool({ description: tool.description, inputSchema, execute })]
    }),
  )
}

/** Returns the JSON schema of a zod schema, without rules that only zod checks: they are half of its size, and some servers refuse them. */
export function jsonSchemaOf(schema: z.ZodMiniType): JsonObject {
  const known = converted.get(schema)
  if (known) return known
  const json = stripSchema(z.toJSONSchema(schema, { target: 'draft-7', io: 'input', unrepresentable: 'any' }))
  converted.set(schema, json)
  return json
}

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Removes `$schema`, `pattern` and the limits of safe integers, which all whole numbers have. Keeps properties that have these names. */
function stripSchema(schema: JsonObject): JsonObject {
  const isKept = ([key, value]: [string, unknown]): boolean =>
    key !== '$schema' && key !== 'pattern' && !(typeof value === 'number' && Math.abs(value) === Number.MAX_SAFE_INTEGER)
  const strip = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(strip)
    return isObject(value) ? stripSchema(value) : value
  }
  const stripProperties = (properties: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, strip(value)]))
  return Object.fromEntries(
    Object.entries(schema)
      .filter(isKept)
      .map(([key, value]) => {
        if (['properties', 'definitions', '$defs'].includes(key) && isObject(value)) return [key, stripProperties(value)]
        return [key, ['const', 'enum', 'default', 'examples'].includes(key) ? value : strip(value)]
      }),
  )
}

/** Returns the JSON of a result, cut if it is long. */
function toResultText(result: unknown): string {
  const text = JSON.stringify(result) ?? 'null'
  if (text.length <= maxResultCharacters) return text
  return `${text.slice(0, maxResultCharacters).toWellFormed()}\n[The result has ${text.length} characters and was cut here. Ask for less.]`
}

/** Waits for the result of a tool, at most until the signal aborts. */
async function untilAborted<T>(signal: AbortSignal, result: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(new Error('The tool took too long.'))
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([result, promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

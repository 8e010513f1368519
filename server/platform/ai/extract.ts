import * as z from 'zod/mini'
import type { OutboundFetch } from '../outbound/outbound.ts'
import { completeConversation } from './complete.ts'
import { AiFailure } from './failure.ts'
import { jsonSchemaOf } from './tools.ts'
import type { ChatMessage, Connection, ModelRequest, Picture, TokenUse } from './types.ts'

type ExtractRequest<T> = ModelRequest & {
  schema: z.ZodMiniType<T>
  instructions: string
  text: string
  pictures?: readonly Picture[]
  onUse?: (use: TokenUse) => void
}

/** How often the model is asked: once, and once more if its answer was not valid. */
const maxAttempts = 2

/** Reads a value of the schema from a text. The schema is in the instructions, so the endpoint needs no structured output. */
export async function extract<T>(
  fetch: OutboundFetch,
  connection: Connection,
  { schema, instructions, text, pictures, signal, onUse }: ExtractRequest<T>,
): Promise<{ value: T; use: TokenUse }> {
  const withSchema = `${instructions}\nAnswer only with JSON for this schema:\n${JSON.stringify(jsonSchemaOf(schema))}`
  const messages: ChatMessage[] = [{ role: 'user', text, pictures }]
  const use: TokenUse = { inputTokens: undefined, outputTokens: undefined }
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const answer = await completeConversation(fetch, connection, { instructions: withSchema, messages, signal, onUse, temperature: 0 })
    use.inputTokens = addTokens(use.inputTokens, answer.use.inputTokens)
    use.outputTokens = addTokens(use.outputTokens, answer.use.outputTokens)
    const result = findValue(schema, answer.text)
    if ('value' in result) return { value: result.value, use }
    const repair = `That was not valid: ${result.error}\nAnswer again, only with the JSON.`
    messages.push({ role: 'assistant', text: answer.text }, { role: 'user', text: repair })
  }
  throw new AiFailure('unusable')
}

const addTokens = (first: number | undefined, second: number | undefined): number | undefined =>
  second === undefined ? first : (first ?? 0) + second

/** Finds a value in an answer: in the whole text, in a code block, or between the first and the last bracket. */
function findValue<T>(schema: z.ZodMiniType<T>, text: string): { value: T } | { error: string } {
  const candidates = [text, findCodeBlock(text), findBrackets(text)]
  let error = 'There is no JSON.'
  for (const candidate of candidates) {
    const json = candidate === undefined ? undefined : parseJson(candidate)
    if (json === undefined) continue
    const result = schema.safeParse(json.value)
    if (result.success) return { value: result.data }
    error = z.prettifyError(result.error)
  }
  return { error }
}

// The two functions below do not find a pair of marks with a regular expression: if the second mark is missing, the time of the expression
// grows with the square of the length of the text.

/** Returns the content of the first code block. */
function findCodeBlock(text: string): string | undefined {
  const [, block, ...others] = text.split('```')
  return others.length > 0 ? block?.replace(/^json/, '') : undefined
}

/** Returns the text from the first opening bracket to the last closing one. */
function findBrackets(text: string): string | undefined {
  const start = text.search(/[[{]/)
  const end = Math.max(text.lastIndexOf(']'), text.lastIndexOf('}'))
  return start !== -1 && end > start ? text.slice(start, end + 1) : undefined
}

function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

import { markUntrustedText } from '#server/platform/ai/untrusted-text.ts'
import type { Connection, Picture, TokenUse } from '#server/platform/ai/types.ts'
import type { AppContext } from '#server/platform/feature/context.ts'

/** What all requests of one analysis need. `count` adds the tokens of an answer. */
export type AnalysisRequest = {
  context: AppContext
  connection: Connection
  count: (use: TokenUse) => void
  /** Throws `ai_limit` if the answers so far have used the tokens of the day. */
  requireTokens: () => void
  fileName: string
  signal: AbortSignal
}

type Question = { instructions: string; material?: { description: string; text: string }; pictures?: readonly Picture[] }

/** Asks the model about material of the file. Throws `ai_limit`, and `AiFailure`, also for an empty answer. */
export async function ask(
  { context, connection, count, requireTokens, fileName, signal }: AnalysisRequest,
  { instructions, material, pictures = [] }: Question,
): Promise<string> {
  const name = markUntrustedText('The name of the file', fileName)
  const text = material ? `${name}\n\n${markUntrustedText(material.description, material.text)}` : name
  requireTokens()
  const answer = await context.ai.complete(connection, { instructions, text, pictures, signal, onUse: count })
  return answer.text
}

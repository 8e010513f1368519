import type { OutboundFetch } from '../outbound/outbound.ts'
import { AiFailure } from './failure.ts'
import { generate } from './generate.ts'
import { hasPictures } from './messages.ts'
import type { ChatMessage, Connection, ModelRequest, Picture, TokenUse } from './types.ts'

type WithUse = ModelRequest & { onUse?: (use: TokenUse) => void }
type CompletionRequest = WithUse & { instructions: string; messages: readonly ChatMessage[]; temperature?: number }

/** Answers one text, perhaps with pictures. Throws `AiFailure` if the answer is not complete, or the reason of the signal if it aborts. */
export async function complete(
  fetch: OutboundFetch,
  connection: Connection,
  { instructions, text, pictures, ...options }: WithUse & { instructions: string; text: string; pictures?: readonly Picture[] },
): Promise<{ text: string; use: TokenUse }> {
  return completeConversation(fetch, connection, { instructions, messages: [{ role: 'user', text, pictures }], ...options })
}

/** Answers a conversation without tools. Throws as `complete` does. */
export async function completeConversation(
  fetch: OutboundFetch,
  connection: Connection,
  request: CompletionRequest,
): Promise<{ text: string; use: TokenUse }> {
  if (hasPictures(request.messages) && connection.capabilities.vision === false) throw new AiFailure('no_pictures')
  const { text, use, failure, problem } = await generate(fetch, connection, request)
  request.onUse?.(use)
  request.signal?.throwIfAborted()
  if (failure) throw new AiFailure(failure, problem)
  return { text: text.trim(), use }
}

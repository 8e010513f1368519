import type { ModelMessage, UserContent } from 'ai'
import { AiFailure } from './failure.ts'
import { toReadablePicture } from './pictures.ts'
import type { Sdk } from './sdk.ts'
import type { ChatMessage, Picture } from './types.ts'

/** Whether the user has sent pictures with one of the messages. */
export const hasPictures = (messages: readonly ChatMessage[]): boolean =>
  messages.some((message) => message.role === 'user' && (message.pictures?.length ?? 0) > 0)

/**
 * Converts messages for the SDK. Pictures are left out if the model cannot read them, and a picture that cannot be read becomes a sentence.
 * Messages of the user that follow each other are joined, because some models refuse them.
 */
export async function toModelMessages(sdk: Sdk, messages: readonly ChatMessage[], hasVision: boolean): Promise<ModelMessage[]> {
  const converted: ModelMessage[] = []
  for (const message of messages) {
    if (message.role === 'assistant') {
      converted.push(...toAssistantMessages(sdk, message.text, message.modelMessages ?? []))
      continue
    }
    const parts = [{ type: 'text' as const, text: message.text }, ...(await toPictureParts(message.pictures ?? [], hasVision))]
    const last = converted.at(-1)
    if (last?.role === 'user') converted[converted.length - 1] = { role: 'user', content: [...partsOf(last.content), ...parts] }
    else converted.push({ role: 'user', content: parts.length === 1 ? message.text : parts })
  }
  return converted
}

const partsOf = (content: UserContent): Exclude<UserContent, string> =>
  typeof content === 'string' ? [{ type: 'text', text: `${content}\n\n` }] : content

/** Returns the stored messages of an answer, or its text if it has none or if they cannot be read. */
function toAssistantMessages(sdk: Sdk, text: string, modelMessages: readonly unknown[]): ModelMessage[] {
  const results = modelMessages.map((message) => sdk.modelMessageSchema.safeParse(message))
  const valid = results.flatMap(({ data }) => data ?? [])
  if (valid.length > 0 && valid.length === modelMessages.length) return valid
  return [{ role: 'assistant', content: text.trim() === '' ? '(no answer)' : text }]
}

async function toPictureParts(pictures: readonly Picture[], hasVision: boolean): Promise<Exclude<UserContent, string>> {
  return Promise.all(
    pictures.map(async (picture) => {
      if (!hasVision) return { type: 'text' as const, text: '[A picture that this model cannot see]' }
      try {
        const { bytes, mimeType } = await toReadablePicture(picture)
        return { type: 'file' as const, data: bytes, mediaType: mimeType }
      } catch (error) {
        if (error instanceof AiFailure) return { type: 'text' as const, text: '[A picture that cannot be read]' }
        throw error
      }
    }),
  )
}

/** Returns the messages of an answer as JSON, without the reasoning, which endpoints need not get back. */
export function toStoredMessages(messages: readonly ModelMessage[]): unknown[] {
  const withoutReasoning = messages.map((message) =>
    message.role === 'assistant' && typeof message.content !== 'string'
      ? { ...message, content: message.content.filter(({ type }) => type !== 'reasoning') }
      : message,
  )
  return JSON.parse(JSON.stringify(withoutReasoning.filter(({ content }) => content.length > 0)))
}

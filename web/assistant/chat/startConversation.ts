import { newId } from '#web/lib/ids.ts'
import { sendFirstMessage, type OpenContext } from '../answers/send.ts'
import { addToDraft, type Draft } from '../composer/drafts.ts'

type Listeners = { onOpen: (id: string) => void; onNotCreated: (id: string) => void }

/**
 * Sends the first message of a new conversation, and calls `onOpen` with the id of the conversation at once. If the message cannot be sent,
 * it is added to the draft. If the conversation was not created, calls `onNotCreated`.
 */
export async function startConversation(message: Draft, context: OpenContext, { onOpen, onNotCreated }: Listeners): Promise<void> {
  const id = newId()
  const sent = sendFirstMessage(id, { content: message.text, references: message.references, context })
  onOpen(id)
  const result = await sent
  if (result === 'sent') return
  if (result === 'not created') onNotCreated(id)
  addToDraft(result === 'not created' ? undefined : id, message)
}

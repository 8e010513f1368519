// The prompt of an answer: instructions, the earlier messages, and the newest message of the user with what is attached to it.
import type { Reference } from '#contract/assistant.ts'
import type { ChatMessage, Connection } from '#server/platform/ai/types.ts'
import { sql } from '#server/platform/database/database.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { createInstructions } from '../instructions.ts'
import { isShortTitle } from '../tools/results.ts'
import type { Circumstances } from '../messages/messages.store.ts'
import { readAttachments } from './attachments.ts'
import { joinTexts, readHistory } from './history.ts'

/** The maximum length of the search and the filter of an open list, in characters. The model is not told of a list with longer ones. */
const maxListCharacters = 4000

export type Prompt = {
  instructions: string
  messages: ChatMessage[]
  /** The messages contain text that other people may have written. */
  hasUntrustedText: boolean
}

/** `timezone`: by default, the time zone of the message. */
type PromptOptions = {
  conversationId: string
  answerId: string
  connection: Connection
  timezone: string | undefined
  signal: AbortSignal
}

type QuestionRow = { number: number; content: string; refs: Reference[]; circumstances: Circumstances }

/** Reads the prompt of an answer. Throws `not_found` if the question, which is the last message of the user before it, was deleted. */
export async function readPrompt(context: AppContext, owner: string, options: PromptOptions): Promise<Prompt> {
  const { conversationId, answerId, connection, timezone, signal } = options
  const caller = callerFor(owner)
  const { question, history } = await context.database.read(caller, async () => {
    const [row] = await sql<QuestionRow>(
      `select number, content, refs, circumstances from messages
       where user_id = $1 and conversation_id = $2 and role = 'user' and not is_replaced
         and number < (select number from messages where user_id = $1 and id = $3) order by number desc limit 1`,
      [owner, conversationId, answerId],
    )
    if (!row) throw new Refusal('not_found')
    return { question: row, history: await readHistory(owner, conversationId, row.number) }
  })
  const attachments = await readAttachments(context, caller, question.refs, connection, signal)
  const text = joinTexts(history.proposalNote, describeScreen(question.circumstances), attachments.text, question.content)
  const asked: ChatMessage = { role: 'user', text, ...(attachments.pictures.length > 0 && { pictures: attachments.pictures }) }
  const { capabilities } = connection
  return {
    instructions: createInstructions({
      now: context.now(),
      timezone: timezone ?? question.circumstances.timezone,
      hasTools: capabilities.tools !== false,
      canPropose: true,
    }),
    messages: [...history.messages, asked],
    hasUntrustedText: history.hasUntrustedText || question.refs.length > 0 || hasUntrustedListText(question.circumstances),
  }
}

/** Says what the user sees beside the conversation. Names of records are left out, because other people may have written them. */
function describeScreen({ open_record: record, open_list: list }: Circumstances): string {
  if (record) return `[The user has this ${record.kind} open: foyer:${record.kind}/${record.id}. "This" in the message may mean it.]`
  if (!list || JSON.stringify(list).length > maxListCharacters) return ''
  return `[The user has this list open, and "these" in the message may mean it: ${JSON.stringify({ kind: list.kind, search: list.search, filter: list.filter })}]`
}

/**
 * Whether the search or the filter of the open list may be an instruction to the model. The list is the user's own, but other people can
 * send a link to a list with a search.
 */
function hasUntrustedListText({ open_list: list }: Circumstances): boolean {
  const texts: string[] = []
  JSON.stringify(list ?? null, (_name, value: unknown) => {
    if (typeof value === 'string') texts.push(value)
    return value
  })
  return !texts.every(isShortTitle)
}

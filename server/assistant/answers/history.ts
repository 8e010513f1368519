// The earlier messages of a conversation, as the model reads them.
import type { ProposalItem, Proposal } from '#contract/proposals.ts'
import type { Message } from '#contract/assistant.ts'
import type { ChatMessage } from '#server/platform/ai/types.ts'
import { sql } from '#server/platform/database/database.ts'
import { isUndoneSql } from '#server/platform/journal/history.ts'

/** The maximum length of all messages to the model together, in characters. The newest messages are kept. */
export const maxHistoryCharacters = 80_000
/** The results of tools of earlier answers are shortened: texts to this number of characters, lists to this number of items. */
const maxEarlierText = 600
const maxEarlierItems = 8
/** The maximum number of messages that are read. */
const maxMessages = 200
/** The maximum number of messages that are read with tool calls and proposals, which may be megabytes. */
const maxMessagesWithDetails = 40

type HistoryRow = {
  id: string
  role: Message['role']
  /** Null if the text no longer fits into `maxHistoryCharacters`. */
  content: string | null
  refs: Message['references']
  model_messages: unknown[]
  /**
   * Of an answer: whether the model had read text that other people may have written; empty until the end of the answer is stored. Of a
   * message of the user: the `Circumstances` in which it was sent, which only `prompt.ts` reads.
   */
  circumstances: { has_foreign_text?: boolean }
  proposal_state: Proposal['state'] | null
  items: ProposalItem[] | null
  /** The proposal was applied and is undone now. */
  is_undone: boolean
}

type FittingRow = HistoryRow & { content: string }

/** `hasUntrustedText`: the messages contain text that other people may have written. */
export type History = { messages: ChatMessage[]; hasUntrustedText: boolean }

/**
 * Reads the messages before the number `before`, as many of the newest ones as fit into `maxHistoryCharacters`. `proposalNote` says what
 * the user did with the proposal of the last answer, for the beginning of the next message of the user; empty if there was none.
 */
export async function readHistory(owner: string, conversationId: string, before: number): Promise<History & { proposalNote: string }> {
  const rows = await sql<HistoryRow>(
    `select m.id, m.role, m.refs, m.circumstances, p.state as proposal_state, ${isUndoneSql('p.change_id')} as is_undone,
       case when sum(length(m.content)) over newest <= $4 then m.content end as content,
       case when row_number() over newest <= ${maxMessagesWithDetails} then m.model_messages else '[]' end as model_messages,
       case when row_number() over newest <= ${maxMessagesWithDetails} then p.items end as items
     from (
       select * from messages m where m.user_id = $1 and m.conversation_id = $2 and m.number < $3 and not m.is_replaced
         and (m.role = 'user' or trim(m.content) <> '' or m.proposal_id is not null)
       order by m.number desc limit ${maxMessages}
     ) m left join proposals p on p.user_id = $1 and p.id = m.proposal_id
     window newest as (order by m.number desc) order by m.number desc`,
    [owner, conversationId, before, maxHistoryCharacters],
  )
  const fitting: FittingRow[] = []
  let length = 0
  for (const { content, ...row } of rows) {
    if (content === null || (length += content.length) > maxHistoryCharacters) break
    fitting.unshift({ ...row, content })
  }
  let remaining = maxHistoryCharacters - fitting.reduce((sum, { content }) => sum + content.length, 0)
  const messages: ChatMessage[] = []
  for (const [index, row] of [...fitting.entries()].toReversed()) {
    const earlier = fitting[index - 1]
    if (row.role === 'user') messages.unshift({ role: 'user', text: joinTexts(describeDecision(earlier), row.content) })
    else {
      const modelMessages = row.model_messages.map(shortenResults)
      remaining -= JSON.stringify(modelMessages).length
      messages.unshift({ role: 'assistant', text: row.content, ...(remaining > 0 && modelMessages.length > 0 && { modelMessages }) })
    }
  }
  return {
    messages: mergeUserMessages(messages),
    proposalNote: describeDecision(fitting.at(-1)),
    hasUntrustedText: rows.some(hasUntrustedText),
  }
}

/** An answer whose end was not stored, because its process was killed, counts as one whose model has read untrusted text. */
const hasUntrustedText = ({ role, refs, circumstances }: HistoryRow): boolean =>
  refs.length > 0 || (role === 'assistant' && circumstances.has_foreign_text !== false)

export const joinTexts = (...texts: string[]): string => texts.filter((text) => text !== '').join('\n\n')

/** Returns a note about the decision on the proposal of an answer; empty if it had none. */
function describeDecision(row: FittingRow | undefined): string {
  if (!row?.items || row.proposal_state === null) return ''
  if (row.proposal_state === 'open') return '[The user has not decided on the proposed changes yet. Nothing was changed.]'
  if (row.proposal_state === 'discarded') return '[The user discarded the proposed changes. Nothing was changed.]'
  if (row.is_undone)
    return '[The user applied the proposed changes and undid them later. Read the records again before you name their values.]'
  const decisions = row.items.map(({ action, kind, id, fields, decision }) => ({ action, kind, id, fields: shorten(fields), decision }))
  return `[The user decided on the proposed changes. "done" means that it happened, "left_out" that it did not: ${JSON.stringify(decisions)}]`
}

/** Some endpoints refuse two messages of the user in a row, which remain when an answer has failed. */
function mergeUserMessages(messages: readonly ChatMessage[]): ChatMessage[] {
  const merged: ChatMessage[] = []
  for (const message of messages) {
    const last = merged.at(-1)
    if (last?.role === 'user' && message.role === 'user')
      merged[merged.length - 1] = { role: 'user', text: joinTexts(last.text, message.text) }
    else merged.push(message)
  }
  if (merged[0]?.role === 'assistant') merged.shift() // its question did not fit
  return merged
}

/** Shortens the values below the keys `output` and `result` of a message of `platform/ai`, which have the results of tools. */
function shortenResults(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shortenResults)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, nested]) => [
      name,
      name === 'output' || name === 'result' ? shorten(nested) : shortenResults(nested),
    ]),
  )
}

function shorten(value: unknown): unknown {
  if (typeof value === 'string') return value.length > maxEarlierText ? `${value.slice(0, maxEarlierText).toWellFormed()}…` : value
  if (Array.isArray(value)) return value.slice(0, maxEarlierItems).map(shorten)
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, nested]) => [name, shorten(nested)])) : value
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

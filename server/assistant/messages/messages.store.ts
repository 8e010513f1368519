import type { Message, Reference } from '#contract/assistant.ts'
import { sql } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { isAnsweringSql } from '../conversations.store.ts'

/** The sentence for an answer that was being written when its process ended. */
export const brokenOffProblem = 'The answer broke off, because the server stopped. What has arrived is kept.'

/**
 * SQL for a message `m` as clients see it. An answer that no process has stored for ten seconds is shown as interrupted, also before a
 * schedule has marked it.
 */
const messageColumns = `m.id, m.conversation_id, m.created_at, m.role, m.content, m.steps, m.refs as "references", m.proposal_id,
  m.input_tokens, m.output_tokens, m.cost,
  case when m.state = 'streaming' and not ${isAnsweringSql} then 'interrupted' else m.state end as state,
  case when m.state = 'streaming' and not ${isAnsweringSql} then '${brokenOffProblem}' else m.problem end as problem,
  (select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'file_name', f.file_name, 'mime_type', f.mime_type, 'file_size', f.file_size) order by f.id), '[]')
   from message_files f where f.user_id = m.user_id and f.message_id = m.id) as files`

/** Reads a message. Throws `not_found`. */
export async function readMessage(owner: string, id: string): Promise<Message> {
  const message = await findMessage(owner, id)
  if (!message) throw new Refusal('not_found')
  return message
}

export async function findMessage(owner: string, id: string): Promise<Message | undefined> {
  const [message] = await sql<Message>(`select ${messageColumns} from messages m where m.user_id = $1 and m.id = $2`, [owner, id])
  return message
}

type MessagesRequest = { before?: string | undefined; limit: number }

/** Reads the newest messages of a conversation before a message, the oldest of them first. Throws `not_found` for the conversation. */
export async function readMessages(
  owner: string,
  conversationId: string,
  { before, limit }: MessagesRequest,
): Promise<{ rows: Message[]; has_more: boolean }> {
  const [, rows] = await Promise.all([
    requireConversation(owner, conversationId),
    sql<Message>(
      `select ${messageColumns} from messages m where m.user_id = $1 and m.conversation_id = $2 and not m.is_replaced
         and ($3::uuid is null or m.number < (select b.number from messages b where b.user_id = $1 and b.id = $3 and b.conversation_id = $2))
       order by m.number desc limit $4`,
      [owner, conversationId, before ?? null, limit + 1],
    ),
  ])
  return { rows: rows.slice(0, limit).toReversed(), has_more: rows.length > limit }
}

/** The place of a message in its conversation. */
export type Position = { conversation_id: string; number: number; role: Message['role'] }

/** Returns the place of a message that was not replaced, in an existing conversation. Throws `not_found`. */
export async function readPosition(owner: string, id: string): Promise<Position> {
  const [position] = await sql<Position>(
    `select m.conversation_id, m.number, m.role from messages m join conversations c on c.user_id = $1 and c.id = m.conversation_id
     where m.user_id = $1 and m.id = $2 and not m.is_replaced`,
    [owner, id],
  )
  if (!position) throw new Refusal('not_found')
  return position
}

/** Throws `not_found` if the conversation does not exist. */
export async function requireConversation(owner: string, id: string): Promise<void> {
  const [found] = await sql('select from conversations where user_id = $1 and id = $2', [owner, id])
  if (!found) throw new Refusal('not_found')
}

/** Makes other transactions that start an answer of the owner wait for the end of this one, so that they count its answer. */
export async function lockAnswers(owner: string): Promise<void> {
  await sql(`select pg_advisory_xact_lock(hashtextextended('answers ' || $1, 0))`, [owner])
}

/** Locks a conversation, so that two answers cannot start in it at the same time. Throws `not_found`. */
export async function lockConversation(owner: string, id: string): Promise<{ allowed_changes: string[] }> {
  const [conversation] = await sql<{ allowed_changes: string[] }>(
    'select allowed_changes from conversations where user_id = $1 and id = $2 for no key update',
    [owner, id],
  )
  if (!conversation) throw new Refusal('not_found')
  return conversation
}

/** Counts the answers of the owner that are being written. `inConversation`: those in this conversation. */
export async function countRunning(owner: string, conversationId: string): Promise<{ all: number; inConversation: number }> {
  const [counts] = await sql<{ all: number; inConversation: number }>(
    `select count(*)::int as all, count(*) filter (where m.conversation_id = $2)::int as "inConversation"
     from messages m where m.user_id = $1 and m.state = 'streaming' and ${isAnsweringSql}`,
    [owner, conversationId],
  )
  return counts ?? { all: 0, inConversation: 0 }
}

/** Marks the answers of a conversation as interrupted if their process has ended. */
export const markInterrupted = (owner: string, conversationId: string): Promise<unknown> =>
  sql(
    `update messages m set state = 'interrupted', problem = $3
     where m.user_id = $1 and m.conversation_id = $2 and m.state = 'streaming' and not ${isAnsweringSql}`,
    [owner, conversationId, brokenOffProblem],
  )

/** Hides a message and all later ones of the conversation, and discards their open proposals. */
export const replaceFrom = (owner: string, { conversation_id, number }: Pick<Position, 'conversation_id' | 'number'>): Promise<unknown> =>
  Promise.all([
    sql(
      `update proposals p set state = 'discarded', decided_at = now() from messages m
       where p.user_id = $1 and p.state = 'open' and m.user_id = $1 and m.id = p.message_id and m.conversation_id = $2 and m.number >= $3`,
      [owner, conversation_id, number],
    ),
    sql('update messages set is_replaced = true where user_id = $1 and conversation_id = $2 and number >= $3 and not is_replaced', [
      owner,
      conversation_id,
      number,
    ]),
  ])

/** The time zone of the user, and the record or list that the user's screen showed, when a message was sent. */
export type Circumstances = {
  timezone: string
  open_record?: { kind: Reference['kind']; id: string } | undefined
  open_list?: { kind: Reference['kind']; search: string; filter: unknown[] } | undefined
}

type NewRow = { id: string; conversationId: string } & (
  | { role: 'user'; content: string; references: readonly Reference[]; circumstances: Circumstances }
  | { role: 'assistant' }
)

/** Adds a message at the end of a conversation that the transaction has locked. An answer has no text yet. */
export async function insertMessage(owner: string, row: NewRow): Promise<void> {
  const isAnswer = row.role === 'assistant'
  await sql(
    `insert into messages (user_id, id, conversation_id, number, role, state, content, refs, circumstances, created_at)
     select $1, $2, $3, coalesce((select max(number) from messages where user_id = $1 and conversation_id = $3), 0) + 1, $4, $5, $6, $7, $8, clock_timestamp()`,
    [
      owner,
      row.id,
      row.conversationId,
      row.role,
      isAnswer ? 'streaming' : 'done',
      isAnswer ? '' : row.content,
      JSON.stringify(isAnswer ? [] : row.references),
      JSON.stringify(isAnswer ? {} : row.circumstances),
    ],
  )
}

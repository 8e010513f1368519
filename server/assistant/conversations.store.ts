import type { ConversationRow } from '#contract/assistant.ts'
import { readCursor, writeCursor } from '#server/platform/database/cursor.ts'
import { sql } from '#server/platform/database/database.ts'
import { resolveCriteria, toSqlConditions, type Bind, type Criteria } from '#server/platform/records/conditions.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { conversations } from './kind.ts'

type ConversationsRequest = { search: string; after?: string | undefined; limit: number }

/** If the process of an answer has stored nothing for this time, the answer counts as interrupted. */
const maxHeartbeatAgeSeconds = 10

/** SQL that is true if the message `m` is an answer that is being written. */
export const isAnsweringSql = `(m.state = 'streaming' and m.heartbeat_at > now() - interval '${maxHeartbeatAgeSeconds} seconds')`

/**
 * Reads a page of the conversations, in the order of their newest messages, newest first. A conversation without messages is sorted by its
 * creation. A search finds conversations that have all searched words in their title, or in one message.
 */
export async function readConversations(
  owner: string,
  { search, after, limit }: ConversationsRequest,
  now: Date,
): Promise<{ rows: ConversationRow[]; next: string | null }> {
  const values: unknown[] = [owner, limit + 1]
  const bind: Bind = (value) => `$${values.push(value)}`
  const conditions = [...(await createSearchConditions({ search, filter: [], now }, bind)), ...createCursorConditions(after, bind)]
  const found = await sql<ConversationRow & { position: number }>(
    `select * from (
       select ${conversations.rowColumns}, coalesce(m.created_at, c.created_at) as last_message_at, coalesce(${isAnsweringSql}, false) as is_answering,
         (extract(epoch from coalesce(m.created_at, c.created_at)) * 1000000)::bigint as position
       from conversations c left join lateral (
         select created_at, state, heartbeat_at from messages
         where user_id = $1 and conversation_id = c.id and not is_replaced order by number desc limit 1
       ) m on true
       where c.user_id = $1
     ) listed ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
     order by position desc, id desc limit $2`,
    values,
    { customPlan: search !== '' },
  )
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return { rows, next: last && found.length > limit ? writeCursor([String(last.position), last.id]) : null }
}

async function createSearchConditions(criteria: Criteria, bind: Bind): Promise<string[]> {
  if (criteria.search.trim() === '') return []
  const resolved = await resolveCriteria(conversations, '', criteria)
  const inTitles = toSqlConditions(conversations, resolved, bind)
  // messages have no filters of their own, so only the conditions of the search text apply
  const inMessages = toSqlConditions({ filters: {} }, resolved, bind)
  return [
    `id in (
       select id from conversations_find where ${inTitles.join(' and ')}
       union select conversation_id from own_messages where not is_replaced and ${inMessages.join(' and ')}
     )`,
  ]
}

/** Returns the condition on the rows after the cursor, whose sort value is a time in microseconds. */
function createCursorConditions(after: string | undefined, bind: Bind): string[] {
  const cursor = readCursor(after)
  if (!cursor) return []
  if (!/^\d{1,17}$/.test(cursor[0])) throw new Refusal('invalid', { fields: { after: 'This is not a valid page cursor' } })
  return [`(position, id) < (${bind(cursor[0])}::bigint, ${bind(cursor[1])}::uuid)`]
}

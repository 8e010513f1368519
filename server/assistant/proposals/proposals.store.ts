import type { Proposal, ProposalItem } from '#contract/proposals.ts'
import { sql } from '#server/platform/database/database.ts'

const columns = 'id, conversation_id, created_at, state, items, change_id'
/** SQL that is false for a proposal of a deleted conversation, which is shown and applied only after the deletion was undone. */
const hasConversationSql = 'exists (select from conversations c where c.user_id = $1 and c.id = proposals.conversation_id)'

/**
 * Stores the changes of an answer and links the answer to them. Returns the id of the proposal, also if an earlier call has stored it;
 * undefined if the answer was deleted or replaced in the meantime.
 */
export async function insertProposal(
  owner: string,
  { conversationId, answerId, items }: { conversationId: string; answerId: string; items: readonly ProposalItem[] },
): Promise<string | undefined> {
  const [, [row]] = await Promise.all([
    sql('select from messages where user_id = $1 and id = $2 for update', [owner, answerId]),
    sql<{ id: string }>(
      `with added as (
         insert into proposals (user_id, conversation_id, message_id, items)
         select $1, $2, m.id, $4 from messages m where m.user_id = $1 and m.id = $3 and m.proposal_id is null and not m.is_replaced returning id
       ), linked as (
         update messages m set proposal_id = added.id from added where m.user_id = $1 and m.id = $3
       )
       select id from added union all select m.proposal_id from messages m where m.user_id = $1 and m.id = $3 and m.proposal_id is not null`,
      [owner, conversationId, answerId, JSON.stringify(items)],
    ),
  ])
  return row?.id
}

/**
 * Returns the changes that the owner allows in the conversation at this moment, and locks them until the transaction ends. Returns none if
 * the answer was replaced or marked as interrupted meanwhile.
 */
export async function lockAllowedChanges(
  owner: string,
  { conversationId, answerId }: { conversationId: string; answerId: string },
): Promise<string[]> {
  const [conversation] = await sql<{ allowed_changes: string[] }>(
    `select c.allowed_changes from conversations c join messages m on m.user_id = $1 and m.id = $3
     where c.user_id = $1 and c.id = $2 and m.state = 'streaming' and not m.is_replaced for share of c`,
    [owner, conversationId, answerId],
  )
  return conversation?.allowed_changes ?? []
}

export async function findProposal(owner: string, id: string): Promise<Proposal | undefined> {
  const [proposal] = await sql<Proposal>(`select ${columns} from proposals where user_id = $1 and id = $2 and ${hasConversationSql}`, [
    owner,
    id,
  ])
  return proposal
}

/** Closes an open proposal and returns it. Returns undefined if it is not open; a second caller waits for the first one. */
export async function closeProposal(owner: string, id: string, state: 'applied' | 'discarded', now: Date): Promise<Proposal | undefined> {
  const [proposal] = await sql<Proposal>(
    `update proposals set state = $3, decided_at = $4 where user_id = $1 and id = $2 and state = 'open' and ${hasConversationSql}
     returning ${columns}`,
    [owner, id, state, now.toISOString()],
  )
  return proposal
}

/** Stores the items with their decisions, and the id of the open transaction's change set, which is null if nothing was written. */
export async function storeOutcome(owner: string, id: string, items: readonly ProposalItem[]): Promise<Proposal | undefined> {
  const [proposal] = await sql<Proposal>(
    `update proposals set items = $3, change_id = app.current_change() where user_id = $1 and id = $2 returning ${columns}`,
    [owner, id, JSON.stringify(items)],
  )
  return proposal
}

/** Locks a record and returns its version; undefined if it does not exist. */
export async function lockRecord(owner: string, table: string, id: string): Promise<number | undefined> {
  const [row] = await sql<{ version: number }>(`select version from ${table} where user_id = $1 and id = $2 for update`, [owner, id])
  return row?.version
}

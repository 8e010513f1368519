import type { Message, Step } from '#contract/assistant.ts'
import { sql } from '#server/platform/database/database.ts'

/** What has changed since an answer was stored. Undefined parts have not changed. */
export type Progress = { content: string | undefined; steps: readonly Step[] | undefined }

/**
 * Stores the progress of an answer with a new heartbeat. Returns `lost` if the answer was deleted or marked as interrupted, `stop` if the
 * user has stopped it or has deleted the conversation, and otherwise `continue`.
 */
export async function storeProgress(owner: string, id: string, { content, steps }: Progress): Promise<'continue' | 'stop' | 'lost'> {
  const [, [row]] = await Promise.all([
    // without a wait for the disk, because hundreds of answers may be stored each second; a crash of the database loses less than a second
    // of text
    sql(`select set_config('synchronous_commit', 'off', true)`),
    sql<{ mustStop: boolean }>(
      `update messages m set content = coalesce($3, content), steps = coalesce($4::jsonb, steps), heartbeat_at = now()
       where user_id = $1 and id = $2 and state = 'streaming'
       returning stop_requested or not exists (select from conversations c where c.user_id = $1 and c.id = m.conversation_id) as "mustStop"`,
      [owner, id, content ?? null, steps ? JSON.stringify(steps) : null],
    ),
  ])
  if (!row) return 'lost'
  return row.mustStop ? 'stop' : 'continue'
}

/** An answer that has ended. */
export type EndedAnswer = Pick<Message, 'state' | 'problem' | 'content' | 'proposal_id' | 'input_tokens' | 'output_tokens' | 'cost'> & {
  steps: readonly Step[]
  modelMessages: readonly unknown[]
  hasUntrustedText: boolean
}

/** Stores the end of an answer. An answer that was marked as interrupted meanwhile stays interrupted, and gets the text. */
export const storeEnd = (owner: string, id: string, answer: EndedAnswer): Promise<unknown> =>
  sql(
    `update messages set content = $3, steps = $4, problem = case when state = 'streaming' then $6 else problem end,
       state = case when state = 'streaming' then $5 else state end, proposal_id = coalesce($7, proposal_id),
       input_tokens = $8, output_tokens = $9, cost = $10, model_messages = $11, circumstances = $12
     where user_id = $1 and id = $2 and state in ('streaming', 'interrupted')`,
    [
      owner,
      id,
      answer.content,
      JSON.stringify(answer.steps),
      answer.state,
      answer.problem,
      answer.proposal_id,
      answer.input_tokens,
      answer.output_tokens,
      answer.cost,
      JSON.stringify(answer.modelMessages),
      JSON.stringify({ has_foreign_text: answer.hasUntrustedText }),
    ],
  )

/** Asks the process that writes the answer to stop. */
export const requestStop = (owner: string, id: string): Promise<unknown> =>
  sql(`update messages set stop_requested = true where user_id = $1 and id = $2 and state = 'streaming'`, [owner, id])

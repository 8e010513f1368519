import type { Proposal } from '#contract/proposals.ts'
import { saveProposal } from '#server/assistant/proposals/proposals.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import type { TestApp } from './app.ts'
import type { Person } from './people.ts'
import { openTools, type TestTools } from './tools.ts'

/** The name and the input of a tool. */
export type ToolCall = readonly [name: string, input: Record<string, unknown>]
type Options = { allowedChanges?: readonly string[]; mayApply?: boolean }

/** Adds a conversation with an answer that is being written. The row of the answer is inserted, because no AI is connected. */
async function addAnswer(
  app: TestApp,
  person: Person,
  allowedChanges: readonly string[],
): Promise<{ conversationId: string; answerId: string }> {
  const conversation = await person.send({ method: 'POST', url: '/api/conversations', payload: { title: 'Changes' } })
  const { id: conversationId }: { id: string } = conversation.json()
  const answerId = newId()
  await app.tableOwner.query('update conversations set allowed_changes = $1 where id = $2', [allowedChanges, conversationId])
  await app.tableOwner.query(
    `insert into messages (user_id, conversation_id, id, number, role, state) values ($1, $2, $3, 1, 'assistant', 'streaming')`,
    [person.id, conversationId, answerId],
  )
  return { conversationId, answerId }
}

/** Calls tools in one answer, and stores the changes that they propose. Returns the proposal. */
export async function propose(app: TestApp, person: Person, calls: readonly ToolCall[], options: Options = {}): Promise<Proposal> {
  const { tools, id } = await runAnswer(app, person, calls, options)
  if (id === null) throw new Error(`Nothing was proposed: ${JSON.stringify(tools.steps)}`)
  return readProposal(person, id)
}

/** Calls tools in one answer, also if some of them fail. Returns the tools and the id of the proposal; null if there is none. */
export async function runAnswer(
  app: TestApp,
  person: Person,
  calls: readonly ToolCall[],
  { allowedChanges = [], mayApply = true }: Options = {},
): Promise<{ tools: TestTools; id: string | null }> {
  const answer = await addAnswer(app, person, allowedChanges)
  const tools = openTools(app, person, { allowedChanges })
  for (const [name, input] of calls) await tools.call(name, input)
  const id = await saveProposal(app.context, app.router, callerFor(person.id), Object.assign(tools.toolState, answer), { mayApply })
  return { tools, id }
}

export const readProposal = async (person: Person, id: string): Promise<Proposal> =>
  (await person.send({ url: `/api/proposals/${id}` })).json()

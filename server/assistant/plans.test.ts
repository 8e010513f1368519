// The list of conversations and its search use indexes, also with many long conversations.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { callerFor, type Caller } from '#server/platform/database/transaction.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs } from '#server/testing/people.ts'
import { isScan, openPlans, type Plans } from '#server/testing/plans.ts'
import { readHistory } from './answers/history.ts'
import { readConversations } from './conversations.store.ts'
import { readMessages } from './messages/messages.store.ts'

const conversationCount = 2000
const messageCount = 20

let app: TestApp
let plans: Plans
let caller: Caller
let conversation: string
beforeAll(async () => {
  app = await openTestApp()
  for (const name of ['ada', 'grace'] as const) {
    const { id } = await signInAs(app, name)
    caller = callerFor(id)
    await app.tableOwner.query(
      `insert into conversations (user_id, title) select $1, 'Question ' || md5(n::text) from generate_series(1, $2::int) n`,
      [id, conversationCount],
    )
    await app.tableOwner.query(
      `insert into messages (user_id, conversation_id, number, role, content)
       select $1, c.id, n, 'user', md5(c.id::text || n) || ' ' || md5(n || c.id::text) from conversations c, generate_series(1, $2::int) n where c.user_id = $1`,
      [id, messageCount],
    )
  }
  const { rows } = await app.tableOwner.query<{ id: string }>('select id from conversations where user_id = $1 limit 1', [caller.owner])
  conversation = rows[0]?.id ?? ''
  await app.tableOwner.query('vacuum analyze conversations, messages, proposals, message_files')
  plans = await openPlans(app)
}, 120_000)
afterAll(async () => {
  await plans.stop()
  await app.stop()
})
beforeEach(() => plans.clear())

/** Returns how many rows of messages were read. */
const countReadMessages = (): number =>
  plans
    .readNodes()
    .filter((node) => isScan(node) && node['Relation Name'] === 'messages')
    .reduce((sum, node) => sum + (node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 1) + (node['Rows Removed by Filter'] ?? 0), 0)

test('the list reads one message of each conversation', async () => {
  const { rows } = await plans.database.read(caller, () => readConversations(caller.owner, { search: '', limit: 50 }, new Date()))
  expect(rows).toHaveLength(50)
  expect(countReadMessages()).toBeLessThanOrEqual(conversationCount)
})

test('a search finds messages with the index of their words', async () => {
  const search = { search: 'abcde', limit: 50 }
  await plans.database.read(caller, () => readConversations(caller.owner, search, new Date()))
  expect(plans.readIndexNames()).toEqual(expect.arrayContaining(['messages_search']))
})

test('a conversation is read with the index of its messages', async () => {
  await plans.database.read(caller, () => readMessages(caller.owner, conversation, { limit: 10 }))
  await plans.database.read(caller, () => readHistory(caller.owner, conversation, messageCount))
  expect(countReadMessages()).toBeLessThan(3 * messageCount) // for both reads; the table has 80,000 messages
})

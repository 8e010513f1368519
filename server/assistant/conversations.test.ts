import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '#server/platform/database/uuid.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { cleanLater } from '#server/testing/cleaning.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { readLabel, recordsOf, undo } from '#server/testing/records.ts'
import { readOwnedRows } from '#server/testing/rows.ts'

let app: TestApp
let ada: Person
let conversations: ReturnType<typeof recordsOf>
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  conversations = recordsOf(ada, '/api/conversations')
})

type Message = { number: number; content: string; age?: string; state?: string; isReplaced?: boolean }

/** Adds a message that was sent `age` ago, such as `1 day`, and returns its id. */
async function addMessage(
  conversation: string,
  { number, content, age = '0', state = 'done', isReplaced = false }: Message,
): Promise<string> {
  const id = newId()
  await app.tableOwner.query(
    `insert into messages (user_id, conversation_id, id, number, role, content, state, is_replaced, created_at, heartbeat_at)
     values ($1, $2, $3, $4, 'user', $5, $6, $7, now() - $8::interval, now() - $8::interval)`,
    [ada.id, conversation, id, number, content, state, isReplaced, age],
  )
  return id
}

const listTitles = async (query: Record<string, string> = {}): Promise<unknown[]> =>
  (await conversations.listAll(query)).map(({ title }) => title)

test('the list shows the conversation with the newest message first, also over several pages', async () => {
  const [shelves, oak, empty] = await Promise.all(['Shelves', 'Oak', 'Empty'].map((title) => conversations.add({ title })))
  await addMessage(String(shelves?.id), { number: 1, content: 'Which shelves?', age: '1 day' })
  await addMessage(String(oak?.id), { number: 1, content: 'Which oak?', age: '3 days' })
  await addMessage(String(oak?.id), { number: 2, content: 'This oak.', age: '2 days' })
  expect(await listTitles()).toEqual(['Empty', 'Shelves', 'Oak'])
  expect(await listTitles({ limit: '1' })).toEqual(['Empty', 'Shelves', 'Oak'])
  await addMessage(String(oak?.id), { number: 3, content: 'And which ash?' })
  expect(await listTitles({ limit: '2' })).toEqual(['Oak', 'Empty', 'Shelves'])
  expect((await conversations.list()).rows.at(1)).toMatchObject({ id: empty?.id, last_message_at: empty?.['created_at'] })
})

test('a search finds conversations by all words of the title or of one message, and not by replaced messages', async () => {
  const { id } = await conversations.add({ title: 'Offene Geschäfte' })
  await addMessage(id, { number: 1, content: 'Wer braucht Regale aus Eiche?' })
  await addMessage(id, { number: 2, content: 'Quillstone wants walnut.', isReplaced: true })
  await conversations.add({ title: 'Other' })
  const found = ['geschäfte', 'geschaefte offene', 'eiche REGALE', 'ch']
  const missed = ['walnut', 'eiche geschäfte', 'xyz', '%']
  for (const search of found) expect(await listTitles({ search }), search).toEqual(['Offene Geschäfte'])
  for (const search of missed) expect(await listTitles({ search }), search).toEqual([])
})

test('a conversation is being answered while its newest message is written, and not when nothing was stored for ten seconds', async () => {
  const [quick, stuck] = await Promise.all(['Quick', 'Stuck'].map((title) => conversations.add({ title })))
  await addMessage(String(quick?.id), { number: 1, content: '', state: 'streaming' })
  await addMessage(String(stuck?.id), { number: 1, content: '', state: 'streaming', age: '11 seconds' })
  const { rows } = await conversations.list()
  expect(rows.map(({ title, is_answering }) => [title, is_answering])).toEqual([
    ['Quick', true],
    ['Stuck', false],
  ])
})

test('a conversation is renamed and deleted, and undo brings it back with its messages', async () => {
  const { id, version } = await conversations.add({ title: 'Quiet deals' })
  const message = await addMessage(id, { number: 1, content: 'Which deals are quiet?' })
  const renaming = await conversations.patch(id, { title: ' Deals of November ', version })
  expect(renaming.json()).toMatchObject({ title: 'Deals of November', allowed_changes: [] })
  expect(await readLabel(ada, renaming)).toBe('Updated conversation')
  const deletion = await conversations.remove(id)
  expect([deletion.statusCode, await readLabel(ada, deletion), await listTitles()]).toEqual([204, 'Deleted 1 conversation', []])
  expect((await ada.send({ url: '/api/trash' })).json().rows).toMatchObject([{ id, title: 'Deals of November' }])

  await app.runSchedule('unneeded messages')
  await undo(ada, deletion)
  expect(await listTitles({ search: 'quiet' })).toEqual(['Deals of November'])
  expect((await app.tableOwner.query('select id from messages where user_id = $1', [ada.id])).rows).toEqual([{ id: message }])
})

/** Adds a message that has a file and a proposal. */
async function addMessageWithRows(conversation: string): Promise<void> {
  const message = await addMessage(conversation, { number: 1, content: 'Which deals are quiet?' })
  await app.tableOwner.query(
    `insert into message_files (user_id, message_id, file_name, mime_type, file_size, bytes) values ($1, $2, 'a', 'text/plain', 1, 'a')`,
    [ada.id, message],
  )
  await app.tableOwner.query('insert into proposals (user_id, conversation_id, message_id) values ($1, $2, $3)', [
    ada.id,
    conversation,
    message,
  ])
}

/** Counts the messages, their files and their proposals. */
async function countRows(): Promise<(number | undefined)[]> {
  const rows = await readOwnedRows(app, ada.id)
  return ['messages', 'message_files', 'proposals'].map((table) => rows[table]?.length)
}

test('the messages of a deleted conversation are deleted after thirty days, with their files and proposals', async () => {
  const { id } = await conversations.add({ title: 'Quiet deals' })
  await addMessageWithRows(id)
  const deletion = await conversations.remove(id)
  await cleanLater(app, 'unneeded messages', 29)
  await undo(ada, deletion)
  expect([await listTitles(), await countRows()]).toEqual([['Quiet deals'], [1, 1, 1]])
  await conversations.remove(id)
  await cleanLater(app, 'unneeded messages', 31)
  expect(await countRows()).toEqual([0, 0, 0])
})

test('the messages of a conversation erased from the trash are deleted by a schedule, with their files and proposals', async () => {
  const { id } = await conversations.add({ title: 'Quiet deals' })
  await addMessageWithRows(id)
  await conversations.remove(id)
  expect((await ada.send({ method: 'DELETE', url: `/api/trash/${id}` })).statusCode).toBe(204)
  await app.runSchedule('unneeded messages')
  expect(await countRows()).toEqual([0, 0, 0])
})

test('replaced messages are deleted after thirty days', async () => {
  const { id } = await conversations.add({ title: 'Quiet deals' })
  const texts = await Promise.all([
    addMessage(id, { number: 1, content: 'old', age: '31 days' }),
    addMessage(id, { number: 2, content: 'old and replaced', age: '31 days', isReplaced: true }),
    addMessage(id, { number: 3, content: 'replaced', isReplaced: true }),
  ])
  await app.runSchedule('unneeded messages')
  const { rows } = await app.tableOwner.query('select id from messages where user_id = $1 order by number', [ada.id])
  expect(rows.map((row) => row.id)).toEqual([texts[0], texts[2]])
})

test.each([
  [{ allowed_changes: ['delete deal'] }, 'allowed_changes.0'], // a deletion always needs a confirmation
  [{ allowed_changes: ['update planet'] }, 'allowed_changes.0'],
  [{ title: ' ' }, 'title'],
  [{ title: 'x'.repeat(201) }, 'title'],
])('the edit %j is refused with a message for %s', async (fields, refusedField) => {
  const { id } = await conversations.add({ title: 'Quiet deals' })
  const response = await conversations.patch(id, fields)
  expect([response.statusCode, response.json().fields[refusedField] !== undefined]).toEqual([422, true])
})

test('the kinds of changes that need no confirmation are stored, and undo removes them', async () => {
  const { id } = await conversations.add({ title: 'Quiet deals' })
  const response = await conversations.patch(id, { allowed_changes: ['update deal', 'tag contact'] })
  expect(response.json()).toMatchObject({ allowed_changes: ['update deal', 'tag contact'] })
  await undo(ada, response)
  expect(await conversations.get(id)).toMatchObject({ allowed_changes: [] })
})

test('a cursor of another list is refused', async () => {
  const cursor = Buffer.from(JSON.stringify(['Ada', newId()])).toString('base64url')
  expect((await conversations.query('', { after: cursor })).json().fields).toHaveProperty('after')
})

test('when the use of the record quota is measured again, the messages of the owner count', async () => {
  const readBytes = async (): Promise<number> => {
    await app.tableOwner.query('select app.correct_record_use($1)', [ada.id])
    return (
      (await app.tableOwner.query<{ bytes: string }>('select bytes from record_use where user_id = $1', [ada.id])).rows.map(({ bytes }) =>
        Number(bytes),
      )[0] ?? 0
    )
  }
  const { id } = await conversations.add({ title: 'Quiet deals' })
  const before = await readBytes()
  await addMessage(id, { number: 1, content: Array.from({ length: 3000 }, () => newId()).join(' ') })
  expect(await readBytes()).toBeGreaterThan(before + 50_000)
})

// Files in answers: they can be downloaded and saved to Files, and count towards the space of the account.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Message } from '#contract/assistant.ts'
import { openTestAppWithAi } from '#server/testing/ai-app.ts'
import type { AiServer } from '#server/testing/ai-server.ts'
import type { TestApp } from '#server/testing/app.ts'
import { talkAs } from '#server/testing/assistant.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { readLabel, recordsOf, undo } from '#server/testing/records.ts'
import { unzip } from '#server/testing/zip.ts'

let app: TestApp
let ai: AiServer
let ada: Person
let talk: ReturnType<typeof talkAs>
beforeAll(async () => {
  ;({ app, ai } = await openTestAppWithAi())
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  talk = talkAs(ada)
})

const htmlBlock = `base64-file:offer.html|text/html|x|${Buffer.from('<script>alert(1)</script>').toString('base64')}`

/** Lets the model answer with these pieces, and returns the answer. */
async function answerWith(pieces: readonly string[]): Promise<Message> {
  ai.setRespond(() => [{ text: pieces }])
  const { answer } = await talk.send(await talk.begin(), 'Write the offer')
  return talk.waitForEnd(answer.id)
}

test('a file in the text of the model becomes a sentence and a file, which a browser downloads and never shows', async () => {
  const { content, files } = await answerWith(['Here: ', htmlBlock.slice(0, 30), htmlBlock.slice(30), '\nDone.'])
  expect(content).toBe('Here: File "offer.html" is ready for download.\nDone.')
  expect(files).toMatchObject([{ file_name: 'offer.html', mime_type: 'text/html', file_size: 25 }])
  const response = await ada.send({ url: `/api/message-files/${files[0]?.id}/content` })
  expect([response.body, response.headers['content-type'], response.headers['content-disposition']]).toEqual([
    '<script>alert(1)</script>',
    'application/octet-stream',
    'attachment; filename=offer.html',
  ])
  const grace = await signInAs(app, 'grace')
  expect((await grace.send({ url: `/api/message-files/${files[0]?.id}/content` })).statusCode).toBe(404)
})

test('a large file and a range of it are sent as they are', async () => {
  const bytes = randomBytes(600_000)
  const { files } = await answerWith([`base64-file:large.bin|a/b|x|${bytes.toString('base64')}`])
  const url = `/api/message-files/${files[0]?.id}/content`
  expect((await ada.send({ url })).rawPayload.equals(bytes)).toBe(true)
  const { rawPayload } = await ada.send({ url, headers: { range: 'bytes=262000-599998' } })
  expect(rawPayload.equals(bytes.subarray(262_000, 599_999))).toBe(true)
})

test('the model does not get the bytes of its files back with the next message', async () => {
  ai.setRespond(() => htmlBlock)
  const conversation = await talk.begin()
  const { answer } = await talk.send(conversation, 'Write the offer')
  await talk.waitForEnd(answer.id)
  ai.setRespond(() => 'You are welcome.')
  const next = await talk.send(conversation, 'Thanks')
  await talk.waitForEnd(next.answer.id)
  const sent = JSON.stringify(ai.requests.at(-1)?.body.messages)
  expect(sent).toContain('is ready for download')
  expect(sent).not.toContain('base64-file')
})

test('the model makes a file with a tool', async () => {
  ai.setRespond(({ toolResults }) =>
    toolResults.length > 0
      ? 'Your table is ready.'
      : [{ calls: [{ name: 'make_file', input: { file_name: '../new.csv', mime_type: 'text/csv', text: 'name\nAda' } }] }],
  )
  const { answer } = await talk.send(await talk.begin(), 'Make a table')
  const { content, files } = await talk.waitForEnd(answer.id)
  expect(content).toBe('Your table is ready.')
  expect(files).toMatchObject([{ file_name: 'new.csv', mime_type: 'text/csv', file_size: 8 }])
  expect((await ada.send({ url: `/api/message-files/${files[0]?.id}/content` })).body).toBe('name\nAda')
})

test('a file is saved to a folder under a free name as one change, and undo removes it again', async () => {
  const { files } = await answerWith([htmlBlock])
  const folder = (await ada.send({ method: 'POST', url: '/api/folders', payload: { name: 'Offers' } })).json()
  const save = () => talk.post(`/api/message-files/${files[0]?.id}/save`, { folder_id: folder.id })
  const first = await save()
  const second = await save()
  expect([first.statusCode, await readLabel(ada, first)]).toEqual([201, 'Saved 1 file'])
  expect(first.json()).toMatchObject({ file_name: 'offer.html', folder_id: folder.id, is_ai_generated: true, file_size: 25 })
  expect(second.json()).toMatchObject({ file_name: 'offer (2).html' })
  expect((await ada.send({ url: `/api/files/${first.json().id}/content` })).body).toBe('<script>alert(1)</script>')
  await undo(ada, second)
  expect((await recordsOf(ada, '/api/files').list()).rows.map((row) => row['file_name'])).toEqual(['offer.html'])
  const missing = await talk.post(`/api/message-files/${files[0]?.id}/save`, { folder_id: '01930000-0000-7000-8000-00000000ffff' })
  expect(missing.statusCode).toBe(404)
})

test('files and changes for which the account has no space are refused with a sentence, and the answers keep their text', async () => {
  await app.tableOwner.query(
    'insert into record_use (user_id, id, bytes) values ($1, $1, $2) on conflict (user_id, id) do update set bytes = excluded.bytes',
    [ada.id, app.context.settings.recordQuotaBytes - 200_000],
  )
  const big = `base64-file:big.bin|a/b|x|${Buffer.alloc(1_000_000, 1).toString('base64')}`
  const { content, files, problem, state } = await answerWith(['Here: ', big, '\nDone.'])
  expect(files).toEqual([])
  const sentence = 'File "big.bin" could not be stored. The account may have no space left.'
  expect([content, state, problem]).toEqual([`Here: ${sentence}\nDone.`, 'done', ''])

  const records = Array.from({ length: 100 }, () => ({ title: 'Call', description: randomBytes(2000).toString('hex') }))
  const proposing = { calls: [{ name: 'propose_create', input: { kind: 'task', records } }], style: 'whole' as const }
  ai.setRespond(({ toolResults }) => (toolResults.length > 0 ? 'Please confirm.' : [proposing]))
  const { answer } = await talk.send(await talk.begin(), 'Plan the calls')
  expect(await talk.waitForEnd(answer.id)).toMatchObject({
    content: 'Please confirm.',
    state: 'interrupted',
    problem: 'The proposed changes could not be stored. The account may have no space left.',
    proposal_id: null,
  })
})

async function downloadEverything(): Promise<Awaited<ReturnType<typeof unzip>>> {
  const prepared = await talk.post('/api/takeout', { password: 'engine no. 1' })
  return unzip((await ada.send({ url: prepared.json().url })).rawPayload)
}

test('the download of everything contains conversations, messages and the files of answers', async () => {
  const { files, content } = await answerWith([htmlBlock])
  const zip = await downloadEverything()
  expect(String(zip.get(`files of answers/${files[0]?.id}/offer.html`))).toBe('<script>alert(1)</script>')
  expect(JSON.parse(String(zip.get('conversations.json')))).toMatchObject([{ title: 'Quiet deals' }])
  const messages: Message[] = JSON.parse(String(zip.get('messages.json')))
  expect(messages.map((message) => `${message.role}: ${message.content}`).toSorted()).toEqual([
    `assistant: ${content}`,
    'user: Write the offer',
  ])
  expect(JSON.parse(String(zip.get('message_files.json')))).toMatchObject([{ file_name: 'offer.html' }])
})

test('the download of everything has names that every system can unpack, and no files of deleted conversations', async () => {
  const { files } = await answerWith([htmlBlock.replace('offer.html', 'offer: new?.html')])
  const path = `files of answers/${files[0]?.id}/offer_ new_.html`
  expect([...(await downloadEverything()).keys()].filter((each) => each.includes('/'))).toEqual([path])
  const [{ id } = { id: '' }] = (await recordsOf(ada, '/api/conversations').list()).rows
  await recordsOf(ada, '/api/conversations').remove(id)
  expect([...(await downloadEverything()).keys()].filter((each) => each.includes('/'))).toEqual([])
})

// The text of files: what is read from each type, and how it is kept with the stored object.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { createPdf } from '#server/testing/documents.ts'
import { addFile, waitForText } from '#server/testing/files.ts'
import { signInAs, type Person } from '#server/testing/people.ts'

let app: TestApp
let ada: Person
beforeAll(async () => {
  app = await openTestApp()
  ada = await signInAs(app, 'ada')
})
afterAll(() => app.stop())

const readText = async (file_name: string, bytes: Buffer) => waitForText(ada, await addFile(ada, { file_name }, bytes))

test('a PDF has its text page by page', async () => {
  const { state, reason, text, pages } = await readText('letter.pdf', createPdf(['First page', '', 'Third page']))
  expect([state, reason]).toEqual(['ready', null])
  const [first = 0, second = 0, third = 0] = pages ?? []
  expect(pages).toHaveLength(3)
  expect([text.slice(first, second), text.slice(third)].map((page) => page.trim())).toEqual(['First page', 'Third page'])
})

describe('plain text', () => {
  const polish = 'Zażółć gęślą jaźń, był w Łodzi'
  const german = 'Größe: 20 m³, Preis 5 €'
  const encode = (text: string, table: Readonly<Record<string, number>>): Buffer =>
    Buffer.from(Array.from(text, (character) => table[character] ?? character.charCodeAt(0)))
  const windows1250 = { ż: 0xbf, ó: 0xf3, ł: 0xb3, ć: 0xe6, ę: 0xea, ś: 0x9c, ą: 0xb9, ź: 0x9f, ń: 0xf1, Ł: 0xa3 }
  const windows1252 = { ö: 0xf6, ß: 0xdf, '³': 0xb3, '€': 0x80 }
  const czech = { ř: 0xf8, í: 0xed, š: 0x9a, t: 0x74, ě: 0xec }

  test.each([
    ['UTF-8', Buffer.from(polish), polish],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${polish}`), polish],
    ['UTF-16 little-endian', Buffer.from(`\uFEFF${polish}`, 'utf16le'), polish],
    ['UTF-16 big-endian', Buffer.from(`\uFEFF${polish}`, 'utf16le').swap16(), polish],
    ['UTF-16 without a byte order mark', Buffer.from('Offer of May', 'utf16le'), 'Offer of May'],
    ['windows-1250', encode(polish, windows1250), polish],
    ['windows-1250, Czech', encode('příště', czech), 'příště'],
    ['windows-1252', encode(german, windows1252), german],
  ])('is read in %s', async (_encoding, bytes, text) => {
    expect(await readText('list.csv', bytes)).toEqual({ state: 'ready', reason: null, text, is_cut: false, pages: null })
  })

  test('accents that are separate characters are composed, and characters that cannot be stored are removed', async () => {
    expect((await readText('mac.txt', Buffer.from('Ko\u0308ln So\u00ADft'))).text).toBe('Köln Soft')
  })

  test('10 million characters are cut at one million', async () => {
    const { text, is_cut } = await readText('log.txt', Buffer.from('line of a log\n'.repeat(600_000)))
    expect([text.length, is_cut]).toEqual([1_000_000, true])
  })
})

test.each([
  ['empty.txt', Buffer.alloc(0), 'no_text'],
  ['spaces.txt', Buffer.from(' \n '), 'no_text'],
  ['scan.pdf', createPdf(['']), 'no_text'],
  ['cut.pdf', Buffer.from('%PDF-1.4\nnothing'), 'damaged'],
  ['text.pdf', Buffer.from('This is not a PDF'), 'damaged'],
  ['video.mp4', Buffer.from('0000001866747970', 'hex'), 'unsupported'],
  ['letter.rtf', Buffer.from('{\\rtf1 text}'), 'unsupported'],
])('%s has no text, and the file says why', async (name, bytes, reason) => {
  const file = await addFile(ada, { file_name: name }, bytes)
  expect(await waitForText(ada, file)).toMatchObject({ state: 'failed', reason, text: '' })
  const row = (await ada.send({ url: `/api/files/${file.id}` })).json()
  expect([row.text_state, row.text_reason, row.has_thumbnail]).toEqual(['failed', reason, false])
})

describe('files without a text', () => {
  let grace: Person
  beforeAll(async () => {
    grace = await signInAs(app, 'grace')
  })
  const addFileWithoutText = async () => {
    const file = await addFile(grace, { file_name: 'old.txt' }, Buffer.from('an old text'))
    await waitForText(grace, file)
    await app.tableOwner.query('delete from object_texts where user_id = $1', [grace.id])
    return file
  }

  test('from before there were texts get theirs from the schedule', async () => {
    const file = await addFileWithoutText()
    expect((await grace.send({ url: `/api/files/${file.id}/text` })).json()).toMatchObject({ state: 'waiting', text: '', pages: null })
    await app.runSchedule('texts of files')
    expect(await waitForText(grace, file)).toMatchObject({ text: 'an old text' })
  })

  test('whose job was lost get theirs a day later', async () => {
    const file = await addFileWithoutText()
    await app.tableOwner.query('insert into object_texts (user_id, id) select user_id, id from stored_objects where user_id = $1', [
      grace.id,
    ])
    await app.runSchedule('texts of files')
    expect((await grace.send({ url: `/api/files/${file.id}/text` })).json()).toMatchObject({ state: 'waiting' })
    await app.runSchedule('texts of files', new Date(Date.now() + 25 * 60 * 60 * 1000))
    expect(await waitForText(grace, file)).toMatchObject({ text: 'an old text' })
  })
})

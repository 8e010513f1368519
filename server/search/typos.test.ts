// The search for typos costs more than all other searches. It runs only for some searches, and exact hits are returned even if it exceeds
// its time limit.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Hit } from '#contract/search.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf } from '#server/testing/records.ts'

let app: TestApp
let ada: Person
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
})

const search = (text: string) => ada.send({ url: `/api/search?${new URLSearchParams({ search: text }).toString()}` })
const addCompany = (name: string) => recordsOf(ada, '/api/companies').add({ name })
/**
 * Whether a search for the text also searches for typos. During the search the application has no right to call the function for typos, so
 * that a request that calls it fails.
 */
const looksForTypos = async (text: string): Promise<boolean> => {
  await app.tableOwner.query('revoke execute on function app.misspellings(text) from foyer_app')
  const { statusCode } = await search(text)
  await app.tableOwner.query('grant execute on function app.misspellings(text) to foyer_app')
  return statusCode !== 200
}

test.each([
  ['a word of five letters', 'quill'],
  ['a word of twenty letters', 'quillstonequillstone'],
  ['three long words', 'quillstone dental harbour'],
  ['three long words and short words', 'quillstone dental harbour and co'],
  ['one long word many times', 'quillstoneharbour '.repeat(11).trim()],
])('a search for %s also searches for typos: %s', async (_name, text) => {
  expect(await looksForTypos(text)).toBe(true)
})

test.each([
  ['a word of four letters', 'anna'],
  ['a word of 21 letters', 'quillstonequillstoneq'],
  ['a very long word', 'xqzwvut'.repeat(28)],
  ['four long words', 'quillstone dental harbour bakery'],
  ['words of more than twenty letters', 'abcdefghijklmnopqrstuvw '.repeat(8).trim()],
  ['eight long words', Array.from({ length: 8 }, (_, index) => `harbourside${'abcdefgh'[index]}`).join(' ')],
])('a search for %s does not search for typos: %s', async (_name, text) => {
  expect(await looksForTypos(text)).toBe(false)
})

test('a search of a very long word or of many words finds exact matches', async () => {
  const longWord = 'xqzwvut'.repeat(28)
  const { id } = await addCompany(longWord)
  expect((await search(longWord)).json<{ hits: Hit[] }>().hits).toMatchObject([{ id }])
  const words = 'quillstone dental harbour bakery partners holding northern counties'
  const other = await addCompany(words)
  expect((await search(words)).json<{ hits: Hit[] }>().hits).toMatchObject([{ id: other.id }])
})

test('when the search for typos exceeds its time limit, the response has the exact hits', async () => {
  const { id } = await addCompany('Quillstone')
  await addCompany('Quillstome')
  const { rows } = await app.tableOwner.query<{ definition: string }>(
    `select pg_get_functiondef('app.misspellings(text)'::regprocedure) as definition`,
  )
  await app.tableOwner
    .query(`create or replace function app.misspellings(word text) returns text[] language plpgsql immutable strict parallel safe as
    $$ begin perform pg_sleep(30); return array[word]; end $$`)
  const response = await search('quillstone')
  await app.tableOwner.query(rows[0]?.definition ?? '')
  expect(response.statusCode, response.body).toBe(200)
  expect(response.json<{ hits: Hit[] }>().hits).toMatchObject([{ id }])
  // with the original function the search also finds the company with the typo
  await expect.poll(async () => (await search('quillstone')).json<{ hits: Hit[] }>().hits.length).toBe(2)
})

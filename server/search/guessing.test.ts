// Searching for typos costs more than all other searches, so it is limited, and exact hits are returned even if it fails.
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
const isGuessed = async (text: string): Promise<boolean> => {
  await app.owner.query('revoke execute on function app.misspellings(text) from foyer_app')
  const { statusCode } = await search(text)
  await app.owner.query('grant execute on function app.misspellings(text) to foyer_app')
  return statusCode !== 200
}

test.each([
  ['quill', true],
  ['quillstonequillstone', true],
  ['quillstone dental harbour', true],
  ['quillstone dental harbour and co', true],
  ['anna', false],
  ['quillstonequillstoneq', false],
  ['xqzwvut'.repeat(28), false],
  ['quillstone dental harbour bakery', false],
  ['abcdefghijklmnopqrstuvw '.repeat(8).trim(), false],
  ['quillstoneharbour '.repeat(11).trim(), true],
  [Array.from({ length: 8 }, (_, at) => `harbourside${'abcdefgh'[at]}`).join(' '), false],
])('typos in %j are searched for: %j', async (text, expected) => {
  expect(await isGuessed(text)).toBe(expected)
})

test('a very long word and many words are found exactly', async () => {
  const long = 'xqzwvut'.repeat(28)
  const { id } = await addCompany(long)
  expect((await search(long)).json<{ hits: Hit[] }>().hits).toMatchObject([{ id }])
  const words = 'quillstone dental harbour bakery partners holding northern counties'
  const other = await addCompany(words)
  expect((await search(words)).json<{ hits: Hit[] }>().hits).toMatchObject([{ id: other.id }])
})

test('when the search for typos takes too long, the response has the other hits', async () => {
  const { id } = await addCompany('Quillstone')
  await addCompany('Quillstome')
  const { rows } = await app.owner.query<{ definition: string }>(
    `select pg_get_functiondef('app.misspellings(text)'::regprocedure) as definition`,
  )
  await app.owner
    .query(`create or replace function app.misspellings(word text) returns text[] language plpgsql immutable strict parallel safe as
    $$ begin perform pg_sleep(30); return array[word]; end $$`)
  const response = await search('quillstone')
  await app.owner.query(rows[0]?.definition ?? '')
  expect(response.statusCode, response.body).toBe(200)
  expect(response.json<{ hits: Hit[] }>().hits).toMatchObject([{ id }])
  await expect.poll(async () => (await search('quillstone')).json<{ hits: Hit[] }>().hits.length).toBe(2)
})

// Searches of digits and separators, in the lists and in the command palette: they may be parts of phone numbers or of titles.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Hit } from '#contract/search.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { addFile } from '#server/testing/files.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf } from '#server/testing/records.ts'

const titleFields = { contacts: 'last_name', companies: 'name', deals: 'title', tasks: 'title', folders: 'name', files: 'file_name' }

let app: TestApp
let ada: Person
beforeAll(async () => {
  app = await openTestApp()
  ada = await signInAs(app, 'ada', 'GB')
  await add('contacts', { first_name: 'Anna', last_name: 'Müller', phone: '+44 20 7946 0118' })
  await add('contacts', { first_name: 'Jean', last_name: 'Lefèvre', mobile_phone: '06.12.34.56.78' })
  await add('companies', { name: 'Quillstone Dental', phone: '(020) 7946-0999' })
  await add('companies', { name: '1-2-3 Cleaning' })
  await add('deals', { title: 'Invoice 2024-001' })
  await add('deals', { title: 'Offer 000000' })
  await add('tasks', { title: 'Report of 12/2024' })
  await add('tasks', { title: 'Rows 12 34' })
  await add('folders', { name: 'Year 2023/24' })
  await addFile(ada, { file_name: 'Scan 2024-01-15.pdf' })
})
afterAll(() => app.stop())

const add = (kind: keyof typeof titleFields, fields: Record<string, string>) => recordsOf(ada, `/api/${kind}`).add(fields)

/** Returns the titles that the lists find. */
async function findInLists(search: string): Promise<unknown[]> {
  const lists = Object.entries(titleFields).map(async ([kind, field]) => {
    const { rows } = await recordsOf(ada, `/api/${kind}`).list({ search })
    return rows.map((row) => row[field])
  })
  return (await Promise.all(lists)).flat()
}

/** Returns the titles that the command palette finds. */
async function findInPalette(search: string): Promise<string[]> {
  const response = await ada.send({ url: `/api/search?${new URLSearchParams({ search }).toString()}` })
  expect(response.statusCode, response.body).toBe(200)
  return response.json<{ hits: Hit[] }>().hits.map(({ title }) => title)
}

const invoice = 'Invoice 2024-001'
const report = 'Report of 12/2024'
const scan = 'Scan 2024-01-15.pdf'

test.each([
  ['2024-01-15', [scan]],
  ['2024-01', [scan]],
  ['2024-0', [invoice, scan]],
  ['2024-001', [invoice]],
  ['01-15 2024', [scan]],
  ['1-2-3', ['Lefèvre', '1-2-3 Cleaning']], // the phone number has the digits 123
  ['12/2024', [report]],
  ['12 2024', [report]],
  ['2023/24', ['Year 2023/24']],
  ['12 34', ['Lefèvre', 'Rows 12 34']],
  ['34 12', []], // no index finds words of two digits, so they are searched together as the text "34 12"
])('the search %j finds titles with this text: %j', async (search, expected) => {
  expect(await findInLists(search)).toEqual(expected)
  const titles = expected.map((title) => (title === 'Lefèvre' ? 'Jean Lefèvre' : title))
  expect((await findInPalette(search)).toSorted()).toEqual(titles.toSorted())
})

test.each([
  ['+44 20 7946 0118', 'Müller'],
  ['0044 (20) 7946-0118', 'Müller'],
  ['020 7946 0118', 'Müller'],
  ['02079460118', 'Müller'],
  ['46-01.18', 'Müller'],
  ['06 12 34 56 78', 'Lefèvre'],
  ['0612345678', 'Lefèvre'],
  ['12-34/56', 'Lefèvre'],
  ['020-7946 0999', 'Quillstone Dental'],
  ['7946 0999', 'Quillstone Dental'],
])('the search %j finds the phone number of %s, which was stored in another format', async (search, name) => {
  expect(await findInLists(search)).toEqual([name])
  expect(await findInPalette(search)).toEqual([expect.stringContaining(name)])
})

test.each([
  ['000000', ['Offer 000000']],
  ['00000', ['Offer 000000']],
  ['000 000', ['Offer 000000']],
  ['0000000', []],
  ['000001', []],
])('the search %j finds only titles with all of its zeros: %j', async (search, expected) => {
  expect(await findInLists(search)).toEqual(expected)
  expect(await findInPalette(search)).toEqual(expected)
})

test('a search, a count and a bulk edit select the same records', async () => {
  const deals = recordsOf(ada, '/api/deals')
  expect((await deals.query('/count', { search: '2024-001' })).json()).toMatchObject({ count: 1 })
  const response = await deals.post('/bulk/edit', { matching: { search: '2024-001' }, fields: { stage: 'closed-won' } })
  expect(response.statusCode, response.body).toBeLessThan(300)
  expect((await deals.list({ filter: [{ field: 'stage', is: ['closed-won'] }] })).rows).toMatchObject([{ title: invoice }])
})

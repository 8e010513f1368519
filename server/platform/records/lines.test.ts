import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs } from '#server/testing/people.ts'
import { recordsOf } from '#server/testing/records.ts'

let app: TestApp
let companies: ReturnType<typeof recordsOf>
beforeAll(async () => {
  app = await openTestApp()
  companies = recordsOf(await signInAs(app, 'ada'), '/api/companies')
})
afterAll(() => app.stop())

test.each([
  ['Analytical\nEngines', 'Analytical Engines'],
  ['Analytical\r\n\r\nEngines', 'Analytical Engines'],
  ['\n Analytical\tEngines\u0007\n', 'Analytical Engines'],
  ['Analytical\u2028Engines\u0085', 'Analytical Engines'],
  ['Ünïted 山田 👩‍🔧', 'Ünïted 山田 👩‍🔧'],
])('a field of one line stays one line: %j', async (given, kept) => {
  const { id } = await companies.add({ name: given, industry: given, tags: [given] })
  expect(await companies.get(id)).toMatchObject({ name: kept, industry: kept, tags: [kept] })
  expect(await companies.edit(id, { industry: given })).toMatchObject({ industry: kept })
})

test('a text of line breaks only is empty', async () => {
  const answer = await companies.post('', { name: '\n\t\u2029' })
  expect(answer.json().fields).toEqual({ name: 'Enter a name' })
})

test('a multiline text keeps its line breaks', async () => {
  const deals = recordsOf(await signInAs(app, 'ada'), '/api/deals')
  expect(await deals.add({ title: 'Engine', description: 'one\n\ttwo' })).toMatchObject({ description: 'one\n\ttwo' })
})

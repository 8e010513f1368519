// Fields of one line, such as names, cannot contain line breaks. U+2028, U+2029 and U+0085 are line breaks too; U+0007 is a control
// character.
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
])('a field of one line stores line breaks and control characters as single spaces: %j', async (input, stored) => {
  const { id } = await companies.add({ name: input, industry: input, tags: [input] })
  expect(await companies.get(id)).toMatchObject({ name: stored, industry: stored, tags: [stored] })
  expect(await companies.edit(id, { industry: input })).toMatchObject({ industry: stored })
})

test('a text that contains only line breaks counts as empty', async () => {
  const response = await companies.post('', { name: '\n\t\u2029' })
  expect(response.json().fields).toEqual({ name: 'Enter a name' })
})

test('a multiline text keeps its line breaks', async () => {
  const deals = recordsOf(await signInAs(app, 'ada'), '/api/deals')
  expect(await deals.add({ title: 'Engine', description: 'one\n\ttwo' })).toMatchObject({ description: 'one\n\ttwo' })
})

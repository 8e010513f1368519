// The reporting hierarchy has no cycles.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf, undo } from '#server/testing/records.ts'

let app: TestApp
let ada: Person
let contacts: ReturnType<typeof recordsOf>
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  contacts = recordsOf(ada, '/api/contacts')
})

const person = async (name: string, superior?: string): Promise<string> => {
  const { id } = await contacts.add({ first_name: name, last_name: 'Example', reports_to_id: superior ?? null })
  return id
}
/** Adds contacts of whom each reports to the one before. Returns their ids. */
const line = async (length: number): Promise<string[]> => {
  const ids: string[] = []
  while (ids.length < length) ids.push(await person(`Level ${ids.length}`, ids.at(-1)))
  return ids
}
const reportsTo = (id: string, superior: string | null) => contacts.patch(id, { reports_to_id: superior })
const superiorOf = async (id: string) => (await contacts.get(id))['reports_to_id']
const circle = 'This person reports to the contact already, perhaps through others. Choose somebody else.'

test.each([2, 3, 7])('the first of %i cannot report to the last', async (length) => {
  const ids = await line(length)
  const refused = await reportsTo(ids[0] ?? '', ids.at(-1) ?? '')
  expect([refused.statusCode, refused.json().fields]).toEqual([422, { reports_to_id: circle }])
  expect(await superiorOf(ids[0] ?? '')).toBeNull()
  expect((await reportsTo(ids.at(-1) ?? '', ids[0] ?? '')).statusCode).toBe(200)
})

test('a bulk edit cannot create a cycle', async () => {
  const [top = '', middle = '', bottom = ''] = await line(3)
  const other = await person('Other')
  const edit = (ids: string[], superior: string) => contacts.post('/bulk/edit', { ids, fields: { reports_to_id: superior } })
  const refused = await edit([other, top], bottom)
  expect([refused.statusCode, refused.json().fields]).toEqual([422, { 'fields.reports_to_id': circle }])
  expect(await superiorOf(other)).toBeNull()
  expect((await edit([other, bottom, middle, top], top)).statusCode).toBe(204) // the new manager is one of the selected contacts
  expect([await superiorOf(bottom), await superiorOf(other), await superiorOf(top)]).toEqual([top, top, null])
})

test('two simultaneous edits cannot make two contacts the manager of each other', async () => {
  for (let round = 0; round < 10; round++) {
    const [one, other, third] = [await person('One'), await person('Other'), await person('Third')]
    const responses = await Promise.all([reportsTo(one, other), reportsTo(other, third), reportsTo(third, one)])
    expect(responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 200, 422])
  }
})

test('an undo and a restore may create a cycle', async () => {
  const [top = '', middle = '', bottom = ''] = await line(3)
  const removed = await contacts.post('/bulk/delete', { ids: [middle, await person('Stranger')] })
  await reportsTo(top, bottom)
  await undo(ada, removed)
  expect([await superiorOf(middle), await superiorOf(top)]).toEqual([top, bottom])
  const refused = await reportsTo(await person('New'), middle)
  expect(refused.statusCode).toBe(200) // the check ends when there is a cycle already
})

test('a deleted team is restored with its hierarchy', async () => {
  const ids = await line(4)
  const removed = await contacts.post('/bulk/delete', { ids })
  await undo(ada, removed)
  expect(await Promise.all(ids.map(superiorOf))).toEqual([null, ...ids.slice(0, -1)])
})

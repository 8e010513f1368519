// A contact may report to another contact, its manager. Edits must not create cycles in this hierarchy.
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

const addContact = async (name: string, manager?: string): Promise<string> => {
  const { id } = await contacts.add({ first_name: name, last_name: 'Example', reports_to_id: manager ?? null })
  return id
}
/** Adds contacts, each of which reports to the previous one. Returns their ids, the highest manager first. */
const addChain = async (length: number): Promise<string[]> => {
  const ids: string[] = []
  while (ids.length < length) ids.push(await addContact(`Level ${ids.length}`, ids.at(-1)))
  return ids
}
const setManager = (id: string, manager: string | null) => contacts.patch(id, { reports_to_id: manager })
const managerOf = async (id: string) => (await contacts.get(id))['reports_to_id']
const cycleMessage = 'This person reports to the contact already, perhaps through others. Choose somebody else.'

test.each([2, 3, 7])(
  'in a chain of %i contacts the first cannot report to the last, but the last can report to the first',
  async (length) => {
    const ids = await addChain(length)
    const response = await setManager(ids[0] ?? '', ids.at(-1) ?? '')
    expect([response.statusCode, response.json().fields]).toEqual([422, { reports_to_id: cycleMessage }])
    expect(await managerOf(ids[0] ?? '')).toBeNull()
    expect((await setManager(ids.at(-1) ?? '', ids[0] ?? '')).statusCode).toBe(200)
  },
)

test('a bulk edit cannot create a cycle', async () => {
  const [top = '', middle = '', bottom = ''] = await addChain(3)
  const other = await addContact('Other')
  const edit = (ids: string[], manager: string) => contacts.post('/bulk/edit', { ids, fields: { reports_to_id: manager } })
  const response = await edit([other, top], bottom)
  expect([response.statusCode, response.json().fields]).toEqual([422, { 'fields.reports_to_id': cycleMessage }])
  expect(await managerOf(other)).toBeNull()
  expect((await edit([other, bottom, middle, top], top)).statusCode).toBe(204) // the new manager is one of the selected contacts
  expect([await managerOf(bottom), await managerOf(other), await managerOf(top)]).toEqual([top, top, null])
})

test('three simultaneous edits cannot create a cycle of three contacts', async () => {
  for (let round = 0; round < 10; round++) {
    const [one, other, third] = [await addContact('One'), await addContact('Other'), await addContact('Third')]
    const responses = await Promise.all([setManager(one, other), setManager(other, third), setManager(third, one)])
    expect(responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 200, 422])
  }
})

test('an undo may create a cycle of managers, and later edits still work', async () => {
  const [top = '', middle = '', bottom = ''] = await addChain(3)
  const deletion = await contacts.post('/bulk/delete', { ids: [middle, await addContact('Stranger')] })
  await setManager(top, bottom)
  await undo(ada, deletion)
  expect([await managerOf(middle), await managerOf(top)]).toEqual([top, bottom])
  const response = await setManager(await addContact('New'), middle)
  expect(response.statusCode).toBe(200) // the search for cycles ends although there is one already
})

test('the undo of a bulk delete restores the managers of the contacts', async () => {
  const ids = await addChain(4)
  const deletion = await contacts.post('/bulk/delete', { ids })
  await undo(ada, deletion)
  expect(await Promise.all(ids.map(managerOf))).toEqual([null, ...ids.slice(0, -1)])
})

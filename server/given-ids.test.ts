// Ids that the client sets. An id belongs to one record of a workspace, of any kind, as long as its history is kept.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '#server/platform/database/uuid.ts'
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

const bodies = {
  contacts: { first_name: 'Ada', last_name: 'Lovelace' },
  companies: { name: 'Engines' },
  deals: { title: 'Engine' },
  tasks: { title: 'Call' },
}
type Many = keyof typeof bodies
const kinds: Many[] = ['contacts', 'companies', 'deals', 'tasks']
const of = (many: Many, person = ada) => recordsOf(person, `/api/${many}`)
const add = (many: Many, id: string, person = ada) => of(many, person).post('', { id, ...bodies[many] })
const taken = { code: 'invalid', fields: { id: 'This id is taken' } }

test.each(kinds)('%s refuse an id that a record of any kind has', async (many) => {
  for (const other of kinds) {
    const id = newId()
    expect((await add(other, id)).statusCode).toBe(201)
    const refused = await add(many, id)
    expect([refused.statusCode, refused.json()]).toEqual([422, expect.objectContaining(taken)])
  }
})

test('the id of a deleted record is refused until the record is erased', async () => {
  const id = newId()
  await add('companies', id)
  await of('companies').remove(id)
  expect((await add('contacts', id)).json()).toMatchObject(taken)
  expect((await ada.send({ method: 'POST', url: `/api/trash/${id}/restore` })).statusCode).toBe(200)
  expect(await of('companies').get(id)).toMatchObject({ id, name: 'Engines' })
  await of('companies').remove(id)
  await ada.send({ method: 'DELETE', url: `/api/trash/${id}` })
  expect((await add('contacts', id)).statusCode).toBe(201)
})

test('one of several simultaneous requests with the same id succeeds', async () => {
  for (let round = 0; round < 10; round++) {
    const id = newId()
    const responses = await Promise.all([...kinds, ...kinds].map((many) => add(many, id)))
    expect(responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, ...Array.from({ length: 7 }, () => 422)])
  }
})

test('two owners may use the same id', async () => {
  const grace = await signInAs(app, 'grace')
  const id = newId()
  expect((await add('contacts', id)).statusCode).toBe(201)
  expect((await add('companies', id, grace)).statusCode).toBe(201)
})

test.each(kinds)('%s accept ids of version 7 only', async (many) => {
  const refused = await add(many, '7f1c2b5e-93a4-4d6b-8e1f-0a2b3c4d5e6f')
  expect(refused.statusCode).toBe(422)
  expect(refused.json().fields).toEqual({ id: 'Send a UUID of version 7' })
})

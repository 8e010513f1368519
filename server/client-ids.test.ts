// A client may choose the id of a new record. In a workspace, two records of any kind cannot have the same id, not even if one is deleted.
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
type Plural = keyof typeof bodies
const plurals: Plural[] = ['contacts', 'companies', 'deals', 'tasks']
const recordsIn = (plural: Plural, person = ada) => recordsOf(person, `/api/${plural}`)
const add = (plural: Plural, id: string, person = ada) => recordsIn(plural, person).post('', { id, ...bodies[plural] })
const takenIdError = { code: 'invalid', fields: { id: 'This id is taken' } }

test.each(plurals)('a new record of the kind %s is refused if a record of any kind has its id', async (plural) => {
  for (const other of plurals) {
    const id = newId()
    expect((await add(other, id)).statusCode).toBe(201)
    const response = await add(plural, id)
    expect([response.statusCode, response.json()]).toEqual([422, expect.objectContaining(takenIdError)])
  }
})

test('the id of a deleted record is refused until the record is erased', async () => {
  const id = newId()
  await add('companies', id)
  await recordsIn('companies').remove(id)
  expect((await add('contacts', id)).json()).toMatchObject(takenIdError)
  expect((await ada.send({ method: 'POST', url: `/api/trash/${id}/restore` })).statusCode).toBe(200)
  expect(await recordsIn('companies').get(id)).toMatchObject({ id, name: 'Engines' })
  await recordsIn('companies').remove(id)
  await ada.send({ method: 'DELETE', url: `/api/trash/${id}` })
  expect((await add('contacts', id)).statusCode).toBe(201)
})

test('of eight simultaneous requests with the same id only one succeeds', async () => {
  for (let round = 0; round < 10; round++) {
    const id = newId()
    const responses = await Promise.all([...plurals, ...plurals].map((plural) => add(plural, id)))
    expect(responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, ...Array.from({ length: 7 }, () => 422)])
  }
})

test('two owners may use the same id', async () => {
  const grace = await signInAs(app, 'grace')
  const id = newId()
  expect((await add('contacts', id)).statusCode).toBe(201)
  expect((await add('companies', id, grace)).statusCode).toBe(201)
})

test.each(plurals)('a new record of the kind %s is refused if its id is not a UUID of version 7', async (plural) => {
  const idOfVersion4 = '7f1c2b5e-93a4-4d6b-8e1f-0a2b3c4d5e6f'
  const response = await add(plural, idOfVersion4)
  expect(response.statusCode).toBe(422)
  expect(response.json().fields).toEqual({ id: 'Send a UUID of version 7' })
})

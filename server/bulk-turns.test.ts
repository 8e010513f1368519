// What reaches many rows leaves room for everybody else. The table owner holds rows that such work wants, so that it cannot end.
import type { LightMyRequestResponse } from 'fastify'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '#server/platform/database/database.ts'
import { actingAs } from '#server/platform/database/transaction.ts'
import { openTestHouse, type TestHouse } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/cast.ts'

let house: TestHouse
let ada: Person
let grace: Person
let edsger: Person
beforeAll(async () => {
  house = await openTestHouse()
})
afterAll(() => house.stop())
beforeEach(async () => {
  ;[ada, grace, edsger] = await Promise.all([signInAs(house, 'ada'), signInAs(house, 'grace'), signInAs(house, 'edsger')])
  await Promise.all([ada, grace, edsger].map(addContacts))
})

const addContacts = ({ id }: Person): Promise<unknown> =>
  house.database.transaction(actingAs(id), 'Imported', () =>
    sql(`insert into crm_contacts (user_id, first_name) select $1, 'Number ' || n from generate_series(1, 300) n`, [id]),
  )

type Answer = Promise<LightMyRequestResponse>
const post = (person: Person, url: string, payload: object): Answer => person.ask({ method: 'POST', url, payload })
const matching = { search: 'number' }
const edit = (person: Person): Answer => post(person, '/api/contacts/bulk/edit', { matching, fields: { department: `${Math.random()}` } })
const tag = (person: Person): Answer => post(person, '/api/contacts/bulk/tag', { matching, add: [`Tag ${Math.random()}`] })
const many = (person: Person, work: (person: Person) => Answer): Answer[] => Array.from({ length: 6 }, () => work(person))

/** Holds the rows of these people until the answer is called. */
async function hold(...people: Person[]): Promise<() => Promise<void>> {
  const client: pg.PoolClient = await house.owner.connect()
  await client.query('begin')
  await client.query('select from crm_contacts where user_id = any($1) for update', [people.map(({ id }) => id)])
  return async () => {
    await client.query('rollback')
    client.release()
  }
}

/** How many connections wait for the rows that are held. */
const stopped = async (): Promise<number> => {
  const { rows } = await house.owner.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and usename = 'foyer_app' and pid in (select pid from pg_locks where not granted)`,
  )
  return rows[0]?.count ?? 0
}

/** Asks small things and waits for all of them. */
async function smallThings(person: Person): Promise<number[]> {
  const added = await post(person, '/api/contacts', { first_name: 'Small', last_name: 'Thing' })
  const url = `/api/contacts/${added.json().id}`
  const answers = [
    added,
    await person.ask({ url: '/api/contacts?search=thing' }),
    await person.ask({ method: 'PATCH', url, payload: { title: 'One' } }),
    await person.ask({ method: 'POST', url: `/api/changes/${String(added.headers['foyer-change'])}/undo` }),
    await post(person, '/api/contacts/bulk/edit', { ids: [await anyIdOf(person)], fields: { title: 'Two' } }),
  ]
  return answers.map(({ statusCode }) => statusCode)
}

async function anyIdOf(person: Person): Promise<string> {
  const { rows } = await house.owner.query<{ id: string }>('select id from crm_contacts where user_id = $1 limit 1', [person.id])
  return rows[0]?.id ?? ''
}

test('while the bulk edits of two people are under way, a third is answered, and nobody waits for long', async () => {
  const release = await hold(ada, grace)
  const bulk = [...many(ada, edit), ...many(grace, edit), ...many(ada, tag), ...many(grace, tag)]
  await expect.poll(stopped).toBe(2)
  expect(await smallThings(edsger)).toEqual([201, 200, 200, 200, 204])
  expect((await ada.ask({ url: '/api/contacts' })).statusCode).toBe(200)
  expect((await post(ada, '/api/companies', { name: 'Engines' })).statusCode).toBe(201)
  expect(await stopped()).toBe(2)
  await release()
  expect((await Promise.all(bulk)).map(({ statusCode }) => statusCode)).toEqual(bulk.map(() => 204))
})

test('one person has one under way at a time, and keeps nobody from theirs', async () => {
  const release = await hold(ada)
  const bulk = many(ada, edit)
  await expect.poll(stopped).toBe(1)
  expect((await edit(grace)).statusCode).toBe(204)
  expect(await stopped()).toBe(1)
  await release()
  expect((await Promise.all(bulk)).map(({ statusCode }) => statusCode)).toEqual(bulk.map(() => 204))
})

test('large undos and deletes take their turn too', async () => {
  const changes = (await Promise.all([ada, grace].flatMap((person) => [edit(person), tag(person)]))).map(({ headers }) =>
    String(headers['foyer-change']),
  )
  const release = await hold(ada, grace)
  const undo = (person: Person, change = ''): Answer => person.ask({ method: 'POST', url: `/api/changes/${change}/undo` })
  const bulk = [
    ...[ada, ada, grace, grace].map((person, index) => undo(person, changes[index])),
    ...[ada, grace].flatMap((person) => many(person, (each) => post(each, '/api/contacts/bulk/delete', { matching }))),
  ]
  await expect.poll(stopped).toBe(2)
  expect(await smallThings(edsger)).toEqual([201, 200, 200, 200, 204])
  expect(await stopped()).toBe(2)
  await release()
  await Promise.all(bulk)
})

test('six who delete one record with much behind it hold one connection', async () => {
  const ids = await Promise.all(Array.from({ length: 6 }, () => anyIdOf(ada)))
  const release = await hold(ada)
  const deletes = ids.map((id) => ada.ask({ method: 'DELETE', url: `/api/contacts/${id}` }))
  await expect.poll(stopped).toBe(1)
  expect(await smallThings(edsger)).toEqual([201, 200, 200, 200, 204])
  expect(await stopped()).toBe(1)
  await release()
  expect((await Promise.all(deletes)).map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([204, 404, 404, 404, 404, 404])
})

// Imported cells of a contact, its `raw_data`, may have megabytes, so a batch reads only those values that it may change.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { callerFor } from '#server/platform/database/transaction.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf } from '#server/testing/records.ts'
import { createContactSearch } from './contact-search.ts'
import { matchKeysOf } from './duplicates.ts'
import { storeContacts, type ContactToStore, type StoreMode } from './store-contacts.ts'

const email = 'ada@example.org'
const long = 'x'.repeat(100_000)
const rawData = { Story: long, Size: 'L', Colour: 'blue' }
let app: TestApp
let ada: Person
let id: string
beforeAll(async () => void (app = await openTestApp()))
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  id = (await recordsOf(ada, '/api/contacts').add({ first_name: 'Ada', last_name: 'Example', email })).id
  await app.tableOwner.query('update crm_contacts set raw_data = $2 where id = $1', [id, JSON.stringify(rawData)])
})

const store = (mode: StoreMode, ...list: ContactToStore[]) =>
  app.database.transaction(callerFor(ada.id), 'Stored contacts', () => storeContacts(ada.id, list, mode))
const readContact = () => recordsOf(ada, '/api/contacts').get(id)

test.for([
  ['no value of a list without imported cells', undefined, true, undefined],
  ['only values under the names of the list', { Size: 'M' }, true, { Size: 'L' }],
  ['no value that is longer than those of the list', { Size: 'L', Story: 'short' }, true, { Size: 'L' }],
  ['a value that may be the same', { Story: long }, true, { Story: long }],
  ['longer values too, if values that exist stay', { Story: 'short' }, false, { Story: long }],
] as const)('a search reads %s', async ([, raw_data, skipsLongValues, expected]) => {
  const columns = { email, ...(raw_data && { raw_data }) }
  const keys = { ...matchKeysOf(columns), email_key: email }
  const found = await app.database.read(callerFor(ada.id), () =>
    createContactSearch(ada.id, [{ columns, keys }], skipsLongValues).read('read'),
  )
  expect(found.map((contact) => contact.columns['raw_data'])).toEqual([expected])
})

test('an update keeps the values that were not read', async () => {
  expect(await store('both', { email, title: 'Engineer' })).toEqual([{ status: 'updated', id }])
  expect(await readContact()).toMatchObject({ title: 'Engineer', raw_data: rawData })
  const others = { email: 'bob@example.org', raw_data: { Story: 'short' } }
  expect(await store('both', others, { email, raw_data: { Size: 'M', Shoe: '40' } })).toMatchObject([{}, { status: 'updated', id }])
  expect((await readContact())['raw_data']).toEqual({ ...rawData, Size: 'M', Shoe: '40' })
  expect(await store('both', { email, raw_data: { Story: 'short' } }, { email, raw_data: { Size: 'S' } })).toMatchObject([
    { status: 'updated' },
    { status: 'updated' },
  ])
  const changed = { Story: 'short', Size: 'S', Colour: 'blue', Shoe: '40' }
  expect((await readContact())['raw_data']).toEqual(changed)
  expect(await store('both', { email, raw_data: changed })).toEqual([{ status: 'unchanged', id }])
})

test('strangers cannot replace a long value by a short one', async () => {
  expect(await store('fill', { email, raw_data: { Story: 'short' } })).toEqual([{ status: 'unchanged', id }])
  expect(await store('fill', { email, raw_data: { Story: 'short', Shoe: '40' } })).toEqual([{ status: 'updated', id }])
  expect((await readContact())['raw_data']).toEqual({ ...rawData, Shoe: '40' })
})

// `storeContacts` finds each contact of a list by the duplicate rule (duplicates.ts), and creates or updates it.
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { Batch } from '#server/platform/database/batch.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf } from '#server/testing/records.ts'
import { findDuplicates, matchKeysOf, isDuplicate } from './duplicates.ts'
import { storeContacts, type ContactToStore, type StoreMode, type StoreResult } from './store-contacts.ts'

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

const store = (mode: StoreMode, ...list: ContactToStore[]): Promise<StoreResult[]> =>
  list.length > 50
    ? app.database.longTransaction(callerFor(ada.id), 'Added contacts', 'large', () => storeContacts(ada.id, list, mode))
    : app.database.transaction(callerFor(ada.id), 'Added contacts', () => storeContacts(ada.id, list, mode))
const findOrCreate = (...list: ContactToStore[]): Promise<StoreResult[]> => store('create', ...list)
const person = (first_name: string, more: ContactToStore = {}): ContactToStore => ({ first_name, last_name: 'Example', ...more })
const idOf = (result: StoreResult | undefined): string => (result && 'id' in result ? result.id : '')
const count = async (): Promise<number> => (await contacts.query('/count')).json().count

test('new contacts are created with phone keys and company names, and the same contacts are found the second time', async () => {
  const { id: company_id } = await recordsOf(ada, '/api/companies').add({ name: 'Engines' })
  const inputs = [person('Ada', { email: ' Ada@Example.org ', company_id }), person('Bob', { phone: '+44 20 7946 0118' })]
  const created = await findOrCreate(...inputs)
  expect(created.map(({ status }) => status)).toEqual(['created', 'created'])
  expect(await contacts.get(idOf(created[0]))).toMatchObject({ email: 'Ada@Example.org', company: 'Engines', company_id })
  const secondResults = await findOrCreate(person('Adele', { email: 'ADA@example.org' }), person('bob', { phone: '+44 (20) 7946-0118' }))
  expect(secondResults).toEqual(created.map((result) => ({ ...result, status: 'found' })))
  expect(await count()).toBe(2)
})

test('with `fill` a contact gets only the values that it lacks, and a real name instead of an email', async () => {
  const [existing, unnamed, cher] = await store(
    'both',
    person('Ada', { email: 'ada@example.org', company: 'Engines', tags: ['vip'], raw_data: { page: 'first' } }),
    { email: 'bob@example.org' },
    { first_name: 'Cher', email: 'cher@example.org' },
  )
  const list: ContactToStore[] = [
    {
      first_name: 'Eve',
      email: 'ADA@example.org',
      company: 'Others',
      phone: '+44 20 7946 0118',
      tags: ['web'],
      raw_data: { page: 'x', utm: 'y' },
    },
    { first_name: 'Bob', last_name: 'Noyce', email: 'bob@example.org' },
    { first_name: 'Evil', last_name: 'Twin', email: 'cher@example.org' },
    person('Carl', { email: 'carl@example.org' }),
  ]
  expect((await store('fill', ...list)).map(({ status }) => status)).toEqual(['updated', 'updated', 'unchanged', 'created'])
  expect(await contacts.get(idOf(existing))).toMatchObject({
    first_name: 'Ada',
    email: 'ada@example.org',
    company: 'Engines',
    phone: '+44 20 7946 0118',
    tags: ['vip', 'web'],
    raw_data: { page: 'first', utm: 'y' },
  })
  expect(await contacts.get(idOf(unnamed))).toMatchObject({ first_name: 'Bob', last_name: 'Noyce' })
  expect(await contacts.get(idOf(cher))).toMatchObject({ first_name: 'Cher', last_name: '' })
  expect((await store('fill', ...list)).map(({ status }) => status)).toEqual(Array.from(list, () => 'unchanged'))
})

test('duplicates in a list become one contact, but contacts with the same phone and different emails or names are not duplicates', async () => {
  const phone = '+44 20 7946 0118'
  const results = await findOrCreate(
    person('Ada', { email: 'ada@example.org', phone }),
    person('Bob', { email: 'bob@example.org', phone }),
    person('Ada', { phone }),
    person('Someone', { email: 'ADA@example.org' }),
    person('Carl', { phone }),
  )
  expect(results.map(({ status }) => status)).toEqual(['created', 'created', 'found', 'found', 'created'])
  expect([idOf(results[2]), idOf(results[3])]).toEqual([idOf(results[0]), idOf(results[0])])
  expect(await count()).toBe(3)
})

test('an invalid contact is refused with a message for each invalid field, and the other contacts are created', async () => {
  const results = await findOrCreate(
    person('A'.repeat(101), { email: 'none' }),
    { company: 'Engines' },
    { first_name: '\u200B', last_name: '\u2800' },
    person('Ada', { company_id: newId() }),
    person('Bob', { reports_to_id: newId() }),
    person('Carl'),
  )
  expect(results).toEqual([
    { status: 'refused', fields: { first_name: 'At most 100 characters', email: 'Enter an email like name@example.com' } },
    { status: 'refused', fields: { last_name: 'Enter a name, an email or a phone number' } },
    { status: 'refused', fields: { last_name: 'Enter a name, an email or a phone number' } },
    { status: 'refused', fields: { company_id: 'This company is no longer here' } },
    { status: 'refused', fields: { reports_to_id: 'This contact is no longer here' } },
    { status: 'created', id: expect.any(String) },
  ])
  expect(await count()).toBe(1)
})

test('a contact with text that cannot be stored is refused, and the other contacts are created', async () => {
  const results = await findOrCreate(
    person('Ada'),
    person('Bob\ud800'),
    person('Carl\0'),
    person('Dora', { tags: ['\udfff'] }),
    person('Eve'),
  )
  expect(results.map(({ status }) => status)).toEqual(['created', 'refused', 'refused', 'refused', 'created'])
  expect(results[3]).toMatchObject({ fields: { 'tags.0': 'This text holds characters that cannot be stored' } })
  expect(await count()).toBe(2)
})

test('the deletion of a company waits for the commit of contacts that link to it, and then unlinks them', async () => {
  const companies = recordsOf(ada, '/api/companies')
  const { id: company_id } = await companies.add({ name: 'Engines' })
  const stored = Promise.withResolvers<void>()
  const adding = app.database.longTransaction(callerFor(ada.id), 'Added contacts', 'large', async () => {
    await storeContacts(ada.id, [person('Ada', { company_id }), person('Bob', { company: 'engines' })], 'create')
    stored.resolve()
    await setTimeout(50)
  })
  await stored.promise
  const removal = companies.remove(company_id) // outside of the transaction above, which it would otherwise join
  await adding
  expect((await removal).statusCode).toBe(204)
  const { rows } = await contacts.list({ sort: 'name' })
  expect(rows.map(({ company, company_id: link }) => [company, link])).toEqual([
    ['Engines', null],
    ['Engines', null],
  ])
})

test('a contact with only a last name is created, and a contact without a name gets its email or phone as its name', async () => {
  const results = await findOrCreate({ last_name: 'Lovelace' }, { email: 'ada@example.org' }, { phone: '+44 20 7946 0118' })
  const names = await Promise.all(results.map(async (result) => (await contacts.get(idOf(result))).last_name))
  expect(names).toEqual(['Lovelace', 'ada@example.org', '+44 20 7946 0118'])
})

test('an update replaces values that are not empty, joins tags and raw data, and keeps everything else', async () => {
  const { id } = await contacts.add(
    person('Ada', { email: 'ada@example.org', phone: '+44 20 7946 0118', title: 'Engineer', company: 'Engines', tags: ['vip'] }),
  )
  const [updated] = await store('both', {
    email: 'ADA@example.org',
    title: '',
    phone: '+44 (20) 7946-0118',
    mobile_phone: '+44 7700 900123',
    company: 'Mills',
    tags: ['VIP', 'London'],
    raw_data: { Size: 'L' },
  })
  expect(updated).toEqual({ status: 'updated', id })
  expect(await contacts.get(id)).toMatchObject({
    first_name: 'Ada',
    email: 'ada@example.org',
    phone: '+44 20 7946 0118',
    mobile_phone: '+44 7700 900123',
    title: 'Engineer',
    company: 'Mills',
    tags: ['vip', 'London'],
    raw_data: { Size: 'L' },
    version: 2,
  })
  const same = { email: 'ada@example.org', company: 'Mills', raw_data: { Size: 'L' } }
  expect(await store('both', same)).toEqual([{ status: 'unchanged', id }])
  expect((await contacts.get(id)).version).toBe(2)
  expect(await store('update', same, { email: 'nobody@example.org' })).toEqual([{ status: 'unchanged', id }, { status: 'missing' }])
  expect(await count()).toBe(1)
})

test('contacts that are stored as one list have the same result as contacts that are stored one after the other', async () => {
  const phone = '+44 20 7946 0118'
  const list: ContactToStore[] = [
    person('Ada', { phone }),
    person('Ada', { phone, email: 'ada@example.org' }), // gives the first one an email
    { email: 'ada@example.org', title: 'Engineer' }, // finds it by this email
    person('Ada', { phone, email: 'other@example.org' }), // is another person, because the emails differ; the same phone is then not enough
    person('Ada', { email: 'other@example.org', phone: '+44 20 7946 0119' }), // changes the phone of that person
    person('Ada', { phone }), // finds the first one, who alone has this phone now
    { phone: '+44 20 7946 0119', title: 'Countess' },
  ]
  const expected = ['created', 'updated', 'updated', 'created', 'updated', 'unchanged', 'updated']
  const together = await store('both', ...list)
  expect(together.map(({ status }) => status)).toEqual(expected)
  const readAll = async () => (await contacts.list({ sort: 'email' })).rows.map(({ email, phone: number, title }) => [email, number, title])
  const storedTogether = await readAll()
  ada = await signInAs(app, 'ada')
  contacts = recordsOf(ada, '/api/contacts')
  const oneByOne: StoreResult[] = []
  for (const contact of list) oneByOne.push(...(await store('both', contact)))
  expect(oneByOne.map(({ status }) => status)).toEqual(expected)
  expect(await readAll()).toEqual(storedTogether)
})

test('a contact of another CRM is found by its id there, and keeps this id', async () => {
  const payload = { api_key: 'a-key', check: false }
  const crm_connection_id: string = (await ada.send({ method: 'POST', url: '/api/crm-connections', payload })).json().id
  const [first] = await store('both', person('Ada', { email: 'ada@example.org', external_id: '17', crm_connection_id }))
  const [second] = await store('both', person('Ada', { email: 'ada@lovelace.example', external_id: '17', crm_connection_id }))
  expect(second).toEqual({ status: 'updated', id: idOf(first) })
  expect(await contacts.get(idOf(first))).toMatchObject({ email: 'ada@lovelace.example', external_id: '17', crm_connection_id })
  const [third] = await store('both', person('Ada', { email: 'ada@lovelace.example', external_id: '18', crm_connection_id }))
  expect([third, await contacts.get(idOf(first))]).toMatchObject([{ status: 'unchanged' }, { external_id: '17' }])
  expect(await count()).toBe(1)
})

// letters that PostgreSQL and JavaScript convert to lower case differently
test.each([
  ['ΓΙΩΡΓΟΣ', 'ΠΑΠΑΔΟΠΟΥΛΟΣ', 'Γιωργοσ', 'Παπαδοπουλοσ'],
  ['İsmail', 'Öz', 'İSMAİL', 'ÖZ'],
])('%s %s and %s %s with the same phone are one contact', async (first_name, last_name, otherFirst, otherLast) => {
  const phone = '+90 212 555 12 34'
  const contact = { first_name, last_name, phone }
  const other = { first_name: otherFirst, last_name: otherLast, phone }
  const results = await findOrCreate(contact, other, contact)
  expect(results.map(({ status }) => status)).toEqual(['created', 'found', 'found'])
  expect(new Set(results.map(idOf)).size).toBe(1)
  expect((await findOrCreate(contact, other)).map(({ status }) => status)).toEqual(['found', 'found'])
  for (const repeated of [contact, other]) {
    const response = await contacts.post('', repeated)
    expect([response.statusCode, response.json().matches]).toMatchObject([409, [{ id: idOf(results[0]) }]])
  }
})

test('fifty simultaneous lists and single contacts create one contact per email', async () => {
  const inputs = Array.from({ length: 5 }, (_, index) => person('Ada', { email: `ada${index}@example.org` }))
  const lists = Array.from({ length: 25 }, (_, index) => findOrCreate(...(index % 2 ? inputs : inputs.toReversed())))
  const singles = Array.from({ length: 25 }, (_, index) => contacts.post('', inputs[index % 5] ?? {}))
  const statuses = (await Promise.all(lists)).flatMap((results) => results.map(({ status }) => status))
  const codes = (await Promise.all(singles)).map(({ statusCode }) => statusCode)
  expect(await count()).toBe(5)
  expect(statuses.filter((status) => status === 'created').length + codes.filter((code) => code === 201).length).toBe(5)
  expect(new Set(codes)).toEqual(new Set([...(codes.includes(201) ? [201] : []), 409]))
})

test('10,000 contacts need at most five round trips, and one statement inserts them', async () => {
  // every tenth contact has the email of the one before it, so 9,000 are different persons; fifty share each phone
  const inputs = Array.from({ length: 10_000 }, (_, index) =>
    person(`Person ${index}`, {
      email: index % 10 === 9 ? `p${index - 1}@example.org` : `p${index}@example.org`,
      phone: `+44 20 7946 ${String(Math.floor(index / 50)).padStart(4, '0')}`,
    }),
  )
  const query = vi.spyOn(pg.Client.prototype, 'query')
  expect(await findOrCreate(...inputs)).toHaveLength(10_000)
  const batches = query.mock.calls.filter(([first]: readonly unknown[]) => first instanceof Batch)
  query.mockRestore()
  expect(batches.length).toBeLessThanOrEqual(5) // derived columns, links, duplicates, writes, commit
  const { rows } = await app.tableOwner.query(
    // `step` is the number of the statement in its transaction
    `select c.label, count(distinct j.step) as statements, count(*) as rows
     from changesets c join journal j on j.change = c.id where c.user_id = $1 group by c.id order by c.id desc limit 1`,
    [ada.id],
  )
  expect(rows).toEqual([{ label: 'Added contacts', statements: '1', rows: '9000' }])
  expect((await findOrCreate(...inputs.slice(0, 100))).every(({ status }) => status === 'found')).toBe(true)
})

test('the duplicate rule gives the same result in TypeScript and in SQL for all combinations of email, phones and name', async () => {
  const emails = ['', 'a@example.org', 'b@example.org']
  const phones = ['', '+442079460118', '+442079460119']
  const combinations = emails.flatMap((email) =>
    phones.flatMap((phone_key) =>
      phones.flatMap((mobile_phone_key) =>
        ['Ada', 'Bob', ''].map((first_name) => ({ first_name, last_name: '', email, phone_key, mobile_phone_key })),
      ),
    ),
  )
  const storedContacts = combinations.filter((_, index) => index % 7 === 0) // every seventh, because all would take too long
  for (const columns of storedContacts) {
    await app.tableOwner.query('delete from crm_contacts where user_id = $1', [ada.id])
    await app.tableOwner.query(
      'insert into crm_contacts (user_id, first_name, email, phone_key, mobile_phone_key) values ($1, $2, $3, $4, $5)',
      [ada.id, columns.first_name, columns.email, columns.phone_key, columns.mobile_phone_key],
    )
    const resultsInSql = await Promise.all(
      combinations.map((contact) =>
        app.database.read(callerFor(ada.id), () => findDuplicates(ada.id, contact)).then(({ length }) => length > 0),
      ),
    )
    expect(resultsInSql).toEqual(combinations.map((contact) => isDuplicate(matchKeysOf(contact), matchKeysOf(columns))))
  }
})

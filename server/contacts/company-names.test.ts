// A contact has the name of its company as text. If one company record has this name, without regard to case and accents, the contact is
// linked to this record by every write of the name: by adding one contact or several at once, by an edit, and by a bulk edit.
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { unlinkedContactsFilter } from '#contract/companyNames.ts'
import { Batch } from '#server/platform/database/batch.ts'
import { sql, type Database } from '#server/platform/database/database.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { createRecord, updateRecord, updateRecords } from '#server/platform/records/verbs.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { readLabel, recordsOf, undo } from '#server/testing/records.ts'
import { storeContacts } from './store-contacts.ts'
import { contacts as contactKind } from './kind.ts'

let app: TestApp
let ada: Person
let contacts: ReturnType<typeof recordsOf>
let companies: ReturnType<typeof recordsOf>
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  contacts = recordsOf(ada, '/api/contacts')
  companies = recordsOf(ada, '/api/companies')
})

const ann = { first_name: 'Ann', last_name: 'Lee' }
const readCompany = async (id: string) => {
  const { company, company_id } = await contacts.get(id)
  return { company, company_id }
}
/** Links the company to the contacts that have its name only as text. */
const linkContacts = (companyId: string) => ada.send({ method: 'POST', url: `/api/companies/${companyId}/contacts` })
/** Adds a company record for the company name of the contact. */
const addCompanyOf = (contactId: string) => ada.send({ method: 'POST', url: `/api/contacts/${contactId}/company` })
/** Reads what a screen needs to offer a company record for the company name of the contact. */
const readOffer = async (contactId: string) => (await ada.send({ url: `/api/contacts/${contactId}/company` })).json()

/** Counts the round trips of records. The jobs of the application send other queries meanwhile. */
const countBatches = (calls: readonly (readonly unknown[])[]): number => calls.filter(([first]) => first instanceof Batch).length

test.each(['Łódź Dental', 'lodz dental', ' LÓDZ DENTAL '])(
  'a contact with the name of one company as text is linked to the company when it is added with “%s”',
  async (company) => {
    const dental = await companies.add({ name: 'Łódź Dental' })
    const linked = { company: 'Łódź Dental', company_id: dental.id }
    expect(await contacts.add({ ...ann, company })).toMatchObject({ ...linked, version: 1 })
    expect(await contacts.add({ first_name: 'Ben', last_name: 'Lee', company, company_id: null })).toMatchObject(linked)
  },
)

test('a contact with the name of one company as text is linked to the company by an edit, and by a bulk edit', async () => {
  const engines = await companies.add({ name: 'Engines' })
  const linked = { company: 'Engines', company_id: engines.id }
  const [first, second] = [await contacts.add({ ...ann, company: 'Mills' }), await contacts.add({ first_name: 'Ben', last_name: 'Lee' })]
  expect(await contacts.edit(first.id, { company: 'engines', version: 1 })).toMatchObject({ ...linked, version: 2 })
  const bulkEdit = await contacts.post('/bulk/edit', { ids: [first.id, second.id], fields: { company: 'ENGINES' } })
  expect(await readLabel(ada, bulkEdit)).toBe('Updated 1 contact') // the first has the link already
  expect(await readCompany(second.id)).toEqual(linked)
  await undo(ada, bulkEdit)
  expect(await readCompany(second.id)).toEqual({ company: '', company_id: null })
})

test('contacts with the name of a company as text are linked to it when they are stored at once, with at most five round trips', async () => {
  const ids = [(await companies.add({ name: 'Engines' })).id, (await companies.add({ name: 'Mills' })).id]
  const names = ['engines', 'MILLS', 'Unknown', '', 'Engines']
  const query = vi.spyOn(pg.Client.prototype, 'query')
  const list = names.map((company, index) => ({ first_name: `Person ${index}`, last_name: 'Lee', company }))
  await app.database.transaction(callerFor(ada.id), 'Added contacts', () => storeContacts(ada.id, list, 'create'))
  expect(countBatches(query.mock.calls)).toBeLessThanOrEqual(5)
  query.mockRestore()
  const { rows } = await contacts.list({ sort: 'name' })
  expect(rows.map(({ company, company_id }) => [company, company_id])).toEqual([
    ['Engines', ids[0]],
    ['Mills', ids[1]],
    ['Unknown', null],
    ['', null],
    ['Engines', ids[0]],
  ])
})

test('a contact is not linked to a company if two companies have its name, none has exactly this name, or the company belongs to another user', async () => {
  for (const name of ['Hotel', 'HÔTEL']) await companies.add({ name })
  const grace = await signInAs(app, 'grace')
  await recordsOf(grace, '/api/companies').add({ name: 'Engines' })
  for (const company of ['Hotel', 'Engines', 'Hote', 'Hotel Bar'])
    expect(await contacts.add({ ...ann, last_name: company, company })).toMatchObject({ company, company_id: null })
})

test('a contact gets the name of the linked company if a write has both a name and a link, and keeps the name when the link is removed', async () => {
  const [engines, mills] = [await companies.add({ name: 'Engines' }), await companies.add({ name: 'Mills' })]
  const { id } = await contacts.add({ ...ann, company: 'Mills', company_id: engines.id })
  expect(await readCompany(id)).toEqual({ company: 'Engines', company_id: engines.id })
  await contacts.edit(id, { company_id: null })
  expect(await readCompany(id)).toEqual({ company: 'Engines', company_id: null })
  await contacts.edit(id, { company: 'Engines', company_id: mills.id })
  expect(await readCompany(id)).toEqual({ company: 'Mills', company_id: mills.id })
  await contacts.edit(id, { company: '' })
  expect(await readCompany(id)).toEqual({ company: '', company_id: null })
})

test('a contact gets back both the name of its company and the link by undo and redo', async () => {
  const engines = await companies.add({ name: 'Engines' })
  const { id } = await contacts.add({ ...ann, company: 'Mills' })
  await companies.add({ name: 'Mills' })
  const edit = await contacts.patch(id, { company: 'engines' })
  const undone = await undo(ada, edit)
  expect(await readCompany(id)).toEqual({ company: 'Mills', company_id: null }) // an undo does not link
  await undo(ada, undone)
  expect(await readCompany(id)).toEqual({ company: 'Engines', company_id: engines.id })
})

test('a contact can be edited twice from the same version if both edits have the same company name', async () => {
  await companies.add({ name: 'Engines' })
  const { id } = await contacts.add(ann)
  for (const company of ['engines', 'ENGINES']) expect((await contacts.patch(id, { company, version: 1 })).statusCode).toBe(200)
})

test('a contact with the name of a company is added with one round trip, like one without; a phone without a country code needs a second one', async () => {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  const countRoundTrips = async (fields: object): Promise<number> => {
    query.mockClear()
    await createRecord({ database: app.database, now: () => new Date() }, callerFor(ada.id), contactKind, { ...ann, ...fields })
    return countBatches(query.mock.calls)
  }
  expect(await countRoundTrips({})).toBe(1)
  expect(await countRoundTrips({ company: 'Engines' })).toBe(1)
  expect(await countRoundTrips({ company: 'Engines', phone: '020 7946 0118' })).toBe(2)
  query.mockRestore()
})

test.each(['edit', 'bulk edit'])(
  'a contact with the name of one company as text is saved without a link if the company is deleted during the %s',
  async (action) => {
    const engines = await companies.add({ name: 'Engines' })
    const { id } = await contacts.add({ ...ann, company: 'Mills' })
    /** Deletes the company after the edit has found it, and before the edit writes the link. */
    const read: Database['read'] = async (caller, work) => {
      const result = await app.database.read(caller, work)
      await companies.remove(engines.id)
      return result
    }
    const services = { database: { ...app.database, read }, now: () => new Date() }
    const caller = callerFor(ada.id)
    if (action === 'edit') await updateRecord(services, caller, contactKind, id, { company: 'engines' })
    if (action === 'bulk edit') await updateRecords(services, caller, contactKind, { ids: [id] }, { company: 'engines' })
    expect((await contacts.list({ search: 'engines' })).rows).toMatchObject([{ company: 'engines', company_id: null }])
  },
)

test('a new company is linked to all contacts that have its name as text, as one change', async () => {
  const ben = await contacts.add({ first_name: 'Ben', last_name: 'Lee', company: 'quillstone dental' })
  const cy = await contacts.add({ first_name: 'Cy', last_name: 'Lee', company: 'Quillstone Dental' })
  await contacts.add({ first_name: 'Dora', last_name: 'Lee', company: 'Quillstone Dental Group' })
  const { id } = await companies.add({ name: 'Quillstone Déntal' })
  await contacts.add({ first_name: 'Eve', last_name: 'Lee', company: 'Quillstone Dental' }) // linked already
  const filter = unlinkedContactsFilter('Quillstone Déntal')
  expect((await contacts.list({ filter })).rows.map((row) => row.id)).toEqual([cy.id, ben.id])
  const linking = await linkContacts(id)
  expect(linking.statusCode).toBe(204)
  expect(await readLabel(ada, linking)).toBe('Updated 2 contacts')
  expect((await contacts.query('/count', { filter })).json().count).toBe(0)
  for (const contact of [ben, cy]) expect(await readCompany(contact.id)).toEqual({ company: 'Quillstone Déntal', company_id: id })
  await undo(ada, linking)
  expect(await readCompany(ben.id)).toEqual({ company: 'quillstone dental', company_id: null })
  expect((await contacts.query('/count', { filter })).json().count).toBe(2)
})

test('a renamed company is linked to the contacts that have its new name as text', async () => {
  const ben = await contacts.add({ first_name: 'Ben', last_name: 'Lee', company: 'Works' })
  const { id } = await companies.add({ name: 'Engines' })
  expect((await linkContacts(id)).statusCode).toBe(404) // no contact has the name Engines
  await companies.edit(id, { name: 'Works' })
  expect((await linkContacts(id)).statusCode).toBe(204)
  expect(await readCompany(ben.id)).toEqual({ company: 'Works', company_id: id })
})

test('a company is linked to at most 10,000 contacts at a time; the next request links the others', async () => {
  await app.database.transaction(callerFor(ada.id), 'Imported', () =>
    sql(`insert into crm_contacts (user_id, first_name, company) select $1, 'Number ' || n, 'engines' from generate_series(1, 10005) n`, [
      ada.id,
    ]),
  )
  const { id } = await companies.add({ name: 'Engines' })
  const linking = await linkContacts(id)
  expect(linking.statusCode).toBe(204)
  expect(await readLabel(ada, linking)).toBe('Updated 10000 contacts')
  const filter = unlinkedContactsFilter('Engines')
  expect((await contacts.query('/count', { filter })).json().count).toBe(5)
  await linkContacts(id)
  expect((await linkContacts(id)).statusCode).toBe(404) // none is left
})

test('a company cannot be linked by another user, who gets 404', async () => {
  const { id } = await companies.add({ name: 'Engines' })
  const grace = await signInAs(app, 'grace')
  await recordsOf(grace, '/api/contacts').add({ ...ann, company: 'Engines' })
  expect((await grace.send({ method: 'POST', url: `/api/companies/${id}/contacts` })).statusCode).toBe(404)
})

test('a company name that is only text is offered as a new company; adding it links the contact, and one undo removes the company and the link', async () => {
  const { id } = await contacts.add({ ...ann, company: 'Quillstone Dental' })
  expect(await readOffer(id)).toEqual({ name: 'Quillstone Dental', is_linked: false, companies: 0, is_refused: false })
  const adding = await addCompanyOf(id)
  expect(adding.statusCode).toBe(204)
  expect(await readLabel(ada, adding)).toBe('Added company')
  const [company] = (await companies.list()).rows
  expect(company).toMatchObject({ name: 'Quillstone Dental' })
  expect(await readCompany(id)).toEqual({ company: 'Quillstone Dental', company_id: company?.id })
  expect(await readOffer(id)).toMatchObject({ is_linked: true })
  await undo(ada, adding)
  expect((await companies.list()).rows).toEqual([])
  expect(await readCompany(id)).toEqual({ company: 'Quillstone Dental', company_id: null })
})

test('a company name that is only text becomes only one company when it is added for two contacts at the same time', async () => {
  const ids = [
    await contacts.add({ ...ann, company: 'Mill' }),
    await contacts.add({ first_name: 'Ben', last_name: 'Lee', company: 'MILL' }),
  ]
  const responses = await Promise.all(ids.map(({ id }) => addCompanyOf(id)))
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([204, 204])
  expect((await companies.list()).rows).toHaveLength(1)
  expect((await contacts.list()).rows.filter(({ company_id }) => company_id === null)).toEqual([])
})

test('a company name that is only text cannot be added as a company if it is empty, or if several companies have it', async () => {
  const { id } = await contacts.add(ann)
  const ben = await contacts.add({ first_name: 'Ben', last_name: 'Lee', company: 'Hotel' })
  for (const name of ['Hotel', 'HOTEL']) await companies.add({ name })
  expect(await readOffer(ben.id)).toMatchObject({ companies: 2 })
  for (const contact of [id, ben.id]) {
    const response = await addCompanyOf(contact)
    expect([response.statusCode, response.json().fields.company]).toEqual([422, expect.stringMatching(/company|companies/)])
  }
  expect((await companies.list()).rows).toHaveLength(2)
})

test('a company name that is only text is neither offered nor added as a company if none of its characters can be seen', async () => {
  const { id } = await contacts.add({ ...ann, company: '\u200B\u3164' })
  expect(await readOffer(id)).toMatchObject({ name: '', is_linked: false })
  const response = await addCompanyOf(id)
  expect([response.statusCode, response.json().fields.company]).toEqual([422, 'This contact has no company'])
  expect((await companies.list()).rows).toEqual([])
})

test('a company name that is only text is reported as refused after the user has refused it, also with other case or accents', async () => {
  const first = await contacts.add({ ...ann, company: 'Freelance' })
  const second = await contacts.add({ first_name: 'Ben', last_name: 'Lee', company: 'FRÉELANCE' })
  const refusal = await ada.send({ method: 'POST', url: `/api/contacts/${first.id}/company/refuse` })
  expect([refusal.statusCode, refusal.headers['foyer-change']]).toEqual([204, undefined])
  for (const { id } of [first, second]) expect(await readOffer(id)).toMatchObject({ is_refused: true })
  const grace = await signInAs(app, 'grace')
  const other = await recordsOf(grace, '/api/contacts').add({ ...ann, company: 'Freelance' })
  expect((await grace.send({ url: `/api/contacts/${other.id}/company` })).json()).toMatchObject({ is_refused: false })
})

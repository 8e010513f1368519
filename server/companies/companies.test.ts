import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { readLabel, recordsOf, undo } from '#server/testing/records.ts'

let app: TestApp
let ada: Person
let companies: ReturnType<typeof recordsOf>
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  companies = recordsOf(ada, '/api/companies')
})

test('a company is stored with trimmed values; omitted fields are empty', async () => {
  const { id } = await companies.add({ name: ' Engines ' })
  expect(await companies.get(id)).toMatchObject({
    name: 'Engines',
    industry: '',
    website: '',
    phone: '',
    email: '',
    employees_count: null,
    tags: [],
    version: 1,
  })
  const allFields = {
    name: 'Łódź Dental',
    industry: 'Health',
    website: 'HTTPS://łódź.example/über?a=b',
    phone: '020 7946 0118',
    email: 'Desk@example.org',
    employees_count: 0,
    tags: ['VIP'],
  }
  expect(await companies.edit(id, { ...allFields, version: 1 })).toMatchObject({ ...allFields, version: 2 })
})

test.each([
  [{}, 'name'],
  [{ name: ' ' }, 'name'],
  [{ name: 'x'.repeat(201) }, 'name'],
  [{ name: 'A', website: 'example.com' }, 'website'],
  [{ name: 'A', website: 'javascript://example.com' }, 'website'],
  [{ name: 'A', website: 'https://nodots' }, 'website'],
  [{ name: 'A', website: 'https://two words.example' }, 'website'],
  [{ name: '\u200B\u3164\u{E0041}\uFE0F' }, 'name'], // only invisible characters
  [{ name: 'A', tags: ['\u2800'] }, 'tags.0'], // an invisible character
  [{ name: 'A', phone: 'abc' }, 'phone'],
  [{ name: 'A', email: 'nonsense' }, 'email'],
  [{ name: 'A', employees_count: 1.5 }, 'employees_count'],
  [{ name: 'A', employees_count: -1 }, 'employees_count'],
  [{ name: 'A', employees_count: '12' }, 'employees_count'],
  [{ name: 'A', employees_count: 100_000_001 }, 'employees_count'],
  [{ name: 'A', tags: Array.from({ length: 21 }, (_, number) => `${number}`) }, 'tags'],
  [{ name: 'A', created_at: '2026-01-01T00:00:00Z' }, 'created_at'],
])('%j is refused with a message for %s', async (fields, refusedField) => {
  const response = await companies.post('', fields)
  expect(response.statusCode).toBe(422)
  expect(response.json().fields[refusedField]).toMatch(/\w/)
})

test('a company with all fields at their maximum length in multi-byte letters can be stored', async () => {
  /**
   * Returns Chinese letters of three bytes each. They all differ (7919 and 20,000 have no common divisor), so that PostgreSQL cannot
   * compress them for its indexes.
   */
  const letters = (count: number) =>
    Array.from({ length: count }, (_, number) => String.fromCodePoint(0x4e00 + ((number * 7919) % 20_000))).join('')
  const website = `https://${letters(150)}.example/`
  const longestValues = {
    name: letters(200),
    industry: letters(200).split('').toReversed().join(''),
    phone: `1${letters(49)}`,
    email: `${'a'.repeat(60)}@${'b'.repeat(60)}.example`,
  }
  const { id } = await companies.add({ ...longestValues, website: website + letters(300 - website.length) })
  expect(await companies.get(id)).toMatchObject(longestValues)
})

test.each(['engines', 'ENGÌNES', 'machin', 'difference.example', 'desk@', '7946-0118', 'engines desk'])(
  'a search for %s finds the company',
  async (search) => {
    await companies.add({
      name: 'Engines',
      industry: 'Machines',
      website: 'https://difference.example',
      email: 'desk@example.org',
      phone: '020 7946 0118',
    })
    await companies.add({ name: 'Other' })
    expect((await companies.list({ search })).rows).toMatchObject([{ name: 'Engines' }])
  },
)

test('contacts and deals of a company lose their link when the company is deleted, and are linked again when the deletion is undone', async () => {
  const { id } = await companies.add({ name: 'Engines' })
  const contacts = recordsOf(ada, '/api/contacts')
  const deals = recordsOf(ada, '/api/deals')
  const contact = await contacts.add({ first_name: 'Ann', last_name: 'Lee', company_id: id })
  const deal = await deals.add({ title: 'Engine', company_id: id })
  expect(deal).toMatchObject({ company_id: id, company_name: 'Engines' })
  const deletion = await companies.remove(id)
  expect(await readLabel(ada, deletion)).toBe('Deleted 1 company')
  expect(await contacts.get(contact.id)).toMatchObject({ company_id: null, company: 'Engines' })
  expect(await deals.get(deal.id)).toMatchObject({ company_id: null, company_name: '' })
  const undoChange = await undo(ada, deletion)
  expect(await contacts.get(contact.id)).toMatchObject({ company_id: id })
  expect(await deals.get(deal.id)).toMatchObject({ company_id: id, company_name: 'Engines' })
  await undo(ada, undoChange)
  expect(await deals.get(deal.id)).toMatchObject({ company_id: null })
})

test('contacts and deals of a company are linked again when the company is restored from the trash; the trash shows the name of the company', async () => {
  const { id } = await companies.add({ name: 'Engines' })
  const deal = await recordsOf(ada, '/api/deals').add({ title: 'Engine', company_id: id })
  await companies.remove(id)
  expect((await ada.send({ url: '/api/trash' })).json().rows).toMatchObject([{ id, table: 'companies', title: 'Engines' }])
  await ada.send({ method: 'POST', url: `/api/trash/${id}/restore` })
  expect(await recordsOf(ada, '/api/deals').get(deal.id)).toMatchObject({ company_id: id })
})

test('two edits of the same field are a conflict; numbers and tags are compared by value', async () => {
  const { id } = await companies.add({ name: 'Engines', employees_count: 3, tags: ['a'] })
  await companies.edit(id, { employees_count: 4, tags: ['a', 'b'], version: 1 })
  expect((await companies.patch(id, { employees_count: 4, tags: ['a', 'b'], version: 1 })).statusCode).toBe(200)
  const response = await companies.patch(id, { employees_count: 5, tags: ['c'], version: 1 })
  expect(response.statusCode).toBe(409)
  expect(response.json().conflict.fields).toEqual(
    expect.arrayContaining([
      { field: 'employees_count', yours: 5, theirs: 4 },
      { field: 'tags', yours: ['c'], theirs: ['a', 'b'] },
    ]),
  )
})

// A contact has the name of its company (`company`) and a link to a company record (`company_id`), which must agree.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { companies as companyKind } from '#server/companies/kind.ts'
import { sql } from '#server/platform/database/database.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { updateRecords } from '#server/platform/records/verbs.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { readLabel, recordsOf, undo } from '#server/testing/records.ts'

let app: TestApp
let ada: Person
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
})

test('a new link sets the company name, and a new company name removes the link, in a single edit and in a bulk edit', async () => {
  const contacts = recordsOf(ada, '/api/contacts')
  const { id } = await contacts.add({ first_name: 'Ann', last_name: 'Lee', company: 'Mills' })
  const engines = await recordsOf(ada, '/api/companies').add({ name: 'Engines' })
  const linked = { company: 'Engines', company_id: engines.id }
  const readCompany = async () => {
    const contact = await contacts.get(id)
    return { company: contact['company'], company_id: contact['company_id'] }
  }
  const editInBulk = (fields: object) => contacts.post('/bulk/edit', { ids: [id], fields })

  await contacts.edit(id, { company_id: engines.id })
  expect(await readCompany()).toEqual(linked)
  await contacts.edit(id, { company: 'Foo' })
  expect(await readCompany()).toEqual({ company: 'Foo', company_id: null })
  expect((await editInBulk({ company_id: engines.id })).statusCode).toBe(204)
  expect(await readCompany()).toEqual(linked)
  expect((await editInBulk({ company: 'Foo Ltd' })).statusCode).toBe(204)
  expect(await readCompany()).toEqual({ company: 'Foo Ltd', company_id: null })
  await contacts.edit(id, linked)
  expect(await readCompany()).toEqual(linked)
  const idOfNoCompany = ada.id
  expect((await contacts.patch(id, { company_id: idOfNoCompany })).statusCode).toBe(404)
  expect(await readCompany()).toEqual(linked)
  const newContact = await contacts.add({ first_name: 'Ben', last_name: 'Lee', company_id: engines.id })
  expect(await contacts.get(newContact.id)).toMatchObject(linked)
})

test('a new name of a company becomes the company name of its linked contacts, as one change that an undo reverts', async () => {
  const contacts = recordsOf(ada, '/api/contacts')
  const companies = recordsOf(ada, '/api/companies')
  await contacts.add({ first_name: 'Cy', last_name: 'Lee', company: 'Engines' }) // not linked, because there is no such company yet
  const engines = await companies.add({ name: 'Engines' })
  const mills = await companies.add({ name: 'Mills' })
  const linked = await contacts.add({ first_name: 'Ann', last_name: 'Lee', company_id: engines.id })
  await contacts.add({ first_name: 'Ben', last_name: 'Lee', company_id: mills.id })
  const readCompanies = async () => (await contacts.list({ sort: 'name' })).rows.map(({ company }) => company)

  const renaming = await companies.patch(engines.id, { name: 'Difference Works', version: 1 })
  expect(renaming.statusCode).toBe(200)
  expect(await readCompanies()).toEqual(['Difference Works', 'Mills', 'Engines'])
  expect((await contacts.list({ search: 'difference works' })).rows).toMatchObject([{ id: linked.id, company_id: engines.id }])
  expect(await readLabel(ada, renaming)).toBe('Updated company')
  await undo(ada, renaming)
  expect(await companies.get(engines.id)).toMatchObject({ name: 'Engines' })
  expect(await readCompanies()).toEqual(['Engines', 'Mills', 'Engines'])
})

describe('renamed companies', () => {
  const rename = (id: string, name: string) => recordsOf(ada, '/api/companies').patch(id, { name })
  const addLinked = (company_id: string) => recordsOf(ada, '/api/contacts').add({ first_name: 'Ann', last_name: 'Lee', company_id })
  const readCompany = async (id: string) => (await recordsOf(ada, '/api/contacts').get(id))['company']
  let companyId: string
  beforeEach(async () => {
    companyId = (await recordsOf(ada, '/api/companies').add({ name: 'Engines' })).id
  })

  test('a contact has the current name of its renamed company after an undo of the rename, also if the contact was linked after the rename', async () => {
    const linkedBefore = await addLinked(companyId)
    const renaming = await rename(companyId, 'Works')
    const linkedAfter = await addLinked(companyId)
    const undone = await undo(ada, renaming)
    expect([await readCompany(linkedBefore.id), await readCompany(linkedAfter.id)]).toEqual(['Engines', 'Engines'])
    await undo(ada, undone)
    expect([await readCompany(linkedBefore.id), await readCompany(linkedAfter.id)]).toEqual(['Works', 'Works'])
  })

  test('a contact has the current name of its renamed company when the contact was deleted before the rename, and is restored after the rename', async () => {
    const { id } = await addLinked(companyId)
    await recordsOf(ada, '/api/contacts').remove(id)
    await rename(companyId, 'Works')
    expect((await ada.send({ method: 'POST', url: `/api/trash/${id}/restore` })).statusCode).toBe(200)
    expect(await readCompany(id)).toBe('Works')
  })

  test('a contact has the current name of its renamed company when an edit before the rename removed the link, and is undone after the rename', async () => {
    const { id } = await addLinked(companyId)
    const unlinking = await recordsOf(ada, '/api/contacts').patch(id, { company: 'Mills' })
    await rename(companyId, 'Works')
    await undo(ada, unlinking)
    expect(await recordsOf(ada, '/api/contacts').get(id)).toMatchObject({ company: 'Works', company_id: companyId })
  })

  test('a contact has the current name of its renamed company after many contacts were linked during several renames', async () => {
    for (const name of ['Works', 'Mills', 'Looms', 'Forge', 'Press']) {
      const added = Array.from({ length: 6 }, () => addLinked(companyId))
      expect((await rename(companyId, name)).statusCode).toBe(200)
      await Promise.all(added)
    }
    const { rows } = await recordsOf(ada, '/api/contacts').list({ limit: '200' })
    expect(new Set(rows.map(({ company }) => company))).toEqual(new Set(['Press']))
  })
})

test('an edit of a company that is refused as a conflict does not rename its contacts', async () => {
  const companies = recordsOf(ada, '/api/companies')
  const { id } = await companies.add({ name: 'Engines' })
  const contact = await recordsOf(ada, '/api/contacts').add({ first_name: 'Ann', last_name: 'Lee', company_id: id })
  await companies.edit(id, { name: 'Difference Works', version: 1 })
  expect((await companies.patch(id, { name: 'Analytical Works', version: 1 })).statusCode).toBe(409)
  expect((await companies.edit(id, { industry: 'Machines', version: 1 }))['name']).toBe('Difference Works')
  expect(await recordsOf(ada, '/api/contacts').get(contact.id)).toMatchObject({ company: 'Difference Works', version: 2 })
})

test('a bulk edit that gives several companies a new name also gives it to their linked contacts', async () => {
  const companies = recordsOf(ada, '/api/companies')
  const ids = [(await companies.add({ name: 'Engines' })).id, (await companies.add({ name: 'Mills' })).id]
  const contacts = recordsOf(ada, '/api/contacts')
  for (const id of ids) await contacts.add({ first_name: 'Ann', last_name: id, company_id: id })
  const services = { database: app.database, now: () => new Date() }
  await updateRecords(services, callerFor(ada.id), companyKind, { ids }, { name: 'Works' })
  expect((await contacts.list()).rows.map(({ company }) => company)).toEqual(['Works', 'Works'])
})

test('a company with thousands of linked contacts can be renamed', async () => {
  const count = process.env['FOYER_FULL'] === '1' ? 10_000 : 2000 // FOYER_FULL=1 runs tests with larger numbers
  const companies = recordsOf(ada, '/api/companies')
  const { id } = await companies.add({ name: 'Engines' })
  await app.database.transaction(callerFor(ada.id), 'Imported', () =>
    sql(
      `insert into crm_contacts (user_id, first_name, company, company_id) select $1, 'Number ' || n, 'Engines', $2 from generate_series(1, $3) n`,
      [ada.id, id, count],
    ),
  )
  await companies.edit(id, { name: 'Difference Works' })
  const { rows } = await app.tableOwner.query('select company, count(*)::int as count from crm_contacts where user_id = $1 group by 1', [
    ada.id,
  ])
  expect(rows).toEqual([{ company: 'Difference Works', count }])
})

test.each([
  { situation: 'a typed name after a new link', first: 'link', second: 'name', field: 'company_id' },
  { situation: 'a new link after a typed name', first: 'name', second: 'link', field: 'company' },
] as const)('$situation conflicts if both edits started from the same version', async ({ first, second, field }) => {
  const contacts = recordsOf(ada, '/api/contacts')
  const { id } = await contacts.add({ first_name: 'Ann', last_name: 'Lee', company: 'Engines' })
  const engines = await recordsOf(ada, '/api/companies').add({ name: 'Engines' })
  const edits = { name: { company: 'Typed' }, link: { company_id: engines.id } }
  const saved = await contacts.patch(id, { ...edits[first], version: 1 })
  const response = await contacts.patch(id, { ...edits[second], version: 1 })
  expect([saved.statusCode, response.statusCode]).toEqual([200, 409])
  const conflictingFields: { field: string }[] = response.json().conflict.fields
  expect(conflictingFields.map((conflicting) => conflicting.field)).toEqual([field])
  expect(await contacts.get(id)).toMatchObject(edits[first])
})

test('two edits from the same version that link the same company and set the same phone do not conflict', async () => {
  const contacts = recordsOf(ada, '/api/contacts')
  const { id: company_id } = await recordsOf(ada, '/api/companies').add({ name: 'Engines' })
  const { id } = await contacts.add({ first_name: 'Ann', last_name: 'Lee' })
  const patch = { company_id, phone: '+44 20 7946 0118', version: 1 }
  expect((await contacts.patch(id, patch)).statusCode).toBe(200)
  expect((await contacts.patch(id, patch)).statusCode).toBe(200)
})

test.each([
  { situation: 'the contact was linked to another company after the edit', laterEvent: 'linked', why: 'edited' },
  { situation: 'the previous company of the contact was deleted after the edit', laterEvent: 'deleted', why: 'parent_gone' },
])('the undo of an edit skips both the name and the link of the company if $situation', async ({ laterEvent, why }) => {
  const [contacts, companies] = [recordsOf(ada, '/api/contacts'), recordsOf(ada, '/api/companies')]
  const [mills, engines] = [await companies.add({ name: 'Mills' }), await companies.add({ name: 'Engines' })]
  const { id } = await contacts.add({ first_name: 'Ann', last_name: 'Lee', company_id: mills.id })
  const edited = await contacts.patch(
    id,
    laterEvent === 'linked' ? { company: 'Typed', title: 'Owner' } : { company_id: engines.id, title: 'Owner' },
  )
  if (laterEvent === 'linked') await contacts.edit(id, { company_id: engines.id })
  else await companies.remove(mills.id)
  const url = `/api/changes/${String(edited.headers['foyer-change'])}/undo`
  const { skipped } = (await ada.send({ method: 'POST', url })).json()
  expect(skipped).toEqual([{ table: 'crm_contacts', id, why, columns: expect.arrayContaining(['company', 'company_id']) }])
  expect(await contacts.get(id)).toMatchObject({ company: 'Engines', company_id: engines.id, title: '' })
})

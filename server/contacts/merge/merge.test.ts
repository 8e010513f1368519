import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { readLabel, recordsOf, undo } from '#server/testing/records.ts'
import { readOwnedRows } from '#server/testing/rows.ts'

let app: TestApp
let ada: Person
beforeAll(async () => {
  app = await openTestApp()
  ada = await signInAs(app, 'ada')
})
afterAll(() => app.stop())

const contactsOf = (person: Person) => recordsOf(person, '/api/contacts')
const addContact = (fields: Record<string, unknown> = {}, person = ada) =>
  contactsOf(person).add({ first_name: 'Imara', last_name: 'Vantongeren', allow_duplicate: true, ...fields })
const merge = (id: string, body: Record<string, unknown>, person = ada) =>
  person.send({ method: 'POST', url: `/api/contacts/${id}/merge`, payload: body })

test('a merge keeps the chosen values, fills empty ones from the other contact, joins tags, and stores all other values in raw_data', async () => {
  const { id } = await addContact({
    email: 'imara@quillstone.test',
    phone: '+44 20 7946 0118',
    title: 'Practice manager',
    tags: ['Dental'],
  })
  const other = await addContact({
    first_name: 'I.',
    email: 'reception@quillstone.test',
    mobile_phone: '+44 7700 900274',
    title: 'Reception',
    tags: ['dental', 'Newsletter'],
  })
  const response = await merge(id, { other_id: other.id, fields: { title: 'other' } })
  expect(response.statusCode, response.body).toBe(204)
  expect(await readLabel(ada, response)).toBe('Merged 2 contacts')
  expect(await contactsOf(ada).get(id)).toMatchObject({
    first_name: 'Imara',
    email: 'imara@quillstone.test',
    phone: '+44 20 7946 0118',
    mobile_phone: '+44 7700 900274',
    title: 'Reception',
    tags: ['Dental', 'Newsletter'],
    raw_data: {
      merged_contacts: [{ id: other.id, values: { first_name: 'I.', email: 'reception@quillstone.test', title: 'Practice manager' } }],
    },
  })
  expect((await ada.send({ url: `/api/contacts/${other.id}` })).statusCode).toBe(404)
  const { rows } = (await ada.send({ url: '/api/trash' })).json()
  expect(rows).toContainEqual(expect.objectContaining({ id: other.id }))
})

test('the merged contact is found by the phone of the other contact, and has the company of the other contact', async () => {
  const company = await recordsOf(ada, '/api/companies').add({ name: 'Quillstone' })
  const { id } = await addContact()
  const other = await addContact({ company: 'quillstone', phone: '020 7946 0333' })
  await merge(id, { other_id: other.id })
  expect(await contactsOf(ada).get(id)).toMatchObject({ company: 'Quillstone', company_id: company.id })
  expect((await contactsOf(ada).list({ search: '+442079460333' })).rows.map((row) => row.id)).toEqual([id])
})

test('the merged contact gets the company link of the other contact if both have the same company and only the other one is linked', async () => {
  const company = await recordsOf(ada, '/api/companies').add({ name: 'Larkfield' })
  const { id } = await addContact({ company: 'Larkfield' })
  await contactsOf(ada).edit(id, { company_id: null })
  const other = await addContact({ company: 'Larkfield' })
  await merge(id, { other_id: other.id })
  expect(await contactsOf(ada).get(id)).toMatchObject({ company: 'Larkfield', company_id: company.id })
})

describe('managers', () => {
  test('a contact that would report to itself, perhaps through others, gets no manager', async () => {
    const boss = await addContact({ first_name: 'Boss' })
    const middle = await addContact({ first_name: 'Middle', reports_to_id: boss.id })
    const other = await addContact({ first_name: 'Other', reports_to_id: middle.id })
    expect((await merge(boss.id, { other_id: other.id })).statusCode).toBe(204)
    expect(await contactsOf(ada).get(boss.id)).toMatchObject({ reports_to_id: null })
    expect(await contactsOf(ada).get(middle.id)).toMatchObject({ reports_to_id: boss.id })
    const report = await addContact({ first_name: 'Report', reports_to_id: boss.id })
    expect((await merge(report.id, { other_id: boss.id })).statusCode).toBe(204)
    expect(await contactsOf(ada).get(report.id)).toMatchObject({ reports_to_id: null })
  })

  test('the manager of the other contact is kept if the contact has none', async () => {
    const boss = await addContact({ first_name: 'Boss' })
    const [{ id }, other] = [await addContact(), await addContact({ reports_to_id: boss.id })]
    await merge(id, { other_id: other.id })
    expect(await contactsOf(ada).get(id)).toMatchObject({ reports_to_id: boss.id })
  })
})

test('a merge of a contact with itself, with a missing contact, or with a contact of another owner is refused', async () => {
  const { id } = await addContact()
  const grace = await signInAs(app, 'grace')
  const foreign = await addContact({}, grace)
  const before = await readOwnedRows(app, ada.id)
  expect((await merge(id, { other_id: id.toUpperCase() /* ids may be written in capitals */ })).json()).toMatchObject({
    code: 'invalid',
    fields: { other_id: 'Choose two different contacts' },
  })
  for (const other_id of [foreign.id, '01930000-0000-7000-8000-000000000999'])
    expect((await merge(id, { other_id })).json()).toMatchObject({ code: 'not_found' })
  expect((await merge(foreign.id, { other_id: id })).statusCode).toBe(404)
  expect(await readOwnedRows(app, ada.id)).toEqual(before)
})

test('a merge is refused if the request has an older version of one of the contacts', async () => {
  const [{ id, version }, other] = [await addContact(), await addContact()]
  await contactsOf(ada).edit(other.id, { title: 'Buyer' })
  const response = await merge(id, { other_id: other.id, version, other_version: other.version })
  expect(response.statusCode).toBe(409)
  expect(response.json()).toMatchObject({ code: 'conflict', detail: expect.stringContaining('was changed since') })
  expect((await merge(id, { other_id: other.id, version, other_version: other.version + 1 })).statusCode).toBe(204)
})

test('of simultaneous merges of the same two contacts, in both directions, one succeeds and the others get 404', async () => {
  const [one, other] = [await addContact(), await addContact()]
  const responses = await Promise.all(
    Array.from({ length: 6 }, (_unused, index) =>
      index % 2 === 0 ? merge(one.id, { other_id: other.id }) : merge(other.id, { other_id: one.id }),
    ),
  )
  expect(responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([204, 404, 404, 404, 404, 404])
  const reads = await Promise.all([one, other].map(({ id }) => ada.send({ url: `/api/contacts/${id}` })))
  expect(reads.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 404])
})

test('notes and edits that are written during a merge are refused, or are on the merged contact', async () => {
  const [one, other] = [await addContact({ title: '' }), await addContact()]
  const notes = Array.from({ length: 10 }, () =>
    ada.send({ method: 'POST', url: '/api/notes', payload: { contact_id: other.id, content: 'During the merge' } }),
  )
  const edit = contactsOf(ada).patch(other.id, { title: 'During the merge' })
  const [merged, edited, ...added] = await Promise.all([merge(one.id, { other_id: other.id }), edit, ...notes])
  expect(merged.statusCode, merged.body).toBe(204)
  expect([200, 404]).toContain(edited.statusCode)
  if (edited.statusCode === 200) expect(await contactsOf(ada).get(one.id)).toMatchObject({ title: 'During the merge' })
  const created = added.filter(({ statusCode }) => statusCode === 201).length
  expect(added.filter(({ statusCode }) => statusCode === 404).length + created).toBe(10)
  const { rows } = (await ada.send({ url: `/api/notes?contact_id=${one.id}` })).json()
  expect(rows).toHaveLength(created)
})

test('an undo keeps what was edited after the merge, and lists it', async () => {
  const [one, other] = [await addContact({ title: '' }), await addContact({ title: 'Buyer', phone: '+44 20 7946 0118' })]
  const merged = await merge(one.id, { other_id: other.id })
  await contactsOf(ada).edit(one.id, { title: 'Owner' })
  const response = await ada.send({ method: 'POST', url: `/api/changes/${String(merged.headers['foyer-change'])}/undo` })
  expect(response.json().skipped).toEqual([{ table: 'crm_contacts', id: one.id, why: 'edited', columns: ['title'] }])
  expect(await contactsOf(ada).get(one.id)).toMatchObject({ title: 'Owner', phone: '' })
  expect(await contactsOf(ada).get(other.id)).toMatchObject({ title: 'Buyer', phone: '+44 20 7946 0118' })
})

test('a comparison shows both contacts and the records that a merge would move', async () => {
  const [one, other] = [await addContact(), await addContact()]
  for (const title of ['Waiting room', 'Lockers']) await recordsOf(ada, '/api/deals').add({ title, contact_id: other.id })
  const response = await ada.send({ url: `/api/contacts/${one.id}/merge?other_id=${other.id}` })
  expect(response.json()).toMatchObject({
    contact: { id: one.id },
    other: { id: other.id },
    moves: [{ plural: 'deals', count: 2, titles: ['Lockers', 'Waiting room'] }],
  })
})

test('the recent merges are listed until they are undone, and again after a redo', async () => {
  const person = await signInAs(app, 'ada')
  const [one, other] = [await addContact({}, person), await addContact({ first_name: 'I.', last_name: 'Van Tongeren' }, person)]
  const readMerges = async () => (await person.send({ url: '/api/contacts/merges' })).json().rows
  const merged = await merge(one.id, { other_id: other.id }, person)
  const expected = { contact: { id: one.id, name: 'Imara Vantongeren', exists: true }, other_name: 'I. Van Tongeren' }
  expect(await readMerges()).toMatchObject([{ ...expected, change: merged.headers['foyer-change'] }])
  const undone = await undo(person, merged)
  expect(await readMerges()).toEqual([])
  const redone = await undo(person, undone)
  expect(await readMerges()).toMatchObject([{ ...expected, change: redone.headers['foyer-change'] }])
  await undo(person, redone)
  expect(await contactsOf(person).get(other.id)).toMatchObject({ first_name: 'I.' })
})

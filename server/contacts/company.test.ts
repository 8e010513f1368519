// A contact has the name of its company (`company`) and a link to a company record (`company_id`), which must agree.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
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
  expect((await contacts.patch(id, { company_id: ada.id })).statusCode).toBe(404)
  expect(await readCompany()).toEqual(linked)
  const newContact = await contacts.add({ first_name: 'Ben', last_name: 'Lee', company_id: engines.id })
  expect(await contacts.get(newContact.id)).toMatchObject(linked)
})

// The route of the function import-crm-contacts.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf } from '#server/testing/records.ts'

let app: TestApp
let ada: Person
beforeAll(async () => {
  app = await openTestApp()
  ada = await signInAs(app, 'ada')
})
afterAll(() => app.stop())

const send = (fileContent: string, fileName: string) =>
  ada.send({ method: 'POST', url: '/functions/v1/import-crm-contacts', payload: { fileContent, fileName } })

test('the function imports contacts and returns the number of created and updated ones', async () => {
  await recordsOf(ada, '/api/contacts').add({ first_name: 'Ann', last_name: 'Lee', email: 'ann@example.org' })
  const response = await send('Name,Email,Title\nAnn Lee,ann@example.org,CEO\nBob Ray,bob@example.org,\n,,CFO\n', 'people.csv')
  expect([response.statusCode, response.json().imported]).toEqual([200, 2])
  const { rows } = (await ada.send({ url: '/api/imports' })).json()
  expect(rows).toMatchObject([{ id: response.json().import_id, file_name: 'people.csv', failed: 1, status: 'finished' }])
})

test('simultaneous forms and imports with one email create one contact, and two people with one phone stay two contacts', async () => {
  const grace = await signInAs(app, 'grace')
  const contacts = recordsOf(grace, '/api/contacts')
  const phone = '+44 20 7946 0118'
  const fileContent = `First name,Last name,Email,Phone\nAnn,Lee,ann@example.org,${phone}\nBob,Ray,bob@example.org,${phone}\n`
  const payload = { fileContent, fileName: 'people.csv' }
  const imports = Array.from({ length: 2 }, () => grace.send({ method: 'POST', url: '/functions/v1/import-crm-contacts', payload }))
  const forms = Array.from({ length: 40 }, () =>
    contacts.post('', { first_name: 'Ann', last_name: 'Lee', email: 'Ann@Example.org', phone }),
  )
  const [imported, added] = await Promise.all([Promise.all(imports), Promise.all(forms)])
  expect(new Set(imported.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  expect(added.every(({ statusCode }) => statusCode === 201 || statusCode === 409)).toBe(true)
  const { rows } = await contacts.list({ sort: 'email' })
  expect(rows.map(({ email }) => String(email).toLowerCase())).toEqual(['ann@example.org', 'bob@example.org'])
})

test('contacts are found in a text that is not a table', async () => {
  const response = await send('Dee Fox <dee@example.org>, Eve Gray <eve@example.org>', 'mails.txt')
  expect([response.statusCode, response.json().imported]).toEqual([200, 2])
})

test.each([
  ['', 'people.csv', { file: 'This file is empty.' }],
  ['Name\nAnn', 'people.exe', { file_name: 'Choose a .csv, .txt, .text, .tsv, .vcf or .xlsx file.' }],
  ['Xyzzy,Plugh\n1,2\n', 'people.csv', { fields: 'No column has a field. Choose at least one.' }],
])('%j named %s is refused with a sentence, and leaves no import that waits for its start', async (content, fileName, fields) => {
  const response = await send(content, fileName)
  expect([response.statusCode, response.json().fields]).toEqual([422, fields])
  expect((await ada.send({ url: '/api/imports?limit=1' })).json().rows).not.toMatchObject([{ status: 'uploaded' }])
})

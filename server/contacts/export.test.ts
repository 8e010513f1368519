// The columns of the CSV export of contacts that other kinds do not have.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs } from '#server/testing/people.ts'
import { recordsOf } from '#server/testing/records.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

test('an export contains the name of the manager and the full text of the newest note', async () => {
  const ada = await signInAs(app, 'ada')
  const contacts = recordsOf(ada, '/api/contacts')
  const notes = recordsOf(ada, '/api/notes')
  const manager = await contacts.add({ first_name: 'Ada', last_name: 'Byron', description: 'Countess' }) // is not exported as a note
  const { id } = await contacts.add({ first_name: 'Ann', last_name: 'Lee', reports_to_id: manager.id })
  await notes.add({ contact_id: id, content: 'Older' })
  await notes.add({ contact_id: id, content: `Newest,\n${'x'.repeat(300)}` })
  const columns = ['first_name', 'reports_to', 'notes']
  const { body } = await contacts.post('/export', { matching: {}, columns, sort: 'name' })
  const byteOrderMark = '\ufeff'
  expect(body).toBe(`${byteOrderMark}first_name,reports_to,notes\r\nAda,,\r\nAnn,Ada Byron,"Newest,\n${'x'.repeat(300)}"\r\n`)
  const withAllColumns = await contacts.post('/export', { matching: {} })
  expect(withAllColumns.body.split('\r\n')[0]).toContain('reports_to')
})

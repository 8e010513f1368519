// Responses of Insightly that no client expects: the sync stores what can be stored, and otherwise says why it ended.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startInsightly, type Fault, type InsightlyServer } from '#server/testing/insightly-server.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { connectCrm, syncCrm } from '#server/testing/sync.ts'

let app: TestApp
let crm: InsightlyServer
let ada: Person
beforeAll(async () => {
  app = await openTestApp({ allowedHosts: ['127.0.0.1'] })
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  crm = await startInsightly()
  return () => crm[Symbol.asyncDispose]()
})

const failContacts = (fault: Fault): void => crm.setRespond(({ path }) => (path === '/v3.1/Contacts' ? fault : undefined))

test('values that are nested too deeply end the sync with a message', async () => {
  const { id } = await connectCrm(ada, crm)
  const body = `[{"CONTACT_ID":1,"LAST_NAME":"Byron","CUSTOM":${'['.repeat(50_000)}${']'.repeat(50_000)}}]`
  failContacts({ status: 200, body })
  expect(await syncCrm(ada, id)).toMatchObject({ status: 'failed', problem: 'Insightly gave an answer that could not be used.' })
})

test('a contact with an id that is too long cannot be read, so it is counted as failed without a reason', async () => {
  const { id } = await connectCrm(ada, crm)
  failContacts({ status: 200, body: [{ CONTACT_ID: 'x'.repeat(201), LAST_NAME: 'Byron' }] })
  expect(await syncCrm(ada, id)).toMatchObject({ status: 'done', failed: 1, reasons: [] })
})

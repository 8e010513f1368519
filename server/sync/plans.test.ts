// The statements that store a page of another CRM read few rows of a large table.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { callerFor, type Caller } from '#server/platform/database/transaction.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs } from '#server/testing/people.ts'
import { isScan, openPlans, type Plans } from '#server/testing/plans.ts'
import { storePage } from './store-page.ts'

let app: TestApp
let plans: Plans
let caller: Caller
let connectionId = ''
beforeAll(async () => {
  app = await openTestApp()
  // the test uses `caller` and `connectionId` of Ada, the last one
  for (const name of ['grace', 'ada'] as const) {
    const person = await signInAs(app, name)
    caller = callerFor(person.id)
    const payload = { api_key: 'a-key-of-the-test', check: false }
    connectionId = (await person.send({ method: 'POST', url: '/api/crm-connections', payload })).json().id
    // half of the contacts come from a connection that was deleted
    await app.tableOwner.query(
      `insert into crm_contacts (user_id, last_name, email, external_id, crm_connection_id, raw_data)
       select $1, 'Last' || n, n || '@example.org', n::text, case when n % 2 = 0 then $2::uuid end,
         jsonb_build_object('synced', jsonb_build_object('last_name', 'Last' || n, 'email', n || '@example.org', 'tags', '[]'::jsonb))
       from generate_series(1, 6000) n`,
      [person.id, connectionId],
    )
  }
  await app.tableOwner.query('vacuum analyze crm_contacts')
  plans = await openPlans(app)
})
afterAll(async () => {
  await plans.stop()
  await app.stop()
})
beforeEach(() => plans.clear())

test('contacts of a page are found by their ids in the other CRM, and by the duplicate rule', async () => {
  const page = Array.from({ length: 100 }, (_, index) => {
    const number = index < 90 ? index + 1 : index + 10_000
    return { id: String(number), fields: { last_name: `Last${number}`, email: `${number}@example.org` }, tags: [], details: {} }
  })
  const { created, unchanged } = await plans.database.transaction(caller, 'Copied', () => storePage(caller.owner, connectionId, page))
  expect({ created, unchanged }).toEqual({ created: 10, unchanged: 90 })
  const scans = plans
    .readNodes()
    .filter((node) => isScan(node) && node['Relation Name'] === 'crm_contacts')
    .map((node) => ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1))
  expect(scans.length).toBeGreaterThan(0)
  expect(Math.max(...scans)).toBeLessThan(1000)
})

// The statements that find records for the rows of a file stay fast while the statistics of the tables are from an earlier moment.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callerFor } from '#server/platform/database/transaction.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs } from '#server/testing/people.ts'
import { isScan, openPlans, type Plans } from '#server/testing/plans.ts'
import { findContacts, findDeals } from './find-linked.ts'

let app: TestApp
let plans: Plans
beforeAll(async () => {
  app = await openTestApp()
  plans = await openPlans(app)
})
afterAll(async () => {
  await plans.stop()
  await app.stop()
})

test('with statistics from a time when all contacts and deals had one name, a search for 100 names reads each table once', async () => {
  const { id } = await signInAs(app, 'grace')
  const insert = async (name: string): Promise<void> => {
    const rows = `${name} from generate_series(1, 3000) number`
    await app.tableOwner.query(`insert into crm_contacts (user_id, first_name, last_name) select $1, '', ${rows}`, [id])
    await app.tableOwner.query(`insert into deals (user_id, title) select $1, ${rows}`, [id])
  }
  await insert(`'Lee'`)
  await app.tableOwner.query('vacuum analyze crm_contacts, deals')
  await insert(`'Lee ' || number`)
  const names = Array.from({ length: 100 }, (_, index) => `Lee ${index + 1}`)
  const find = () => plans.database.read(callerFor(id), () => Promise.all([findContacts(id, names), findDeals(id, names)]))
  for (let run = 0; run < 6; run++) await find() // from the sixth run on, PostgreSQL may use one plan for all values
  plans.clear()
  const [contacts, deals] = await find()
  expect([contacts.size, deals.size]).toEqual([100, 100])
  const scans = plans.readNodes().filter(isScan)
  const rowsRead = (table: string): number =>
    scans
      .filter((node) => node['Relation Name'] === table)
      .reduce((sum, node) => sum + ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1), 0)
  for (const table of ['crm_contacts', 'deals']) {
    expect(rowsRead(table)).toBeGreaterThan(0)
    expect(rowsRead(table)).toBeLessThanOrEqual(6000)
  }
})

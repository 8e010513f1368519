// The statements that find records for the rows of a file read few rows of large tables.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { callerFor, type Caller } from '#server/platform/database/transaction.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs } from '#server/testing/people.ts'
import { isScan, openPlans, type Plans } from '#server/testing/plans.ts'
import { findContacts, findDeals } from './find-linked.ts'
import { storeOtherRows } from './store-other-rows.ts'

let app: TestApp
let plans: Plans
let caller: Caller
beforeAll(async () => {
  app = await openTestApp()
  for (const name of ['grace', 'ada'] as const) {
    const { id } = await signInAs(app, name)
    caller = callerFor(id)
    const series = 'generate_series(1, 5000) number'
    for (const statement of [
      `insert into crm_contacts (user_id, first_name, last_name, email) select $1, 'Ann', md5(number::text), number || '@example.org' from ${series}`,
      `insert into companies (user_id, name) select $1, 'Engines ' || number from ${series}`,
      `insert into deals (user_id, title) select $1, 'Boiler ' || number from ${series}`,
      `insert into tasks (user_id, title) select $1, 'Call ' || number from ${series}`,
    ])
      await app.tableOwner.query(statement, [id])
  }
  await app.tableOwner.query('vacuum analyze crm_contacts, companies, deals, tasks')
  plans = await openPlans(app)
})
afterAll(async () => {
  await plans.stop()
  await app.stop()
})
beforeEach(() => plans.clear())

/** Returns the numbers of rows that the scans of the large tables have read. */
const readScans = () =>
  plans
    .readNodes()
    .filter((node) => isScan(node) && /^(crm_contacts|companies|deals|tasks)$/.test(node['Relation Name'] ?? ''))
    .map((node) => ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1))

const numbers = Array.from({ length: 100 }, (_, index) => index + 1)

test('contacts are found by email and by name, and deals by title', async () => {
  const { rows } = await app.tableOwner.query<{ name: string }>('select name from crm_contacts where user_id = $1 limit 100', [
    caller.owner,
  ])
  const names = rows.map(({ name }, index) => (index % 10 === 0 ? name.toUpperCase() : name))
  const found = await plans.database.read(caller, () =>
    findContacts(caller.owner, [...names, ...numbers.map((number) => `${number}@example.org`)]),
  )
  expect(found.size).toBe(200)
  expect(
    (
      await plans.database.read(caller, () =>
        findDeals(
          caller.owner,
          numbers.map((number) => `Boiler ${number}`),
        ),
      )
    ).size,
  ).toBe(100)
  const scans = readScans()
  expect(scans.length).toBeGreaterThan(0)
  expect(Math.max(...scans)).toBeLessThan(1000)
})

test.each([
  ['company', 'name', 'ENGINES'],
  ['deal', 'title', 'Boiler'],
  ['task', 'title', 'Call'],
] as const)('each existing %s is found by an index', async (name, field, word) => {
  const kind = app.context.kinds.find(({ singular }) => singular === name)
  if (!kind) throw new Error(`There is no kind ${name}`)
  const records = numbers.map((number) => ({
    fields: { [field]: `${word} ${number}` },
    links: {},
    notes: '',
    raw_data: {},
    incomplete: [],
    unstorable: [],
  }))
  const options = { owner: caller.owner, kind, name, mode: 'create' } as const
  const outcomes = await plans.database.transaction(caller, 'Imported rows', () => storeOtherRows(options, records))
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['found']))
  const scans = readScans()
  expect(scans.length).toBeGreaterThan(0)
  expect(Math.max(...scans)).toBeLessThan(1000)
})

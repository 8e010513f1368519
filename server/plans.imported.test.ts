// Queries use indexes also for rows that were just imported, for which PostgreSQL has no statistics yet.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { callerFor, type Caller } from '#server/platform/database/transaction.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs } from '#server/testing/people.ts'
import { isScan, openPlans, type Plans } from '#server/testing/plans.ts'
import { companies } from '#server/companies/kind.ts'
import { contacts } from '#server/contacts/kind.ts'
import { deals } from '#server/deals/kind.ts'
import { kinds as allKinds } from '#server/features.ts'
import type { RecordKind } from '#server/platform/records/kind.ts'
import { countRows, readPage, type PageRequest } from '#server/platform/records/page.ts'
import { searchRecords } from '#server/search/search.ts'
import { tasks } from '#server/tasks/kind.ts'
import { addCompanies } from '../scripts/demo-companies.ts'
import { addContacts } from '../scripts/demo-contacts.ts'
import { addDeals, addNotes, addTasks } from '../scripts/demo-work.ts'

let app: TestApp
let plans: Plans
let caller: Caller

const kinds = [contacts, companies, deals, tasks]
const tables = [...kinds.map(({ table }) => table), 'notes']
const wholeList: PageRequest = { search: '', filter: [], sort: 'newest', order: 'asc', limit: 50, now: new Date() }
const read = <T>(work: () => Promise<T>): Promise<T> => plans.database.read(caller, work)

// The tables have no statistics until the last test, which analyzes them and then adds the rows of a second owner.
beforeAll(async () => {
  app = await openTestApp()
  const ada = await signInAs(app, 'ada')
  caller = callerFor(ada.id)
  await addRows(ada.id)
  plans = await openPlans(app)
}, 120_000)
afterAll(async () => {
  await plans.stop()
  await app.stop()
})
beforeEach(() => plans.clear())

async function addRows(owner: string): Promise<void> {
  for (const add of [addCompanies, addContacts, addNotes, addDeals, addTasks]) await add(app.database, owner, 4000)
}

/**
 * Reads the first two pages of every sort in both orders, and the first page and the count of three searches. The demo data contains the
 * words "ottoline" and "oak counter", and no record matches "zzzzzz".
 */
async function readPages(kind: RecordKind): Promise<void> {
  for (const sort of ['newest', ...Object.keys(kind.sorts)])
    for (const order of ['asc', 'desc'] as const) {
      const page = await read(() => readPage(kind, caller.owner, { ...wholeList, sort, order }))
      await read(() => readPage(kind, caller.owner, { ...wholeList, sort, order, after: page.next ?? undefined }))
    }
  for (const search of ['ottoline', 'zzzzzz', 'oak counter'])
    await read(() =>
      Promise.all([readPage(kind, caller.owner, { ...wholeList, search }), countRows(kind, caller.owner, { ...wholeList, search })]),
    )
}

const sequentialScans = (): unknown[] =>
  plans.readNodes().filter((node) => isScan(node) && node['Node Type'] === 'Seq Scan' && tables.includes(node['Relation Name'] ?? ''))

test.each(kinds)('pages and searches of $plural use an index', async (kind) => {
  await readPages(kind)
  expect(sequentialScans()).toEqual([])
  expect(plans.readIndexNames()).toEqual(
    expect.arrayContaining([`${kind.table}_newest`, ...Object.keys(kind.sorts).map((sort) => expect.stringContaining(sort))]),
  )
})

test('the search of the command palette uses indexes, also for a word with a typo ("mullxr")', async () => {
  for (const search of ['imara', 'mullxr', 'call back']) await searchRecords(plans.database, caller, allKinds, { search, limit: 12 })
  expect(sequentialScans()).toEqual([])
})

// According to the statistics the second owner has almost no rows, so the planner might prefer to sort them instead of using an index.
test('pages and searches of rows that were added since the last analyze use an index', async () => {
  await app.tableOwner.query(`analyze ${tables.join(', ')}`)
  const grace = await signInAs(app, 'grace')
  await addRows(grace.id)
  caller = callerFor(grace.id)
  for (const kind of kinds) await readPages(kind)
  expect(sequentialScans()).toEqual([])
}, 120_000)

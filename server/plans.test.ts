// Lists, searches, counts and edits use indexes, as PostgreSQL's query plans show, and read no more rows than they need.
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { callerFor, type Caller } from '#server/platform/database/transaction.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { addBookingRows } from '#server/testing/bookings.ts'
import { addFileRows, addFolderRows } from '#server/testing/files.ts'
import { signInAs } from '#server/testing/people.ts'
import { kindsWithFilters as kinds } from '#server/testing/kinds-with-filters.ts'
import { isScan, openPlans, type Plans } from '#server/testing/plans.ts'
import { unlinkedContactsFilter } from '#contract/companyNames.ts'
import { companies } from '#server/companies/kind.ts'
import type { Contact } from '#contract/contacts.ts'
import { contacts } from '#server/contacts/kind.ts'
import { readDoneSteps } from '#server/dashboard/first-steps.store.ts'
import { countNewContacts, isEmpty, readDueTasks } from '#server/dashboard/store.ts'
import { readTotalsOfOpenStages } from '#server/deals/deals.ts'
import { deals } from '#server/deals/kind.ts'
import { kinds as allKinds } from '#server/features.ts'
import { readTotalsOfStages } from '#server/deals/store.ts'
import { searchRecords } from '#server/search/search.ts'
import { addCompanies } from '../scripts/demo-companies.ts'
import { addContacts } from '../scripts/demo-contacts.ts'
import { addDeals, addNotes, addTasks } from '../scripts/demo-work.ts'
import type { RecordKind } from '#server/platform/records/kind.ts'
import { countRows, readPage, type PageRequest } from '#server/platform/records/page.ts'
import { readRecord } from '#server/platform/records/rows.ts'
import { sumRows } from '#server/platform/records/sum.ts'
import { createRecord, updateRecord } from '#server/platform/records/verbs.ts'

let app: TestApp
let plans: Plans
let caller: Caller

beforeAll(async () => {
  app = await openTestApp()
  const ada = await signInAs(app, 'ada')
  const grace = await signInAs(app, 'grace')
  caller = callerFor(ada.id)
  for (const [person, rowCount] of [
    [ada, 2000],
    [grace, 10_000],
  ] as const) {
    for (const add of [addCompanies, addContacts, addNotes, addDeals, addTasks]) await add(app.database, person.id, rowCount)
    await addFileRows(app, person.id, rowCount, `'Report ' || md5(number::text), number, null::uuid`)
    await addFolderRows(app, person.id, rowCount)
    await app.tableOwner.query(
      `with form as (insert into lead_forms (user_id, title, slug)
         select $1::uuid, 'Form ' || md5(n::text), 'form-' || $1::uuid || n from generate_series(1, $2::int / 10) n returning id)
       insert into form_submissions (user_id, form_id, name)
       select $1::uuid, (select id from form limit 1), 'Visitor ' || md5(n::text) from generate_series(1, $2::int) n`,
      [person.id, rowCount],
    )
    await app.tableOwner.query(
      `insert into conversations (user_id, title) select $1, 'Question ' || md5(n::text) from generate_series(1, $2::int) n`,
      [person.id, rowCount],
    )
    await addBookingRows(app, person.id, rowCount)
  }
  await vi.waitUntil(updateStatistics, { timeout: 60_000 })
  plans = await openPlans(app)
}, 120_000)
afterAll(async () => {
  await plans.stop()
  await app.stop()
})
beforeEach(() => plans.clear())

/**
 * Analyzes and vacuums the tables. Returns true if all pages are then marked as visible to all transactions, which index-only scans need;
 * an open transaction of another test can prevent it.
 */
async function updateStatistics(): Promise<boolean> {
  const tables = allKinds.map(({ table }) => table)
  await app.tableOwner.query(`vacuum analyze ${tables.join(', ')}`)
  const { rows } = await app.tableOwner.query<{ isVisible: boolean }>(
    'select bool_and(relallvisible = relpages) as "isVisible" from pg_class where oid = any($1::regclass[])',
    [tables],
  )
  return rows[0]?.isVisible === true
}

const wholeList: PageRequest = { search: '', filter: [], sort: 'newest', order: 'asc', limit: 50, now: new Date() }
const list = (kind: RecordKind, request: Partial<PageRequest>) =>
  plans.database.read(caller, () => readPage(kind, caller.owner, { ...wholeList, ...request }))
const count = (kind: RecordKind, request: Partial<PageRequest>) =>
  plans.database.read(caller, () => countRows(kind, caller.owner, { ...wholeList, ...request }))

const sortCases = kinds.flatMap(({ kind, filter }) =>
  ['newest', ...Object.keys(kind.sorts)].flatMap((sort) =>
    // the sort `newest` is always newest first, whatever the order
    (sort === 'newest' ? (['asc'] as const) : (['asc', 'desc'] as const)).map((order) => ({
      plural: kind.plural,
      sort,
      order,
      kind,
      filter,
    })),
  ),
)

test.each(sortCases)(
  'the first two pages of $plural sorted by $sort, $order, use an index and read no rows of other pages',
  async ({ kind, sort, order }) => {
    const { next } = await list(kind, { sort, order })
    await list(kind, { sort, order, after: next ?? undefined })
    const nodes = plans.readNodes()
    const nodesOfList = nodes.filter((node) => node['Relation Name'] === kind.table && node.Alias === 'c') // `c` is the list's own table
    expect(nodesOfList.map((node) => node['Node Type'])).toEqual(['Index Scan', 'Index Scan'])
    expect(nodes.filter(isScan).filter((node) => !node['Node Type'].startsWith('Index'))).toEqual([])
    expect(nodes.filter((node) => node['Node Type'].includes('Sort'))).toEqual([])
    expect(nodes.filter((node) => node['Rows Removed by Filter'])).toEqual([])
  },
)

test.each(sortCases.filter(({ sort, order }) => sort !== 'newest' && order === 'asc'))(
  'the second page of $plural sorted by $sort starts to read the index at the cursor',
  async ({ kind, sort, order }) => {
    const { next } = await list(kind, { sort, order, limit: 20 })
    plans.clear()
    await list(kind, { sort, order, limit: 20, after: next ?? undefined })
    const [condition = ''] = plans.readNodes().flatMap((node) => node['Index Cond'] ?? [])
    expect(condition).toContain('ROW(') // the comparison with the values of the cursor
    expect(condition).not.toMatch(/> ''::text|is not null/i) // conditions with which the scan would start at the first entry of the index
  },
)

test.each(['asc', 'desc'] as const)(
  'a search sorted by name, %s, reads at most 500 rows of the sort index and then sorts its hits',
  async (order) => {
    const { rows, next } = await list(contacts, { search: 'ottoline', sort: 'name', order, limit: 20 })
    expect(rows).toHaveLength(20)
    await list(contacts, { search: 'ottoline', sort: 'name', order, limit: 20, after: next ?? undefined })
    // the 500 rows are `nearRowCount` in page.ts
    const sortIndexScans = plans.readNodes().filter((node) => node['Index Name'] === 'crm_contacts_name')
    expect(sortIndexScans.map((node) => node['Actual Rows'] ?? Infinity).every((rowCount) => rowCount <= 500)).toBe(true)
    expect(plans.readIndexNames()).toContainEqual(expect.stringMatching(/^crm_contacts_(search|newest)$/))
  },
)

test.each(sortCases)(
  'pages of $plural with three conditions, sorted by $sort, $order, use an index',
  async ({ kind, sort, order, filter }) => {
    const { rows, next } = await list(kind, { sort, order, filter, limit: 20 })
    expect(rows.length).toBeGreaterThan(0)
    if (next) await list(kind, { sort, order, filter, limit: 20, after: next })
    await count(kind, { filter })
    expect(plans.readNodes().filter((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] !== 'profiles')).toEqual([])
    expect(plans.readIndexNames()).toContainEqual(expect.stringMatching(new RegExp(`^${kind.table}_`)))
  },
)

/** Numbers with separators, which may be phone numbers or parts of titles. */
const separatedNumbers = ['06 12 34 56 78', '2024-01-15', '12 2024']

test.each(
  kinds.flatMap(({ kind }) => {
    // short words are searched in the contacts only: the tables of the other kinds are so small that the planner may prefer a scan
    const shortWords = kind === contacts ? ['an', 'qz'] : []
    return ['ottoline', 'zzzzzz', 'oak counter', '79460118', ...separatedNumbers, ...shortWords].map((search) => ({
      kind,
      plural: kind.plural,
      search,
    }))
  }),
)('a search of $plural for $search looks for the words in an index, and reads only rows that match', async ({ kind, search }) => {
  await list(kind, { search })
  await count(kind, { search })
  // an index-only scan may filter rows: the index by newest contains the text for searches, so the scan reads no rows of the table
  const wastefulNodes = plans.readNodes().filter((node) => node['Rows Removed by Filter'] && node['Node Type'] !== 'Index Only Scan')
  expect(wastefulNodes).toEqual([])
  expect(plans.readIndexNames()).toContainEqual(expect.stringMatching(new RegExp(`^${kind.table}_(search|newest)$`)))
})

// Texts are compared without case and accents. The function `app.fold` does both, but a list must not call it for each row and condition.
test('twelve conditions on two texts remove the accents of each text only once per row, and do not call app.fold', async () => {
  const conditions = ['a', 'e', 'i', 'o', 'u', '@'].flatMap((has) => [
    { field: 'email', has },
    { field: 'company', has },
  ])
  await list(contacts, { filter: conditions })
  await count(contacts, { filter: conditions })
  const filters = plans.readNodes().flatMap(({ Filter }) => (Filter?.includes('like') || Filter?.includes('~~') ? [Filter] : []))
  expect(filters).toHaveLength(2) // of the page and of the count
  for (const filter of filters) {
    expect(filter.match(/unaccent\(/g)).toHaveLength(2) // once for `email` and once for `company`
    expect(filter).not.toContain('app.fold')
  }
})

test('a search for a part of a Cyrillic, Greek or Japanese name uses the search index', async () => {
  const names = ['Тарас Шевченко', 'Ελένη Παπαδοπούλου', '田中太郎 山本']
  for (const [first_name = '', last_name = ''] of names.map((name) => name.split(' ')))
    await createRecord({ ...app, now: () => wholeList.now }, caller, contacts, { first_name, last_name })
  for (const search of ['шевчен', 'παπαδο', '田中太']) {
    plans.clear()
    const { rows } = await list(contacts, { search })
    expect(rows).toHaveLength(1)
    expect(plans.readIndexNames()).toContain('crm_contacts_search')
  }
})

test.each(separatedNumbers)('a search for %s, which may be a phone number or a part of a title, uses the search index', async (search) => {
  await list(contacts, { search })
  await count(contacts, { search })
  expect(plans.readIndexNames()).toContain('crm_contacts_search')
  expect(plans.readIndexNames()).not.toContain('crm_contacts_newest')
})

test('the totals of the board use an index-only scan', async () => {
  await plans.database.read(caller, () => readTotalsOfStages(caller.owner, wholeList))
  expect(plans.readNodes().filter(isScan)).toMatchObject([{ 'Node Type': 'Index Only Scan', 'Index Name': 'deals_stage' }])
})

test.each([
  { kind: companies, field: 'employees_count' },
  { kind: deals, field: 'value', group_by: 'stage' },
  { kind: deals, field: 'probability' },
])(
  'the sum of $field of $kind.plural reads only the rows of the owner, and with a filter through an index',
  async ({ kind, ...request }) => {
    const { filter = [] } = kinds.find((entry) => entry.kind === kind) ?? {}
    const sumOf = (criteria: Partial<PageRequest>) =>
      plans.database.read(caller, () => sumRows(kind, caller.owner, { ...wholeList, ...request, ...criteria }))
    const [all] = await sumOf({})
    expect(all?.count).toBeGreaterThan(0)
    await sumOf({ filter })
    await sumOf({ search: 'ottoline' })
    expect(plans.readNodes().filter((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] !== 'profiles')).toEqual([])
  },
)

// short words, words with typos, a word without hits, a part of a phone number, numbers with separators and two words
test.each(['imara', 'qz', 'mullxr', 'recpetion', 'zzzzzz', '79460118', ...separatedNumbers, 'call back'])(
  'the search of the command palette for %s uses indexes',
  async (search) => {
    await searchRecords(plans.database, caller, allKinds, { search, limit: 12 })
    const scans = plans.readNodes().filter(isScan)
    expect(scans.length).toBeGreaterThan(5)
    expect(scans.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
  },
)

test('the dashboard counts with index-only scans', async () => {
  await plans.database.read(caller, () =>
    Promise.all([
      readDueTasks(caller.owner, wholeList.now),
      readTotalsOfOpenStages(caller.owner),
      countNewContacts(caller.owner, wholeList.now),
    ]),
  )
  const indexOnlyScans = plans.readNodes().filter((node) => node['Node Type'] === 'Index Only Scan')
  expect(indexOnlyScans.map((node) => node['Index Name'])).toEqual(
    expect.arrayContaining(['tasks_open', 'deals_stage', 'crm_contacts_lead_source']),
  )
  expect(plans.readNodes().filter((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] !== 'profiles')).toEqual([])
})

test('the first steps on the dashboard, and whether the workspace is empty, are read from indexes', async () => {
  await plans.database.read(caller, () => Promise.all([readDoneSteps(caller.owner), isEmpty(caller.owner, allKinds)]))
  expect(plans.readNodes().filter((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] !== 'profiles')).toEqual([])
})

test('adding, changing and reading one contact uses indexes', async () => {
  const services = { database: plans.database, now: () => wholeList.now }
  const fields = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org', phone: '020 7946 0118', company: 'Unknown' }
  const { id } = await createRecord<Contact>(services, caller, contacts, fields)
  await updateRecord(services, caller, contacts, id, { title: 'Countess', phone: '+44 20 7946 0119' })
  await plans.database.read(caller, () => readRecord(contacts, caller.owner, id))
  expect(plans.readNodes().filter((node) => node['Node Type'] === 'Seq Scan' || node['Rows Removed by Filter'])).toEqual([])
  expect(plans.readIndexNames()).toEqual(
    expect.arrayContaining(['profiles_pkey', 'companies_folded_name', 'crm_contacts_email', 'crm_contacts_phone', 'crm_contacts_pkey']),
  )
})

test('contacts that have the name of a company only as text are found by an index, and no other contacts are read', async () => {
  const services = { database: plans.database, now: () => wholeList.now }
  const { id } = await createRecord<Contact>(services, caller, contacts, {
    first_name: 'Ann',
    last_name: 'Lee',
    company: 'No Such Works',
  })
  plans.clear()
  const filter = unlinkedContactsFilter('NO SUCH works')
  expect((await list(contacts, { filter })).rows).toMatchObject([{ id }])
  expect(await count(contacts, { filter })).toEqual({ count: 1, more: false })
  const scans = plans.readNodes().filter((node) => isScan(node) && node['Relation Name'] === 'crm_contacts' && node.Alias !== 'c')
  expect(new Set(scans.map((node) => node['Index Name']))).toEqual(new Set(['crm_contacts_unlinked_company']))
  expect(plans.readNodes().filter((node) => node['Rows Removed by Filter'])).toEqual([])
})

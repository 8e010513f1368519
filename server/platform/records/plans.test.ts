import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDatabase, type Database } from '#server/platform/database/database.ts'
import { openPool } from '#server/platform/database/pool.ts'
import type { Who } from '#server/platform/database/transaction.ts'
import { openTestHouse, type TestHouse } from '#server/testing/app.ts'
import { signInAs } from '#server/testing/cast.ts'
import type { Condition } from '#contract/lists.ts'
import { companies } from '#server/companies/kind.ts'
import { addContact, editContact } from '#server/contacts/contacts.ts'
import { contacts } from '#server/contacts/kind.ts'
import { countNewContacts, readDueTasks } from '#server/dashboard/store.ts'
import { totalOpenStages } from '#server/deals/deals.ts'
import { deals } from '#server/deals/kind.ts'
import { kinds as allKinds } from '#server/features.ts'
import { totalStages } from '#server/deals/store.ts'
import { searchRecords } from '#server/search/search.ts'
import { tasks } from '#server/tasks/kind.ts'
import { addCompanies } from '../../../scripts/demo-companies.ts'
import { addPeople } from '../../../scripts/demo-people.ts'
import { addDeals, addNotes, addTasks } from '../../../scripts/demo-work.ts'
import type { RecordKind } from './kind.ts'
import { countRows, readPage, type PageRequest } from './page.ts'
import { readRecord } from './rows.ts'

/** A step of a plan, as PostgreSQL tells it. */
type Step = {
  'Node Type': string
  'Index Name'?: string
  'Relation Name'?: string
  Alias?: string
  'Rows Removed by Filter'?: number
  Plans?: Step[]
}

let house: TestHouse
let pool: pg.Pool
let database: Database
let who: Who
let told: string[] = []

beforeAll(async () => {
  house = await openTestHouse()
  const ada = await signInAs(house, 'ada')
  const grace = await signInAs(house, 'grace')
  who = { owner: ada.id, actor: `user:${ada.id}` }
  for (const [person, count] of [
    [ada, 2000],
    [grace, 10_000],
  ] as const)
    for (const add of [addCompanies, addPeople, addNotes, addDeals, addTasks]) await add(house.database, person.id, count)
  await explainStatements(String(house.connections.owner.database))
  await house.owner.query('vacuum analyze companies, crm_contacts, deals, tasks, notes')
  pool = openPool(house.connections.application, 1, console.error)
  pool.on('connect', (client) => client.on('notice', ({ message = '' }) => told.push(message)))
  database = createDatabase(pool)
})
afterAll(async () => {
  await pool.end()
  await house.stop()
})
beforeEach(() => {
  told = []
})

const everything: PageRequest = { search: '', filter: [], sort: 'newest', order: 'asc', limit: 50, now: new Date() }
const list = (kind: RecordKind, request: Partial<PageRequest>) =>
  database.read(who, () => readPage(kind, who.owner, { ...everything, ...request }))
const count = (kind: RecordKind, request: Partial<PageRequest>) =>
  database.read(who, () => countRows(kind, who.owner, { ...everything, ...request }))

type Asked = { kind: RecordKind; filter: Condition[] }
const created = { field: 'created_at', from: '2020-01-01' }
/** Every kind, and two conditions and a range on it. */
const kinds: Asked[] = [
  { kind: contacts, filter: [{ field: 'mailing_city', has: 'mill' }, { field: 'lead_source', is: ['Web'] }, created] },
  {
    kind: companies,
    filter: [
      { field: 'tags', is: ['supplier'] },
      { field: 'phone', empty: false },
      { field: 'employees_count', from: 20, to: 60 },
    ],
  },
  {
    kind: deals,
    filter: [
      { field: 'stage', is: ['lead', 'proposal'] },
      { field: 'title', has: 'oak' },
      { field: 'value', from: 1000, to: 9000 },
    ],
  },
  {
    kind: tasks,
    filter: [
      { field: 'status', is: ['pending'] },
      { field: 'priority', is: ['high'] },
      { field: 'due_date', is: ['overdue', 'today'] },
    ],
  },
]

const sorted = kinds.flatMap(({ kind, filter }) =>
  ['newest', ...Object.keys(kind.sorts)].flatMap((sort) =>
    (sort === 'newest' ? (['asc'] as const) : (['asc', 'desc'] as const)).map((order) => ({ many: kind.many, sort, order, kind, filter })),
  ),
)

test.each(sorted)(
  'pages of $many by $sort, $order, walk an index and read nothing that they do not show',
  async ({ kind, sort, order }) => {
    const { next } = await list(kind, { sort, order })
    await list(kind, { sort, order, after: next ?? undefined })
    const steps = stepsTold()
    expect(steps.filter((step) => step['Relation Name'] === kind.table && step.Alias === 'c').map((step) => step['Node Type'])).toEqual([
      'Index Scan',
      'Index Scan',
    ])
    expect(steps.filter(isScan).filter((step) => !step['Node Type'].startsWith('Index'))).toEqual([])
    expect(steps.filter((step) => step['Node Type'].includes('Sort'))).toEqual([])
    expect(steps.filter((step) => step['Rows Removed by Filter'])).toEqual([])
  },
)

test.each(sorted)('$many with two conditions and a range, by $sort, $order, come from an index', async ({ kind, sort, order, filter }) => {
  const { rows, next } = await list(kind, { sort, order, filter, limit: 20 })
  expect(rows.length).toBeGreaterThan(0)
  if (next) await list(kind, { sort, order, filter, limit: 20, after: next })
  await count(kind, { filter })
  expect(stepsTold().filter((step) => step['Node Type'] === 'Seq Scan' && step['Relation Name'] !== 'profiles')).toEqual([])
  expect(indexesUsed()).toContainEqual(expect.stringMatching(new RegExp(`^${kind.table}_`)))
})

test.each(
  kinds.flatMap(({ kind }) => {
    const short = kind === contacts ? ['an', 'qz'] : [] // so few deals are read as cheaply one by one
    return ['ottoline', 'zzzzzz', 'oak counter', '79460118', ...short].map((search) => ({ kind, many: kind.many, search }))
  }),
)('a search of $many for $search looks into an index for the words, and fetches no row that it does not find', async ({ kind, search }) => {
  await list(kind, { search })
  await count(kind, { search })
  const wasteful = stepsTold().filter((step) => step['Rows Removed by Filter'] && step['Node Type'] !== 'Index Only Scan')
  expect(wasteful).toEqual([])
  expect(indexesUsed()).toContainEqual(expect.stringMatching(new RegExp(`^${kind.table}_(search|newest)$`)))
})

test('the totals of the board are read from its index alone', async () => {
  await database.read(who, () => totalStages(who.owner, everything))
  expect(stepsTold().filter(isScan)).toMatchObject([{ 'Node Type': 'Index Only Scan', 'Index Name': 'deals_stage' }])
})

test.each(['imara', 'qz', 'mullxr', 'recpetion', 'zzzzzz', '79460118', 'call back'])(
  'the palette looks for %s in indexes',
  async (search) => {
    await searchRecords(database, who, allKinds, { search, limit: 12 })
    const scans = stepsTold().filter(isScan)
    expect(scans.length).toBeGreaterThan(5)
    expect(scans.filter((step) => step['Node Type'] === 'Seq Scan')).toEqual([])
  },
)

test('the dashboard counts in indexes alone', async () => {
  await database.read(who, () =>
    Promise.all([readDueTasks(who.owner, everything.now), totalOpenStages(who.owner), countNewContacts(who.owner, everything.now)]),
  )
  const counted = stepsTold().filter((step) => step['Node Type'] === 'Index Only Scan')
  expect(counted.map((step) => step['Index Name'])).toEqual(
    expect.arrayContaining(['tasks_open', 'deals_stage', 'crm_contacts_lead_source']),
  )
  expect(stepsTold().filter((step) => step['Node Type'] === 'Seq Scan' && step['Relation Name'] !== 'profiles')).toEqual([])
})

test('one contact is added, changed and found by indexes', async () => {
  const fields = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org', phone: '020 7946 0118' }
  const { id } = await addContact(database, who, fields)
  await editContact(database, who, id, { title: 'Countess', phone: '+44 20 7946 0119' })
  await database.read(who, () => readRecord(contacts, who.owner, id))
  expect(stepsTold().filter((step) => step['Node Type'] === 'Seq Scan' || step['Rows Removed by Filter'])).toEqual([])
  expect(indexesUsed()).toEqual(expect.arrayContaining(['profiles_pkey', 'crm_contacts_email', 'crm_contacts_phone', 'crm_contacts_pkey']))
})

/** From the next connection on, every statement of the product's role tells in a notice how it was run. */
async function explainStatements(name: string): Promise<void> {
  const administrator = new pg.Client({ host: house.connections.owner.host, user: 'postgres', database: name })
  await administrator.connect()
  for (const setting of [
    `session_preload_libraries = 'auto_explain'`,
    'auto_explain.log_min_duration = 0',
    'auto_explain.log_analyze = on',
    'auto_explain.log_format = json',
    'auto_explain.log_level = notice',
  ])
    await administrator.query(`alter role foyer_app in database ${name} set ${setting}`)
  await administrator.query('checkpoint') // what has not reached the disk cannot be known to be visible to all
  await administrator.end()
}

function stepsTold(): Step[] {
  return told.flatMap((message) => {
    const { Plan: plan }: { Plan: Step } = JSON.parse(message.slice(message.indexOf('{')))
    return stepsOf(plan)
  })
}

const stepsOf = (step: Step): Step[] => [step, ...(step.Plans ?? []).flatMap(stepsOf)]

const indexesUsed = (): string[] => stepsTold().flatMap((step) => step['Index Name'] ?? [])

const isScan = (step: Step): boolean => /Index.* Scan|Seq Scan/.test(step['Node Type'])

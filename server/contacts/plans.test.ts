import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDatabase, type Database } from '#server/platform/database/database.ts'
import { openPool } from '#server/platform/database/pool.ts'
import type { Who } from '#server/platform/database/transaction.ts'
import { openTestHouse, type TestHouse } from '#server/testing/app.ts'
import { signInAs } from '#server/testing/cast.ts'
import { readCursor } from '#server/platform/database/keyset.ts'
import { addPeople } from '../../scripts/demo-people.ts'
import { addContact, editContact, readContact } from './contacts.ts'
import { countContacts, listContacts, type ListRequest } from './list.store.ts'

/** A step of a plan, as PostgreSQL tells it. */
type Step = { 'Node Type': string; 'Index Name'?: string; 'Rows Removed by Filter'?: number; Plans?: Step[] }

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
  await addPeople(house.database, ada.id, 2000)
  await addPeople(house.database, grace.id, 10_000)
  await explainStatements(String(house.connections.owner.database))
  await house.owner.query('vacuum analyze crm_contacts')
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

const everything: ListRequest = { search: '', sort: 'newest', order: 'asc', after: undefined, limit: 50 }
const list = (request: Partial<ListRequest>) => database.read(who, () => listContacts(who.owner, { ...everything, ...request }))

test.each([
  ['newest', 'asc'],
  ['name', 'asc'],
  ['name', 'desc'],
  ['email', 'asc'],
  ['email', 'desc'],
  ['company', 'asc'],
  ['company', 'desc'],
] as const)('pages by %s, %s, walk an index and read nothing that they do not show', async (sort, order) => {
  const { next } = await list({ sort, order })
  await list({ sort, order, after: readCursor(next ?? undefined) })
  const steps = stepsTold()
  expect(steps.filter(isScan).map((step) => step['Node Type'])).toEqual(['Index Scan', 'Index Scan'])
  expect(steps.filter((step) => step['Node Type'].includes('Sort'))).toEqual([])
  expect(steps.filter((step) => step['Rows Removed by Filter'])).toEqual([])
})

test.each(['ottoline', 'ottoline.vantongeren1117', '79460118', 'zzzzzz', 'example', 'an', 'qz'])(
  'a search for %s looks into an index for the words, and fetches no row that it does not find',
  async (search) => {
    await list({ search })
    await database.read(who, () => countContacts(who.owner, search))
    const wasteful = stepsTold().filter((step) => step['Rows Removed by Filter'] && step['Node Type'] !== 'Index Only Scan')
    expect(wasteful).toEqual([])
    expect(indexesUsed()).toContainEqual(expect.stringMatching(/^crm_contacts_(search|newest)$/))
  },
)

test('one contact is added, changed and found by indexes', async () => {
  const fields = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org', phone: '020 7946 0118' }
  const { id } = await addContact(database, who, fields)
  await editContact(database, who, id, { title: 'Countess', phone: '+44 20 7946 0119' })
  await database.read(who, () => readContact(who.owner, id))
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

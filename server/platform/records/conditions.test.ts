import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#server/platform/database/database.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf, type Query } from '#server/testing/records.ts'

let app: TestApp
let ada: Person
/** The ids of the contacts Anna and Bert. */
let ids: Record<string, string>

// in London it is 00:30 on 11 June; in Los Angeles it is still 10 June
const now = new Date('2025-06-10T23:30:00Z')

beforeAll(async () => {
  app = await openTestApp({ now: () => now })
  ada = await signInAs(app, 'ada')
  const contacts = recordsOf(ada, '/api/contacts')
  const [anna, bert] = [
    await contacts.add({
      first_name: 'Anna',
      last_name: 'Example',
      mailing_city: 'München',
      title: '100%_owner',
      tags: ['Fair 2026', 'Käse'],
    }),
    await contacts.add({ first_name: 'Bert', last_name: 'Example', mailing_city: 'Paris', lead_source: 'Web', tags: ['fair 2026'] }),
    await contacts.add({ first_name: 'Cleo', last_name: 'Example', lead_source: 'Other' }),
  ]
  const deals = recordsOf(ada, '/api/deals')
  await deals.add({ title: 'One', value: 100, stage: 'lead', probability: 10, expected_close_date: '2025-06-10', contact_id: anna.id })
  await deals.add({ title: 'Two', value: 250.5, stage: 'proposal', probability: 0, expected_close_date: '2025-06-11', contact_id: bert.id })
  await deals.add({ title: 'Three', value: 0, stage: 'closed-won', expected_close_date: '2025-06-12' })
  await deals.add({ title: 'Four' })
  ids = { anna: anna.id, bert: bert.id }
  // the deals get times of creation around midnight in London, which is one hour ahead of UTC in June
  await app.database.transaction(callerFor(ada.id), 'Moved', async () => {
    for (const [title, at] of [
      ['One', '2025-06-09T22:59:59Z'], // 9 June in London
      ['Two', '2025-06-09T23:00:00Z'], // 10 June
      ['Three', '2025-06-10T22:59:59.999Z'], // 10 June
      ['Four', '2025-06-10T23:00:00Z'], // 11 June
    ])
      await sql('update deals set created_at = $1 where title = $2', [at, title])
  })
})
afterAll(() => app.stop())

type Condition = Record<string, unknown>

/**
 * Returns the names of the matching records, oldest first. `nameColumn`: the field with the name. `$anna` is replaced by the id of Anna.
 */
async function findNames(path: string, nameColumn: string, filter: Condition[], query: Query = {}): Promise<string> {
  const text = JSON.stringify(filter).replaceAll(/\$(\w+)/g, (_match, contact: string) => ids[contact] ?? '')
  const { rows } = await recordsOf(ada, path).list({ ...query, filter: JSON.parse(text) })
  return rows
    .map((row) => String(row[nameColumn]))
    .toReversed()
    .join(' ')
}

test('several substring conditions on one field must all match', async () => {
  /** Conditions that the city contains each of these texts. */
  const cities = (...parts: string[]) => parts.map((has) => ({ field: 'mailing_city', has }))
  expect(await findNames('/api/contacts', 'first_name', cities('mun', 'CHÉN'))).toBe('Anna')
  expect(await findNames('/api/contacts', 'first_name', cities('mun', 'par'))).toBe('')
  expect(await findNames('/api/contacts', 'first_name', [...cities('mun', 'en'), { field: 'title', has: '100' }])).toBe('Anna')
})

test.each<[Condition, string]>([
  [{ field: 'mailing_city', has: 'munch' }, 'Anna'],
  [{ field: 'mailing_city', has: 'PARÍS' }, 'Bert'],
  [{ field: 'mailing_city', is: ['munchen', 'PARIS'] }, 'Anna Bert'],
  [{ field: 'mailing_city', is: ['munch'] }, ''],
  [{ field: 'mailing_city', empty: true }, 'Cleo'],
  [{ field: 'mailing_city', empty: false }, 'Anna Bert'],
  [{ field: 'title', has: '0%_' }, 'Anna'],
  [{ field: 'title', has: '1%r' }, ''],
  [{ field: 'title', has: '\\' }, ''],
  // the search turns ％ ﹪ ＿ ＼ into % _ \, which must be escaped too, or LIKE would treat them as wildcards; \u0301 is an accent alone
  [{ field: 'title', has: '0％＿' }, 'Anna'],
  [{ field: 'title', has: '1％r' }, ''],
  [{ field: 'title', has: '1﹪r' }, ''],
  [{ field: 'title', has: '＿＿' }, ''],
  [{ field: 'title', has: '＼' }, ''],
  [{ field: 'title', has: '\u0301' }, ''],
  [{ field: 'lead_source', is: ['Web'] }, 'Bert'],
  [{ field: 'lead_source', is: ['Web', 'Other'] }, 'Bert Cleo'],
  [{ field: 'lead_source', is: ['Nothing of ours'] }, ''],
  [{ field: 'lead_source', empty: true }, 'Anna'],
  [{ field: 'lead_source', empty: false }, 'Bert Cleo'],
  [{ field: 'tags', is: ['FAIR 2026'] }, 'Anna Bert'],
  [{ field: 'tags', is: ['kase', 'nothing'] }, 'Anna'],
  [{ field: 'tags', is: ['fair'] }, ''],
  [{ field: 'tags', empty: true }, 'Cleo'],
  [{ field: 'tags', empty: false }, 'Anna Bert'],
])('the filter %j finds the contacts %s', async (condition, names) => {
  expect(await findNames('/api/contacts', 'first_name', [condition])).toBe(names)
  const { count } = (await recordsOf(ada, '/api/contacts').query('/count', { filter: [condition] })).json()
  expect(count).toBe(names.split(' ').filter(Boolean).length)
})

test.each<[Condition, string]>([
  [{ field: 'stage', is: ['lead'] }, 'One Four'],
  [{ field: 'stage', is: ['proposal', 'closed-won'] }, 'Two Three'],
  [{ field: 'contact_id', is: ['$anna'] }, 'One'],
  [{ field: 'contact_id', is: ['$anna', '$bert'] }, 'One Two'],
  [{ field: 'contact_id', empty: true }, 'Three Four'],
  [{ field: 'contact_id', empty: false }, 'One Two'],
  [{ field: 'value', from: 100 }, 'One Two'],
  [{ field: 'value', to: 100 }, 'One Three'],
  [{ field: 'value', from: 0.01, to: 250.49 }, 'One'],
  [{ field: 'value', from: 250.5, to: 250.5 }, 'Two'],
  [{ field: 'value', from: -1e308, to: 1e308 }, 'One Two Three'],
  [{ field: 'value', empty: true }, 'Four'],
  [{ field: 'value', empty: false }, 'One Two Three'],
  [{ field: 'probability', from: 0 }, 'One Two'],
  [{ field: 'probability', from: 0.5, to: 9.5 }, ''],
  [{ field: 'probability', from: -3e9, to: 9.99 }, 'Two'],
  [{ field: 'probability', from: 3e9 }, ''],
  [{ field: 'expected_close_date', from: '2025-06-11' }, 'Two Three'],
  [{ field: 'expected_close_date', to: '2025-06-11' }, 'One Two'],
  [{ field: 'expected_close_date', from: '2025-06-11', to: '2025-06-11' }, 'Two'],
  [{ field: 'expected_close_date', empty: true }, 'Four'],
  [{ field: 'created_at', from: '2025-06-10' }, 'Two Three Four'],
  [{ field: 'created_at', to: '2025-06-10' }, 'One Two Three'],
  [{ field: 'created_at', from: '2025-06-10', to: '2025-06-10' }, 'Two Three'],
  [{ field: 'created_at', to: '9999-12-31' }, 'One Two Three Four'],
  [{ field: 'created_at', empty: false }, 'One Two Three Four'],
])('the filter %j finds the deals %s', async (condition, names) => {
  expect(await findNames('/api/deals', 'title', [condition])).toBe(names)
})

test('a record must match all conditions and the search', async () => {
  const filter = [
    { field: 'stage', is: ['lead', 'proposal'] },
    { field: 'value', from: 50 },
    { field: 'expected_close_date', empty: false },
  ]
  expect(await findNames('/api/deals', 'title', filter)).toBe('One Two')
  expect(await findNames('/api/deals', 'title', filter, { search: 'tw' })).toBe('Two')
})

test.each(['％', '﹪', '＿', '＼', '%', '_', '\\', '\u0301'])(
  'a search for %s alone finds no deals, because none contains it',
  async (search) => {
    const deals = recordsOf(ada, '/api/deals')
    expect((await deals.list({ search })).rows).toEqual([])
    expect((await deals.query('/count', { search })).json()).toMatchObject({ count: 0 })
  },
)

// searches treat a full-width percent sign as a percent sign
test('a bulk delete of everything that contains a full-width percent sign deletes only the contact with a percent sign', async () => {
  const grace = await signInAs(app, 'grace')
  const contacts = recordsOf(grace, '/api/contacts')
  await contacts.add({ first_name: 'Ann', last_name: 'Lee', title: 'Half' })
  await contacts.add({ first_name: 'Bob', last_name: 'Lee', title: '50%' })
  await contacts.post('/bulk/delete', { matching: { filter: [{ field: 'title', has: '％' }] } })
  expect((await contacts.list()).rows).toMatchObject([{ first_name: 'Ann' }])
})

// the deals One, Two and Three close on 10, 11 and 12 June; each row has the names of the overdue, today's and the upcoming deals
test.each([
  ['Europe/London', ['One', 'Two', 'Three']],
  ['America/Los_Angeles', ['', 'One', 'Two Three']],
  ['Pacific/Kiritimati', ['One', 'Two', 'Three']],
])('the days overdue, today and upcoming depend on the time zone of the owner: %s', async (timezone, names) => {
  await ada.send({ method: 'PATCH', url: '/api/profile', payload: { timezone } })
  const requests = ['overdue', 'today', 'upcoming'].map((day) =>
    findNames('/api/deals', 'title', [{ field: 'expected_close_date', is: [day] }]),
  )
  expect(await Promise.all(requests)).toEqual(names)
  expect(await findNames('/api/deals', 'title', [{ field: 'expected_close_date', is: ['overdue', 'today', 'upcoming'] }])).toBe(
    'One Two Three',
  )
})

test.each<Condition>([
  { field: 'nothing', is: ['x'] },
  { field: 'constructor', is: ['x'] },
  { field: 'user_id', is: ['x'] },
  { field: 'stage) or (1=1', is: ['x'] },
  { field: 'stage' },
  { field: 'stage', has: 'lead' },
  { field: 'stage', from: 1 },
  { field: 'stage', is: [] },
  { field: 'stage', is: ['lead'], empty: true },
  { field: 'contact_id', is: ['nonsense'] },
  { field: 'value', from: '2025-01-01' },
  { field: 'value', from: '100' },
  { field: 'value', is: ['100'] },
  { field: 'expected_close_date', from: 5 },
  { field: 'expected_close_date', from: '2025-02-30' },
  { field: 'expected_close_date', from: '0000-01-01' },
  { field: 'expected_close_date', is: ['someday'] },
  { field: 'expected_close_date', is: ['today'], from: '2025-01-01' },
  { field: 'created_at', is: ['today'] },
  { field: 'created_at', to: '0000-12-31' },
  { field: 'title', has: '' },
  { field: 'title', has: 'x'.repeat(201) },
  { field: 'title', has: '\0' },
  { field: 'tags', is: ['\0'] },
  { field: 'title', has: 'x', surprise: true },
])('the condition %j is refused in URLs and in request bodies', async (condition) => {
  const deals = recordsOf(ada, '/api/deals')
  for (const subpath of ['', '/count', '/totals']) {
    const response = await deals.query(subpath, { filter: [condition] })
    expect(response.statusCode, response.body).toBe(422)
    expect(Object.keys(response.json().fields).join()).toMatch(/^filter/)
  }
  for (const subpath of ['/bulk/delete', '/bulk/edit', '/bulk/tag', '/export']) {
    const response = await deals.post(subpath, {
      matching: { filter: [condition] },
      ...(subpath === '/bulk/edit' && { fields: { stage: 'lead' } }),
    })
    expect(response.statusCode, response.body).toBe(422)
    expect(Object.keys(response.json().fields).join()).toMatch(/^matching\.filter/)
  }
})

// texts that are no list of conditions, more than 12 conditions, and a text that is too long
test.each([
  '{',
  'null',
  '{}',
  '"text"',
  '[[]]',
  `[${'{"field":"stage","empty":true},'.repeat(12)}{"field":"stage","empty":true}]`,
  'x'.repeat(4001),
])('the filter %s is refused', async (filter) => {
  const response = await ada.send({ url: `/api/deals?${new URLSearchParams({ filter }).toString()}` })
  expect(response.statusCode, response.body).toBe(422)
})

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Dashboard } from '#contract/dashboard.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'

/** Wednesday, 18 November 2026, at 11:30 in London, when it is already Thursday in Kiritimati. */
const wednesday = '2026-11-18T11:30:00Z'

let app: TestApp
let ada: Person
let now = new Date(wednesday)
beforeAll(async () => {
  app = await openTestApp({ now: () => now })
})
afterAll(() => app.stop())
beforeEach(async () => {
  now = new Date(wednesday)
  ada = await signInAs(app, 'ada')
})

const readDashboard = async (person = ada): Promise<Dashboard> => {
  const response = await person.send({ url: '/api/dashboard' })
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}
const add = async (kind: string, payload: object): Promise<string> => {
  const response = await ada.send({ method: 'POST', url: `/api/${kind}`, payload })
  expect(response.statusCode, response.body).toBe(201)
  return response.json().id
}
const setTimezone = (timezone: string) => app.tableOwner.query('update profiles set timezone = $2 where user_id = $1', [ada.id, timezone])
const addContactAt = (created_at: string, lead_source = '') =>
  app.tableOwner.query('insert into crm_contacts (user_id, created_at, first_name, lead_source) values ($1, $2, $3, $4)', [
    ada.id,
    created_at,
    'Ada',
    lead_source,
  ])
/** Reads the weeks that have new contacts. */
const readWeeks = async (): Promise<Dashboard['new_contacts']> =>
  (await readDashboard()).new_contacts.filter(({ sources }) => Object.keys(sources).length > 0)

test('an empty workspace is reported as empty, with zeros for twelve weeks and four stages', async () => {
  const { empty, tasks, pipeline, new_contacts } = await readDashboard()
  expect(empty).toBe(true)
  expect(tasks).toEqual({ rows: [], due: 0, overdue: 0 })
  expect(pipeline.map(({ stage, count, value, forecast }) => [stage, count, value, forecast])).toEqual([
    ['lead', 0, 0, 0],
    ['qualified', 0, 0, 0],
    ['proposal', 0, 0, 0],
    ['negotiation', 0, 0, 0],
  ])
  expect(new_contacts).toHaveLength(12)
  expect(new_contacts[0]).toEqual({ monday: '2026-08-31', sources: {}, others: 0 })
  expect(new_contacts[11]).toEqual({ monday: '2026-11-16', sources: {}, others: 0 })
})

test('the next bookings are those that are confirmed and have not ended, with their times in the zone of the profile', async () => {
  await setTimezone('America/New_York') // 06:30 there
  const link = await add('booking-links', { title: 'Engine', color: '#AA0000' })
  const at = (start: string, end: string) => ({ start_time: `2026-11-${start}:00Z`, end_time: `2026-11-${end}:00Z` })
  await add('bookings', { title: 'Ended', ...at('18T10:00', '18T11:00') })
  await add('bookings', { title: 'Now', ...at('18T11:00', '18T12:00'), attendee_name: 'Mary' })
  await add('bookings', { title: 'Cancelled', ...at('18T13:00', '18T14:00'), status: 'cancelled' })
  await add('bookings', { title: 'Late', ...at('19T04:30', '19T05:00'), booking_link_id: link })
  await add('bookings', { title: 'Tomorrow', ...at('19T05:00', '19T06:00') })
  const { bookings } = await readDashboard()
  expect(bookings.rows.map(({ title, name, color, local_start }) => [title, name, color, local_start])).toEqual([
    ['Now', 'Mary', '', '2026-11-18T06:00'],
    ['Late', '', '#AA0000', '2026-11-18T23:30'],
    ['Tomorrow', '', '', '2026-11-19T00:00'],
  ])
  expect([bookings.today, bookings.upcoming]).toEqual([2, 3])
})

test.each([
  ['contacts', { first_name: 'Ada', last_name: 'Lovelace' }],
  ['companies', { name: 'Analytical Engines' }],
  ['deals', { title: 'First engine' }],
  ['tasks', { title: 'Draw the mill' }],
])('a workspace with one record in %s is not empty for its owner, and the workspace of another user stays empty', async (kind, payload) => {
  await add(kind, payload)
  expect((await readDashboard()).empty).toBe(false)
  expect((await readDashboard(await signInAs(app, 'grace'))).empty).toBe(true)
})

test.each([
  ['contact', 'contacts', { first_name: 'Ada', last_name: 'Lovelace' }],
  ['company', 'companies', { name: 'Analytical Engines' }],
  ['deal', 'deals', { title: 'First engine' }],
  ['task', 'tasks', { title: 'Draw the mill' }],
])('the first step %s is done while the owner has such a record', async (step, kind, payload) => {
  expect((await readDashboard()).first_steps_done).toEqual([])
  const id = await add(kind, payload)
  expect((await readDashboard()).first_steps_done).toEqual([step])
  expect((await readDashboard(await signInAs(app, 'grace'))).first_steps_done).toEqual([])
  await ada.send({ method: 'DELETE', url: `/api/${kind}/${id}` })
  expect((await readDashboard()).first_steps_done).toEqual([])
})

test.each([
  [{ timezone: 'Europe/Paris' }, ['region']],
  [{ currency: 'GBP' }, ['region']],
  [{ country: 'FR' }, ['region']],
  [{ region_confirmed: true }, ['region']],
  [{ full_name: 'Countess' }, []],
  [{ first_steps_hidden: true }, []],
])('after the profile is changed with %j, these first steps are done: %j', async (payload, steps) => {
  const change = await ada.send({ method: 'PATCH', url: '/api/profile', payload })
  expect(change.statusCode, change.body).toBe(200)
  expect((await readDashboard()).first_steps_done).toEqual(steps)
  await ada.send({ method: 'POST', url: `/api/changes/${String(change.headers['foyer-change'])}/undo` })
  expect((await readDashboard()).first_steps_done).toEqual([])
})

test('due tasks are listed oldest first, at most five, with the names of linked records', async () => {
  const contact_id = await add('contacts', { first_name: 'Ada', last_name: 'Lovelace' })
  const deal_id = await add('deals', { title: 'First engine' })
  await add('tasks', { title: 'Today', due_date: '2026-11-18', contact_id, deal_id })
  await add('tasks', { title: 'Tomorrow', due_date: '2026-11-19' })
  await add('tasks', { title: 'Some day' })
  await add('tasks', { title: 'Done', due_date: '2026-11-10', status: 'completed' })
  await add('tasks', { title: 'Late', due_date: '2026-11-17', status: 'in-progress' })
  await add('tasks', { title: 'Very late', due_date: '2025-12-31' })
  const { tasks } = await readDashboard()
  expect(tasks.rows.map(({ title }) => title)).toEqual(['Very late', 'Late', 'Today'])
  expect(tasks.rows[2]).toMatchObject({
    contact_name: 'Ada Lovelace',
    deal_title: 'First engine',
    due_date: '2026-11-18',
    status: 'pending',
  })
  expect(tasks).toMatchObject({ due: 1, overdue: 2 })
  for (let count = 0; count < 4; count++) await add('tasks', { title: 'Late as well', due_date: '2026-11-16' })
  const laterDashboard = await readDashboard()
  expect(laterDashboard.tasks.rows).toHaveLength(5)
  expect(laterDashboard.tasks).toMatchObject({ due: 1, overdue: 6 })
})

test.each([
  ['Pacific/Pago_Pago', { due: 1, overdue: 0 }],
  ['Europe/London', { due: 1, overdue: 1 }],
  ['Pacific/Kiritimati', { due: 1, overdue: 2 }],
])('a task is due if its date is the current day in the time zone %s', async (timezone, counts) => {
  for (const due_date of ['2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20']) await add('tasks', { title: 'Draw', due_date })
  await setTimezone(timezone)
  now = new Date('2026-11-18T10:30:00Z') // still 17 November in Pago Pago, and already 19 November in Kiritimati
  expect((await readDashboard()).tasks).toMatchObject(counts)
})

test('the pipeline has the number of deals, their value, and the value weighted by probability, for each open stage', async () => {
  await add('deals', { title: 'A', value: 1000.5 })
  await add('deals', { title: 'B', value: 2000, probability: 50 })
  await add('deals', { title: 'C' })
  await add('deals', { title: 'D', stage: 'negotiation', value: 400.01 })
  await add('deals', { title: 'E', stage: 'closed-won', value: 9000 })
  await add('deals', { title: 'F', stage: 'closed-lost', value: 9000 })
  // a deal without its own probability has that of its stage: 10 percent for lead, 75 percent for negotiation
  expect((await readDashboard()).pipeline).toEqual([
    { stage: 'lead', count: 3, value: 3000.5, forecast: 1100.05 },
    { stage: 'qualified', count: 0, value: 0, forecast: 0 },
    { stage: 'proposal', count: 0, value: 0, forecast: 0 },
    { stage: 'negotiation', count: 1, value: 400.01, forecast: 300.01 },
  ])
})

test('new contacts of the last twelve weeks are counted by source in weeks from Monday to Sunday', async () => {
  await addContactAt('2026-08-30T22:59:59Z') // still Sunday in London, where summer time applies
  await addContactAt('2026-08-30T23:00:00Z', 'Web')
  await addContactAt('2026-11-15T23:59:59Z', 'Web')
  await addContactAt('2026-11-16T00:00:00Z', 'Other')
  await addContactAt('2026-11-18T11:00:00Z', 'Other')
  await addContactAt('2026-11-18T11:00:00Z')
  expect(await readWeeks()).toEqual([
    { monday: '2026-08-31', sources: { Web: 1 }, others: 0 },
    { monday: '2026-11-09', sources: { Web: 1 }, others: 0 },
    { monday: '2026-11-16', sources: { '': 1, Other: 2 }, others: 0 },
  ])
})

test('of more than two hundred lead sources those of the contact form and the first others are counted one by one, and the rest together', async () => {
  // five contacts of each page, of which one is older than twelve weeks; the last fifty pages have only the contacts of this week
  const times = ['2026-08-30T22:59:59Z', '2026-08-30T23:00:00Z', '2026-11-15T23:59:59Z', '2026-11-16T00:00:00Z', '2026-11-18T11:00:00Z']
  await app.tableOwner.query(
    `insert into crm_contacts (user_id, created_at, first_name, lead_source)
     select $1, created_at, 'Ada', 'Page ' || to_char(n, 'FM000')
     from generate_series(1, 300) n, unnest($2::timestamptz[]) created_at where n <= 250 or created_at >= '2026-11-16'`,
    [ada.id, times],
  )
  for (const source of ['', 'Other', 'Web', 'Web']) await addContactAt('2026-11-18T11:00:00Z', source)
  const weeks = await readWeeks()
  // the first two hundred are '', Other and 198 pages; Web comes after the last page
  expect(weeks.map(({ monday, sources, others }) => [monday, Object.keys(sources).length, others])).toEqual([
    ['2026-08-31', 198, 52],
    ['2026-11-09', 198, 52],
    ['2026-11-16', 201, 204],
  ])
  expect(weeks.at(-1)?.sources).toMatchObject({ '': 1, Other: 1, Web: 2, 'Page 001': 2, 'Page 198': 2 })
})

test.each([
  ['America/Los_Angeles', '2026-11-16T07:59:59Z', '2026-11-16T08:00:00Z'],
  ['Asia/Tokyo', '2026-11-15T14:59:59Z', '2026-11-15T15:00:00Z'],
])('a week begins on Monday at midnight in the time zone %s', async (timezone, before, after) => {
  await setTimezone(timezone)
  await addContactAt(before, 'Web')
  await addContactAt(after, 'Other')
  expect(await readWeeks()).toEqual([
    { monday: '2026-11-09', sources: { Web: 1 }, others: 0 },
    { monday: '2026-11-16', sources: { Other: 1 }, others: 0 },
  ])
})

test('the current week depends on the time zone of the owner', async () => {
  now = new Date('2026-11-15T20:00:00Z') // already Monday in Tokyo, still Sunday in London
  expect((await readDashboard()).new_contacts.at(-1)?.monday).toBe('2026-11-09')
  await setTimezone('Asia/Tokyo')
  expect((await readDashboard()).new_contacts.at(-1)?.monday).toBe('2026-11-16')
})

// Profiles with the time zones of our package, on a PostgreSQL that knows none of them: that of the operator may lack some, such as
// US/Pacific, which some browsers report.
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openAi } from '#server/ai/ai.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf, type Query } from '#server/testing/records.ts'

// in Los Angeles it is still Sunday, 8 June, and in Kolkata it is Monday, 9 June
const now = new Date('2025-06-09T02:30:00Z')

let app: TestApp
let ada: Person
beforeAll(async () => {
  const connection = {
    baseUrl: 'https://ai.example/v1',
    key: undefined,
    model: 'large',
    imageModel: undefined,
    inputPrice: null,
    outputPrice: null,
  }
  app = await openTestApp({ now: () => now, ai: { connection, maxTokensPerDay: 1_000_000 } })
  await forbidTimezones()
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
})

/** Makes every use of the name of a time zone in a statement fail. */
async function forbidTimezones(): Promise<void> {
  const { host, database } = app.connections.tableOwner
  const administrator = new pg.Client({ host, database, user: 'postgres' })
  await administrator.connect()
  for (const type of ['timestamp', 'timestamptz'])
    await administrator.query(`revoke execute on function pg_catalog.timezone(text, ${type}) from public`)
  await administrator.end()
}

const setTimezone = async (timezone: string): Promise<void> => {
  const response = await ada.send({ method: 'PATCH', url: '/api/profile', payload: { timezone } })
  expect(response.json()).toMatchObject({ timezone })
}
const findTitles = async (path: string, filter: Query['filter'] = []): Promise<string> => {
  const { rows } = await recordsOf(ada, path).list({ filter })
  return rows
    .map(({ title }) => String(title))
    .toSorted()
    .join(' ')
}

test('a statement with a time zone fails in these tests', async () => {
  await expect(app.tableOwner.query(`select now() at time zone 'Europe/London'`)).rejects.toThrow('permission denied')
})

test.each([
  { timezone: 'US/Pacific', names: ['Saturday', 'Sunday', 'Monday'], tiles: { due: 1, overdue: 1 }, monday: '2025-06-02' },
  { timezone: 'Asia/Calcutta', names: ['Saturday Sunday', 'Monday', ''], tiles: { due: 1, overdue: 2 }, monday: '2025-06-09' },
])('today is computed without PostgreSQL: in $timezone', async ({ timezone, names, tiles, monday }) => {
  await setTimezone(timezone)
  const tasks = recordsOf(ada, '/api/tasks')
  await tasks.add({ title: 'Saturday', due_date: '2025-06-07' })
  await tasks.add({ title: 'Sunday', due_date: '2025-06-08' })
  await tasks.add({ title: 'Monday', due_date: '2025-06-09' })
  const found = ['overdue', 'today', 'upcoming'].map((day) => findTitles('/api/tasks', [{ field: 'due_date', is: [day] }]))
  expect(await Promise.all(found)).toEqual(names)
  const dashboard = await ada.send({ url: '/api/dashboard' })
  expect(dashboard.statusCode, dashboard.body).toBe(200)
  expect(dashboard.json()).toMatchObject({ tasks: tiles })
  expect(dashboard.json().new_contacts.at(-1)).toMatchObject({ monday })
  const filter = [{ field: 'due_date', is: ['overdue', 'today', 'upcoming'] }]
  expect((await tasks.query('/count', { filter })).json()).toEqual({ count: 3, more: false })
  expect((await tasks.post('/bulk/delete', { matching: { filter } })).statusCode).toBe(204)
  expect(await findTitles('/api/tasks')).toBe('')
})

test.each([
  { timezone: 'US/Pacific', sunday: 'Now' },
  { timezone: 'Asia/Calcutta', sunday: '' },
])('the days of a filter begin at midnight without PostgreSQL: in $timezone', async ({ timezone, sunday }) => {
  await setTimezone(timezone)
  await recordsOf(ada, '/api/deals').add({ title: 'Now' })
  await app.tableOwner.query('update deals set created_at = $2 where user_id = $1', [ada.id, now])
  expect(await findTitles('/api/deals', [{ field: 'created_at', from: '2025-06-08', to: '2025-06-08' }])).toBe(sunday)
  expect(await findTitles('/api/deals', [{ field: 'created_at', from: '0001-01-01', to: '9999-12-31' }])).toBe('Now')
  const board = await ada.send({ url: `/api/deals/totals?filter=${JSON.stringify([{ field: 'created_at', from: '2025-06-08' }])}` })
  expect(board.statusCode, board.body).toBe(200)
})

test.each([
  { timezone: 'US/Pacific', day: '2025-06-08' },
  { timezone: 'Asia/Calcutta', day: '2025-06-09' },
])('the AI counts by days without PostgreSQL: in $timezone', async ({ timezone, day }) => {
  await setTimezone(timezone)
  const { countUse } = await openAi(app.context, { owner: ada.id })
  await countUse({ inputTokens: 20, outputTokens: 10 })
  const { rows } = await app.tableOwner.query('select day::text from ai_usage where user_id = $1', [ada.id])
  expect(rows).toEqual([{ day }])
  const usage = await ada.send({ url: '/api/ai/usage' })
  expect(usage.json()).toMatchObject({ month: '2025-06-01', answers: 1, tokens_today: 30 })
})

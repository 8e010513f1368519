// A new country in the profile applies to all phone numbers without a country code.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'

let app: TestApp
let ada: Person
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada', 'GB')
})

const inBritain = '+44 20 7946 0118'
const inGermany = '+49 20 7946 0118'

async function add(fields: Record<string, string>): Promise<{ id: string; version: number }> {
  return (await ada.send({ method: 'POST', url: '/api/contacts', payload: { first_name: 'Grace', last_name: 'Hopper', ...fields } })).json()
}

async function change(method: 'PATCH' | 'DELETE', url: string, payload?: Record<string, string | number>): Promise<string> {
  const response = await ada.send({ method, url, ...(payload && { payload }) })
  expect(response.statusCode, response.body).toBeLessThan(300)
  return String(response.headers['foyer-change'])
}
const moveTo = (country: string): Promise<string> => change('PATCH', '/api/profile', { country })

const undo = async (id: string) => (await ada.send({ method: 'POST', url: `/api/changes/${id}/undo` })).json()

async function found(phone: string): Promise<number> {
  return (await ada.send({ url: `/api/contacts?search=${encodeURIComponent(phone)}` })).json().rows.length
}

test.each(['phone', 'mobile_phone'])(
  '%s is found under the new country, and under the old one again when that is undone',
  async (field) => {
    await add({ [field]: '020 7946 0118' })
    expect(await found(inBritain)).toBe(1)
    const moved = await moveTo('DE')
    await expect.poll(() => found(inGermany)).toBe(1)
    expect(await found(inBritain)).toBe(0)
    await undo(moved)
    await expect.poll(() => found(inBritain)).toBe(1)
  },
)

test('a number with a country code is not changed, and neither are numbers of other owners', async () => {
  await add({ phone: '+44 20 7946 0118', mobile_phone: '020 7946 0118' })
  const grace = await signInAs(app, 'grace', 'GB')
  const hers = { first_name: 'Alan', last_name: 'Turing', phone: '020 7946 0118' }
  await grace.send({ method: 'POST', url: '/api/contacts', payload: hers })
  await moveTo('DE')
  await expect.poll(() => found(inGermany)).toBe(1)
  expect(await found(inBritain)).toBe(1)
  const response = await grace.send({ url: `/api/contacts?search=${encodeURIComponent(inBritain)}` })
  expect(response.json().rows).toHaveLength(1)
})

test('the recomputation is not part of the history, and causes no conflicts', async () => {
  const { id, version } = await add({ phone: '020 7946 0118' })
  await moveTo('DE')
  await expect.poll(() => found(inGermany)).toBe(1)
  const { rows } = (await ada.send({ url: `/api/changes?record=${id}` })).json()
  expect(rows).toEqual([expect.objectContaining({ label: 'Added contact' })])
  await change('PATCH', `/api/contacts/${id}`, { title: 'Admiral', version })
})

test('numbers that an undo or a restore restores have keys of the new country', async () => {
  const { id } = await add({ phone: '020 7946 0118' })
  const edited = await change('PATCH', `/api/contacts/${id}`, { phone: '020 7946 0999' })
  await moveTo('DE')
  await expect.poll(() => found('+49 20 7946 0999')).toBe(1)
  await expect.poll(() => jobsOf(ada)).toBe(0)
  expect(await undo(edited)).toMatchObject({ progress: null, skipped_counts: {}, skipped: [] })
  expect(await found(inGermany)).toBe(1)
  await change('DELETE', `/api/contacts/${id}`)
  await moveTo('GB')
  await expect.poll(() => jobsOf(ada)).toBe(0)
  expect((await ada.send({ method: 'POST', url: `/api/trash/${id}/restore` })).statusCode).toBe(200)
  expect(await found(inBritain)).toBe(1)
})

test('values that are purged concurrently are not restored', async () => {
  const { id } = await add({ phone: '020 7946 0118' })
  const edited = await change('PATCH', `/api/contacts/${id}`, { phone: '020 7946 0999' })
  const purging = await app.owner.connect()
  await purging.query('begin')
  await purging.query(`update journal set before = null, after = null, columns = '{phone}' where change = $1`, [edited])
  await moveTo('DE')
  const waiting = () =>
    app.owner.query(`select from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.datname = current_database()`)
  await expect.poll(async () => (await waiting()).rowCount).toBe(1)
  await purging.query('commit')
  purging.release()
  await expect.poll(() => jobsOf(ada)).toBe(0)
  const { rows } = await app.owner.query('select before, after from journal where change = $1', [edited])
  expect(rows).toEqual([{ before: null, after: null }])
  await expect.poll(() => found('+49 20 7946 0999')).toBe(1)
})

test('thousands of numbers are recomputed in batches', async () => {
  await app.owner.query(
    `insert into crm_contacts (user_id, first_name, last_name, phone)
     select $1, 'A', 'B', '020 79' || to_char(n, 'FM000000') from generate_series(1, 2500) n`,
    [ada.id],
  )
  await moveTo('DE')
  await expect.poll(() => jobsOf(ada), { timeout: 20_000 }).toBe(0)
  const { rows } = await app.owner.query(
    `select count(*)::int as read from crm_contacts where user_id = $1 and phone_key = '+4920' || right(phone, 8)`,
    [ada.id],
  )
  expect(rows).toEqual([{ read: 2500 }])
})

async function jobsOf({ id }: Person): Promise<number> {
  return (await app.owner.query('select from jobs.jobs where owner = $1', [id])).rowCount ?? 0
}

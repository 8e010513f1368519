// When the country of the profile changes, a job computes new keys for the phone numbers that have no country code, as numbers of the new
// country. The key of a number is the number in international format, by which searches find it.
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

/** The number 020 7946 0118, which the tests store, with the codes of two countries. */
const britishNumber = '+44 20 7946 0118'
const germanNumber = '+49 20 7946 0118'

async function add(fields: Record<string, string>): Promise<{ id: string; version: number }> {
  return (await ada.send({ method: 'POST', url: '/api/contacts', payload: { first_name: 'Grace', last_name: 'Hopper', ...fields } })).json()
}

async function sendChange(method: 'PATCH' | 'DELETE', url: string, payload?: Record<string, string | number>): Promise<string> {
  const response = await ada.send({ method, url, ...(payload && { payload }) })
  expect(response.statusCode, response.body).toBeLessThan(300)
  return String(response.headers['foyer-change'])
}
const setCountry = (country: string): Promise<string> => sendChange('PATCH', '/api/profile', { country })

const undo = async (id: string) => (await ada.send({ method: 'POST', url: `/api/changes/${id}/undo` })).json()

/** Returns the number of contacts that a search for the number finds. */
async function countFound(phone: string): Promise<number> {
  return (await ada.send({ url: `/api/contacts?search=${encodeURIComponent(phone)}` })).json().rows.length
}

test.each(['phone', 'mobile_phone'])(
  '%s is found with the code of the new country, and with the code of the old country after the change is undone',
  async (field) => {
    await add({ [field]: '020 7946 0118' })
    expect(await countFound(britishNumber)).toBe(1)
    const countryChange = await setCountry('DE')
    await expect.poll(() => countFound(germanNumber)).toBe(1)
    expect(await countFound(britishNumber)).toBe(0)
    await undo(countryChange)
    await expect.poll(() => countFound(britishNumber)).toBe(1)
  },
)

test('the keys of numbers with a country code and of other owners are not changed', async () => {
  await add({ phone: '+44 20 7946 0118', mobile_phone: '020 7946 0118' })
  const grace = await signInAs(app, 'grace', 'GB')
  const payload = { first_name: 'Alan', last_name: 'Turing', phone: '020 7946 0118' }
  await grace.send({ method: 'POST', url: '/api/contacts', payload })
  await setCountry('DE')
  await expect.poll(() => countFound(germanNumber)).toBe(1)
  expect(await countFound(britishNumber)).toBe(1)
  const response = await grace.send({ url: `/api/contacts?search=${encodeURIComponent(britishNumber)}` })
  expect(response.json().rows).toHaveLength(1)
})

test('new keys are not part of the history, and cause no conflicts', async () => {
  const { id, version } = await add({ phone: '020 7946 0118' })
  await setCountry('DE')
  await expect.poll(() => countFound(germanNumber)).toBe(1)
  const { rows } = (await ada.send({ url: `/api/changes?record=${id}` })).json()
  expect(rows).toEqual([expect.objectContaining({ label: 'Added contact' })])
  await sendChange('PATCH', `/api/contacts/${id}`, { title: 'Admiral', version })
})

test('a number that an undo or a restore brings back has the key of the new country', async () => {
  const { id } = await add({ phone: '020 7946 0118' })
  const edit = await sendChange('PATCH', `/api/contacts/${id}`, { phone: '020 7946 0999' })
  await setCountry('DE')
  await expect.poll(() => countFound('+49 20 7946 0999')).toBe(1)
  await expect.poll(() => countDueJobs(ada)).toBe(0)
  expect(await undo(edit)).toMatchObject({ progress: null, skipped_counts: {}, skipped: [] })
  expect(await countFound(germanNumber)).toBe(1)
  await sendChange('DELETE', `/api/contacts/${id}`)
  await setCountry('GB')
  await expect.poll(() => countDueJobs(ada)).toBe(0)
  expect((await ada.send({ method: 'POST', url: `/api/trash/${id}/restore` })).statusCode).toBe(200)
  expect(await countFound(britishNumber)).toBe(1)
})

test('values that the monthly purge removes from the journal during the job are not written again', async () => {
  const { id } = await add({ phone: '020 7946 0118' })
  const edit = await sendChange('PATCH', `/api/contacts/${id}`, { phone: '020 7946 0999' })
  const purgeClient = await app.tableOwner.connect()
  await purgeClient.query('begin')
  await purgeClient.query(`update journal set before = null, after = null, columns = '{phone}' where change = $1`, [edit])
  await setCountry('DE')
  const findWaitingLocks = () =>
    app.tableOwner.query(
      `select from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.datname = current_database()`,
    )
  await expect.poll(async () => (await findWaitingLocks()).rowCount).toBe(1)
  await purgeClient.query('commit')
  purgeClient.release()
  await expect.poll(() => countDueJobs(ada)).toBe(0)
  const { rows } = await app.tableOwner.query('select before, after from journal where change = $1', [edit])
  expect(rows).toEqual([{ before: null, after: null }])
  await expect.poll(() => countFound('+49 20 7946 0999')).toBe(1)
})

test('all keys are recomputed if there are more contacts than in one batch', async () => {
  await app.tableOwner.query(
    `insert into crm_contacts (user_id, first_name, last_name, phone)
     select $1, 'A', 'B', '020 79' || to_char(n, 'FM000000') from generate_series(1, 2500) n`,
    [ada.id],
  )
  await setCountry('DE')
  await expect.poll(() => countDueJobs(ada), { timeout: 20_000 }).toBe(0)
  const { rows } = await app.tableOwner.query(
    `select count(*)::int as updated from crm_contacts where user_id = $1 and phone_key = '+4920' || right(phone, 8)`,
    [ada.id],
  )
  expect(rows).toEqual([{ updated: 2500 }])
})

test('a contact that was written during the job with a key of the old country gets its new key from a second job', async () => {
  const { id } = await add({ phone: '020 7946 0118' })
  await setCountry('DE')
  await expect.poll(() => countDueJobs(ada)).toBe(0)
  await app.tableOwner.query('update crm_contacts set phone_key = $3 where user_id = $1 and id = $2', [ada.id, id, '+442079460118'])
  await app.tableOwner.query(`update jobs.jobs set run_at = '-infinity' where owner = $1 and run_at < now() + interval '5 minutes'`, [
    ada.id,
  ])
  await app.tableOwner.query(`select pg_notify('jobs', '')`)
  await expect.poll(() => countFound(germanNumber)).toBe(1)
})

async function countDueJobs({ id }: Person): Promise<number> {
  return (await app.tableOwner.query('select from jobs.jobs where owner = $1 and run_at <= now()', [id])).rowCount ?? 0
}

// An account has a quota for the bytes of its records and of their journal, which has a copy of each written row. Above the quota, writes
// are refused until the user erases the history. A tenth of the quota is reserved for undo.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf } from '#server/testing/records.ts'

/** With FOYER_FULL=1 the tests add many more deals. */
const isFullTestRun = process.env['FOYER_FULL'] === '1'
const dealBytes = 19_000
const dealCount = isFullTestRun ? 600 : 40
/** The bytes that a new deal needs: its row, and its line in the journal. */
const createdBytes = 2 * dealBytes
const recordQuotaBytes = 3 * dealCount * createdBytes

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ recordQuotaBytes })
})
afterAll(() => app.stop())

const description = 'x'.repeat(dealBytes)
/** The status and the error code of a write above the quota. */
const refused = [413, 'record_quota_exceeded']
const dealsOf = (person: Person) => recordsOf(person, '/api/deals')

async function addDeals(person: Person, count: number): Promise<string[]> {
  const deals = dealsOf(person)
  const added: string[] = []
  for (let number = 0; number < count; number++) added.push((await deals.add({ title: `Deal ${number}`, description })).id)
  return added
}

const deleteMany = (person: Person, ids: string[]) => dealsOf(person).post('/bulk/delete', { ids })

/** Undoes the change that a response reports in its header. */
const undo = (person: Person, { headers }: { headers: Record<string, unknown> }) =>
  person.send({ method: 'POST', url: `/api/changes/${String(headers['foyer-change'])}/undo` })

const readUse = async (person: Person): Promise<number> => (await person.send({ url: '/api/storage' })).json().record_bytes

/** Erases the history of a person, and waits until the job has ended. */
async function eraseHistory(person: Person): Promise<void> {
  expect((await person.send({ method: 'DELETE', url: '/api/changes' })).statusCode).toBe(204)
  const readLabels = async () =>
    (await person.send({ url: '/api/changes/recent?limit=50' })).json().rows.map(({ label }: { label: string }) => label)
  await expect.poll(readLabels).toContain('Erased the history for good')
}

/** Waits until the counter, which is stored once a second, has the bytes of these deals. */
const waitForUse = (person: Person, dealsWritten: number) => expect.poll(() => readUse(person)).toBeGreaterThan(dealsWritten * createdBytes)

/**
 * Adds three deals, and changes the stored sum so that no further deal fits. The server counts in memory and reads the stored sum only
 * with the next write, which is an edit. Returns the ids of the deals.
 */
async function fillAccount(person: Person): Promise<string[]> {
  const ids = await addDeals(person, 3)
  await waitForUse(person, ids.length)
  await app.tableOwner.query('update record_use set bytes = $2 where user_id = $1', [person.id, recordQuotaBytes - dealBytes])
  await dealsOf(person).edit(ids[0] ?? '', { title: 'Last edit' })
  await expect.poll(() => readUse(person)).toBeGreaterThan(recordQuotaBytes - dealBytes)
  const tooMuch = await dealsOf(person).post('', { title: 'One more', description })
  expect([tooMuch.statusCode, tooMuch.json().code], tooMuch.body).toEqual(refused)
  return ids
}

test('deleting and undoing the same deals again and again ends with a refusal that says what to do', { timeout: 300_000 }, async () => {
  const ada = await signInAs(app, 'ada')
  const ids = await addDeals(ada, dealCount)
  /** How often all deals were deleted and restored by undo. Each time adds lines to the journal, so the quota allows only a few times. */
  let cycles = 0
  let response = await deleteMany(ada, ids)
  while (cycles < 20) {
    expect(response.statusCode, response.body).toBe(204)
    const undone = await undo(ada, response)
    if (undone.statusCode !== 200) {
      expect([undone.statusCode, undone.json().code]).toEqual(refused)
      expect(undone.json().detail).toContain('erase the history on the account page')
      break
    }
    cycles++
    response = await deleteMany(ada, ids)
  }
  expect(cycles).toBeGreaterThan(0)
  expect(cycles).toBeLessThan(6)
  expect(await readUse(ada)).toBeLessThan(recordQuotaBytes * 1.2)
})

test('a full account can still read and delete, and other accounts are not affected', async () => {
  const ada = await signInAs(app, 'ada')
  const [first = '', second = ''] = await fillAccount(ada) // the first two of the three deals
  const deals = dealsOf(ada)
  const edited = await deals.patch(first, { description: 'y'.repeat(dealBytes) })
  expect([edited.statusCode, edited.json().code]).toEqual(refused)
  expect((await deals.get(first))['description']).toBe(description)
  expect((await deals.remove(second)).statusCode).toBe(204)
  expect((await dealsOf(await signInAs(app, 'grace')).post('', { title: 'Hers' })).statusCode).toBe(201)
})

test('the last delete of a full account can be undone, because a tenth of the quota is reserved for undo', async () => {
  const ada = await signInAs(app, 'ada')
  const [first = ''] = await fillAccount(ada)
  const deleted = await dealsOf(ada).remove(first)
  expect((await undo(ada, deleted)).statusCode).toBe(200)
  expect((await dealsOf(ada).get(first))['description']).toBe(description)
})

test('erasing the history makes space, prevents undo, empties the trash, and keeps the records', async () => {
  const ada = await signInAs(app, 'ada')
  const [deleted = '', ...others] = await fillAccount(ada)
  const deals = dealsOf(ada)
  const deletion = await deals.remove(deleted)
  await eraseHistory(ada)
  expect((await ada.send({ url: '/api/trash' })).json().rows).toEqual([])
  expect(await readUse(ada)).toBeLessThan(3 * createdBytes)
  const undone = await undo(ada, deletion)
  expect([undone.statusCode, undone.json().code]).toEqual([410, 'nothing_left'])
  expect((await deals.listAll({ limit: '200' })).map(({ id }) => id).toSorted()).toEqual(others.toSorted())
  const added = await deals.post('', { title: 'New', description })
  expect(added.statusCode).toBe(201)
  expect((await undo(ada, added)).statusCode).toBe(200)
})

test('after the history was erased, an edit still does not overwrite a newer edit of the same field', async () => {
  const ada = await signInAs(app, 'ada')
  const deals = dealsOf(ada)
  const deal = await deals.add({ title: 'First', description: 'a' })
  const edit = await deals.patch(deal.id, { title: 'Second' })
  await eraseHistory(ada)
  expect((await undo(ada, edit)).json().code).toBe('nothing_left')
  const late = await deals.patch(deal.id, { title: 'Third', version: deal.version })
  expect([late.statusCode, late.json().code]).toEqual([409, 'conflict'])
  expect((await deals.patch(deal.id, { description: 'b', version: deal.version })).statusCode).toBe(200)
})

test('erasing the history of one account keeps the history of other accounts', async () => {
  const [ada, grace] = [await signInAs(app, 'ada'), await signInAs(app, 'grace')]
  const added = await dealsOf(grace).post('', { title: 'Hers' })
  const own = await dealsOf(ada).post('', { title: 'Mine' })
  await eraseHistory(ada)
  expect((await undo(ada, own)).statusCode).toBe(410)
  expect((await undo(grace, added)).statusCode).toBe(200)
})

test('the daily schedule corrects a wrong sum and measures accounts that have no sum', async () => {
  const [ada, grace] = [await signInAs(app, 'ada'), await signInAs(app, 'grace')]
  for (const person of [ada, grace]) await addDeals(person, 3)
  await waitForUse(ada, 3)
  // Ada's stored sum is wrong, and Grace has none
  await app.tableOwner.query('update record_use set bytes = 1e9 where user_id = $1', [ada.id])
  await app.tableOwner.query('delete from record_use where user_id = $1', [grace.id])
  await app.runSchedule('space of records')
  for (const person of [ada, grace]) {
    const bytes = await readUse(person)
    // a stored description is compressed, so the measured size of a deal is smaller than the written one, but at least 250 bytes
    expect(bytes).toBeGreaterThan(3 * 250)
    expect(bytes).toBeLessThan(3 * createdBytes)
  }
})

test('the sums of other accounts are stored while an account is being deleted', async () => {
  const [ada, grace] = [await signInAs(app, 'ada'), await signInAs(app, 'grace')]
  await addDeals(ada, 1)
  await waitForUse(ada, 1)
  await addDeals(ada, 1) // its bytes are stored a second later, together with those of Grace
  const deletion = await app.tableOwner.connect()
  onTestFinished(() => deletion.release(true)) // closes the connection, which rolls the deletion back
  await deletion.query('begin')
  await deletion.query(`select set_config('app.owner', $1, true)`, [ada.id])
  await deletion.query('select app.delete_account()')
  await addDeals(grace, 1)
  await expect.poll(() => readUse(grace)).toBeGreaterThan(createdBytes)
})

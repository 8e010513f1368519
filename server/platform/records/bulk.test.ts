import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { maxMatchingRecords } from '#contract/lists.ts'
import { sql } from '#server/platform/database/database.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { readLabel, recordsOf, undo } from '#server/testing/records.ts'
import { readOwnedRows } from '#server/testing/rows.ts'

let app: TestApp
let ada: Person
let contacts: ReturnType<typeof recordsOf>
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  contacts = recordsOf(ada, '/api/contacts')
})

/** An id that no record has. */
const unknownId = '01930000-0000-7000-8000-00000000ffff'
const add = (first_name: string, fields = {}) => contacts.add({ first_name, last_name: 'Example', ...fields })
const readNames = async () => (await contacts.list()).rows.map(({ first_name }) => first_name)
/** Adds this number of contacts with the city Paris. */
const insertGuests = (count: number) =>
  app.database.transaction(callerFor(ada.id), 'Added contacts', () =>
    sql(
      `insert into crm_contacts (user_id, first_name, mailing_city) select $1, 'Guest ' || n, 'Paris' from generate_series(1, $2::int) n`,
      [ada.id, count],
    ),
  )

test.each(['/bulk/delete', '/bulk/edit', '/bulk/tag'])(
  'the selection of %s needs either ids or a filter, and at least one existing record',
  async (subpath) => {
    await add('Ada')
    const bodies: Record<string, object> = { '/bulk/edit': { fields: { title: 'Guest' } }, '/bulk/tag': { add: ['Guest'] } }
    const body = { ...bodies[subpath] }
    const matching = { filter: [{ field: 'mailing_city', is: ['Nowhere'] }] }
    expect((await contacts.post(subpath, body)).statusCode).toBe(422)
    expect((await contacts.post(subpath, { ...body, ids: [unknownId], matching })).json().fields).toHaveProperty('ids')
    expect((await contacts.post(subpath, { ...body, ids: [] })).statusCode).toBe(422)
    expect((await contacts.post(subpath, { ...body, ids: [unknownId] })).json()).toMatchObject({ code: 'not_found' })
    expect((await contacts.post(subpath, { ...body, matching })).json()).toMatchObject({ code: 'not_found' })
    expect(await readNames()).toEqual(['Ada'])
  },
)

test('the selection of a bulk action with too many records is refused and changes nothing', async () => {
  await insertGuests(maxMatchingRecords + 1)
  const response = await contacts.post('/bulk/edit', { matching: {}, fields: { title: 'Guest' } })
  expect([response.statusCode, response.json().code]).toEqual([413, 'too_many'])
  const { rows } = await contacts.list({ filter: [{ field: 'title', empty: false }] })
  expect(rows).toEqual([])
})

test('the selection of a bulk action ignores ids of another owner', async () => {
  const grace = await signInAs(app, 'grace')
  const recordOfGrace = await recordsOf(grace, '/api/contacts').add({ first_name: 'Grace', last_name: 'Hopper' })
  const recordOfAda = await add('Ada')
  const before = await readOwnedRows(app, grace.id)
  const response = await contacts.post('/bulk/edit', { ids: [recordOfGrace.id, recordOfAda.id], fields: { title: 'Countess' } })
  expect(await readLabel(ada, response)).toBe('Updated 1 contact')
  expect(await readOwnedRows(app, grace.id)).toEqual(before)
})

test('all matching records are deleted as one change and restored by its undo', async () => {
  await insertGuests(3)
  await add('Ada', { mailing_city: 'London' })
  const response = await contacts.post('/bulk/delete', {
    matching: { search: 'guest', filter: [{ field: 'mailing_city', is: ['paris'] }] },
  })
  expect(response.statusCode).toBe(204)
  expect(await readNames()).toEqual(['Ada'])
  expect(await readLabel(ada, response)).toBe('Deleted 3 contacts')
  await undo(ada, response)
  expect(await readNames()).toHaveLength(4)
})

test('a bulk edit of 500 contacts is one change with one undo, and its label has the number of contacts', async () => {
  await insertGuests(500)
  const before = await readOwnedRows(app, ada.id)
  const response = await contacts.post('/bulk/edit', { matching: {}, fields: { mailing_city: ' London ', lead_source: 'Web' } })
  expect(response.statusCode).toBe(204)
  expect(await readLabel(ada, response)).toBe('Updated 500 contacts')
  const london = [
    { field: 'mailing_city', is: ['London'] },
    { field: 'lead_source', is: ['Web'] },
  ]
  expect((await contacts.query('/count', { filter: london })).json()).toEqual({ count: 500, more: false }) // ' London ' is trimmed
  await undo(ada, response)
  expect(await readOwnedRows(app, ada.id)).toEqual(before)
})

test('a bulk edit skips records that have the value already', async () => {
  const [ann, bob] = [await add('Ann', { title: 'Buyer' }), await add('Bob')]
  const response = await contacts.post('/bulk/edit', { ids: [ann.id, bob.id], fields: { title: 'Buyer' } })
  expect(await readLabel(ada, response)).toBe('Updated 1 contact')
  expect([(await contacts.get(ann.id)).version, (await contacts.get(bob.id)).version]).toEqual([1, 2])
  const repeated = await contacts.post('/bulk/edit', { ids: [ann.id, bob.id], fields: { title: 'Buyer' } })
  expect([repeated.statusCode, repeated.headers['foyer-change']]).toEqual([204, undefined]) // no change was made
  expect((await contacts.get(bob.id)).version).toBe(2)
})

test('a bulk edit can set and clear a link, and the error for a link to a missing record names the field', async () => {
  const company = await recordsOf(ada, '/api/companies').add({ name: 'Engines' })
  const { id } = await add('Ann')
  for (const company_id of [company.id, null]) {
    await contacts.post('/bulk/edit', { ids: [id], fields: { company_id } })
    expect((await contacts.get(id))['company_id']).toBe(company_id)
  }
  const response = await contacts.post('/bulk/edit', { ids: [id], fields: { company_id: unknownId } })
  expect(response.json()).toMatchObject({ code: 'not_found', fields: { 'fields.company_id': 'This company is no longer here' } })
})

test('a bulk edit never makes a contact its own manager', async () => {
  const [ann, bob] = [await add('Ann'), await add('Bob')]
  const response = await contacts.post('/bulk/edit', { matching: {}, fields: { reports_to_id: ann.id, title: 'Buyer' } })
  expect(response.statusCode, response.body).toBe(204)
  expect(await contacts.get(ann.id)).toMatchObject({ reports_to_id: null, title: 'Buyer' })
  expect(await contacts.get(bob.id)).toMatchObject({ reports_to_id: ann.id, title: 'Buyer' })
  expect(await readLabel(ada, response)).toBe('Updated 2 contacts')
})

test.each([
  [{}, 'fields'],
  [{ first_name: 'Ann' }, 'fields.first_name'],
  [{ lead_source: 'Rumour' }, 'fields.lead_source'],
  [{ title: 5 }, 'fields.title'],
])('a bulk edit of %j is refused with an error message for %s', async (fields, refusedField) => {
  const { id } = await add('Ann')
  const response = await contacts.post('/bulk/edit', { ids: [id], fields })
  expect(response.statusCode).toBe(422)
  expect(response.json().fields).toHaveProperty([refusedField])
})

const tagsOf = async (id: string) => (await contacts.get(id))['tags']

test('tags are added and removed in any spelling, and the first spelling is kept', async () => {
  const [ann, bob] = [await add('Ann', { tags: ['Fair 2026', 'fàir 2026', ' VIP '] }), await add('Bob', { tags: ['Käse'] })]
  expect(await tagsOf(ann.id)).toEqual(['Fair 2026', 'VIP'])
  const response = await contacts.post('/bulk/tag', { matching: {}, add: ['FAIR 2026', 'New'], remove: ['kase', 'nothing'] })
  expect(await readLabel(ada, response)).toBe('Tagged 2 contacts')
  expect(await tagsOf(ann.id)).toEqual(['Fair 2026', 'VIP', 'New'])
  expect(await tagsOf(bob.id)).toEqual(['FAIR 2026', 'New'])
  const repeated = await contacts.post('/bulk/tag', { ids: [ann.id], add: ['new'] })
  expect([repeated.statusCode, repeated.headers['foyer-change']]).toEqual([204, undefined])
  await undo(ada, response)
  expect([await tagsOf(ann.id), await tagsOf(bob.id)]).toEqual([['Fair 2026', 'VIP'], ['Käse']])
})

test('a tag that is added and removed has the new spelling, at the place of the old one', async () => {
  const [ann, bob, cem] = [await add('Ann', { tags: ['vip', 'Friend'] }), await add('Bob', { tags: ['VIP', 'Friend'] }), await add('Cem')]
  const response = await contacts.post('/bulk/tag', { matching: {}, add: ['VIP'], remove: ['vip'] })
  expect(await readLabel(ada, response)).toBe('Tagged 2 contacts') // Bob's tags were right already
  expect([await tagsOf(ann.id), await tagsOf(bob.id), await tagsOf(cem.id)]).toEqual([['VIP', 'Friend'], ['VIP', 'Friend'], ['VIP']])
})

test.each([
  ['Groß', 'Gross'],
  ['Łódź', 'LODZ'],
  ['Smørrebrød', 'smorrebrod'],
  ['Œuvre', 'oeuvre'],
  ['Þór', 'THOR'],
  ['ﬁrst', 'First'],
  ['№ 1', 'No 1'],
])('%s and %s are the same tag in a new record, an edit and a bulk action', async (first, second) => {
  const { id } = await add('Ann', { tags: [first, second] })
  expect(await tagsOf(id)).toEqual([first]) // of two spellings the first one stays
  const repeated = await contacts.post('/bulk/tag', { ids: [id], add: [second] })
  expect([repeated.statusCode, repeated.headers['foyer-change']]).toEqual([204, undefined])
  await contacts.edit(id, { tags: ['VIP', second, first] })
  expect(await tagsOf(id)).toEqual(['VIP', second])
  await contacts.edit(id, { tags: [] })
  await contacts.post('/bulk/tag', { ids: [id], add: [first, second] })
  expect(await tagsOf(id)).toEqual([first])
})

test.each([
  ['かき', 'がき'],
  ['किताब', 'काताब'],
])('%s and %s are two different tags', async (first, second) => {
  const { id } = await add('Ann', { tags: [first, second] })
  expect(await tagsOf(id)).toEqual([first, second])
})

test('tags are limited to 20 per record and 50 characters each, and cannot be blank', async () => {
  const maximum = Array.from({ length: 20 }, (_, number) => `Tag ${number}`)
  const [ann, bob] = [await add('Ann', { tags: maximum }), await add('Bob')]
  const response = await contacts.post('/bulk/tag', { ids: [bob.id, ann.id], add: ['One more'] })
  expect(response.statusCode).toBe(422)
  expect(response.json().fields.add).toBe('A contact takes at most 20 tags')
  expect(await tagsOf(bob.id)).toEqual([])
  expect((await contacts.patch(ann.id, { tags: [...maximum, 'One more'] })).json().fields).toHaveProperty('tags')
  expect((await contacts.patch(ann.id, { tags: ['x'.repeat(51)] })).json().fields).toHaveProperty(['tags.0'])
  expect((await contacts.patch(ann.id, { tags: [' '] })).json().fields).toHaveProperty(['tags.0'])
})

test('tags are required in a bulk request, either to add or to remove', async () => {
  const { id } = await add('Ann')
  expect((await contacts.post('/bulk/tag', { ids: [id] })).json().fields).toHaveProperty('add')
})

test('tags are listed by number of uses, and spellings of the same tag are counted together', async () => {
  await add('Ann', { tags: ['VIP', 'Fair'] })
  await add('Bob', { tags: ['fair'] })
  await add('Cy', { tags: ['Fair'] })
  const { tags }: { tags: { tag: string; count: number }[] } = (await contacts.query('/tags')).json()
  expect(tags.map(({ tag, count }) => `${tag.toLowerCase()} ${count}`)).toEqual(['fair 3', 'vip 1'])
  expect((await recordsOf(ada, '/api/deals').query('/tags')).json()).toEqual({ tags: [] })
})

describe('concurrent requests', () => {
  const createRequest = (method: 'POST' | 'DELETE', url: string, payload?: object) => ({
    method,
    url: `/api/contacts${url}`,
    headers: { 'idempotency-key': 'at-once' },
    ...(payload && { payload }),
  })
  test.each<[string, (id: string) => ReturnType<typeof createRequest>]>([
    ['a delete', (id) => createRequest('DELETE', `/${id}`)],
    ['a delete of many', (id) => createRequest('POST', '/bulk/delete', { ids: [id] })],
    ['an edit of many', (id) => createRequest('POST', '/bulk/edit', { ids: [id], fields: { title: 'Countess' } })],
    ['a tag on many', (id) => createRequest('POST', '/bulk/tag', { ids: [id], add: ['VIP'] })],
  ])(
    '%s that is sent six times with one Idempotency-Key is one change, and every response has its id',
    async (_name, createBulkRequest) => {
      const { id } = await add('Ada')
      const responses = await Promise.all(Array.from({ length: 6 }, () => ada.send(createBulkRequest(id))))
      expect(responses.map(({ statusCode, body }) => `${statusCode} ${body}`)).toEqual(responses.map(() => '204 '))
      const [change, ...others] = new Set(responses.map(({ headers }) => headers['foyer-change']))
      expect(change).toMatch(/^[0-9a-f-]{36}$/)
      expect(others).toEqual([])
    },
  )

  test('a bulk edit without effect returns no change, even with an Idempotency-Key', async () => {
    const { id } = await add('Ada', { title: 'Countess' })
    const response = await ada.send(createRequest('POST', '/bulk/edit', { ids: [id], fields: { title: 'Countess' } }))
    expect([response.statusCode, response.headers['foyer-change']]).toEqual([204, undefined])
  })

  test('a record that stops matching the filter while a bulk action waits for it is left alone', async () => {
    const ann = await add('Ann', { mailing_city: 'Paris' })
    await add('Bob', { mailing_city: 'Paris' })
    const isWaiting = Promise.withResolvers<void>()
    const move = app.database.transaction(callerFor(ada.id), 'Moved Ann', async () => {
      await sql(`update crm_contacts set mailing_city = 'Rome' where user_id = $1 and id = $2`, [ada.id, ann.id])
      await isWaiting.promise
    })
    const remove = contacts.post('/bulk/delete', { matching: { filter: [{ field: 'mailing_city', is: ['Paris'] }] } })
    const superuser = new pg.Client({ ...app.connections.tableOwner, user: 'postgres' })
    await superuser.connect()
    const waitingSql = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await superuser.query(waitingSql)).rowCount).toBe(1)
    await superuser.end()
    isWaiting.resolve()
    await move
    expect((await remove).statusCode).toBe(204)
    expect(await readNames()).toEqual(['Ann'])
  })

  test('concurrent bulk actions on the same records in different orders do not deadlock', async () => {
    await insertGuests(200)
    const ids = (await contacts.list({ limit: '200' })).rows.map(({ id }) => id)
    const requests = Array.from({ length: 3 }, (_, number) => [
      contacts.post('/bulk/edit', { ids, fields: { title: `Title ${number}` } }),
      contacts.post('/bulk/tag', { ids: ids.toReversed(), add: [`Tag ${number}`] }),
      contacts.post('/bulk/edit', { matching: { search: 'guest' }, fields: { department: `Department ${number}` } }),
    ])
    const responses = await Promise.all(requests.flat())
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(responses.map(() => 204))
    const { rows } = await contacts.list({ limit: '200' })
    expect(rows.every(({ tags }) => Array.isArray(tags) && tags.length === 3)).toBe(true)
  })
})

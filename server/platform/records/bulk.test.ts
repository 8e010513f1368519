import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { matchingLimit } from '#contract/lists.ts'
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

const nobodys = '01930000-0000-7000-8000-00000000ffff'
const add = (first_name: string, more = {}) => contacts.add({ first_name, last_name: 'Example', ...more })
const names = async () => (await contacts.list()).rows.map(({ first_name }) => first_name)
const insert = (count: number) =>
  app.database.transaction(callerFor(ada.id), 'Added contacts', () =>
    sql(
      `insert into crm_contacts (user_id, first_name, mailing_city) select $1, 'Guest ' || n, 'Paris' from generate_series(1, $2::int) n`,
      [ada.id, count],
    ),
  )

describe('the selection', () => {
  test.each(['/bulk/delete', '/bulk/edit', '/bulk/tag'])('%s requires ids or a filter, and at least one existing record', async (place) => {
    await add('Ada')
    const wanted: Record<string, object> = { '/bulk/edit': { fields: { title: 'Guest' } }, '/bulk/tag': { add: ['Guest'] } }
    const rest = { ...wanted[place] }
    const matching = { filter: [{ field: 'mailing_city', is: ['Nowhere'] }] }
    expect((await contacts.post(place, rest)).statusCode).toBe(422)
    expect((await contacts.post(place, { ...rest, ids: [nobodys], matching })).json().fields).toHaveProperty('ids')
    expect((await contacts.post(place, { ...rest, ids: [] })).statusCode).toBe(422)
    expect((await contacts.post(place, { ...rest, ids: [nobodys] })).json()).toMatchObject({ code: 'not_found' })
    expect((await contacts.post(place, { ...rest, matching })).json()).toMatchObject({ code: 'not_found' })
    expect(await names()).toEqual(['Ada'])
  })

  test('a selection with too many records is refused and changes nothing', async () => {
    await insert(matchingLimit + 1)
    const answer = await contacts.post('/bulk/edit', { matching: {}, fields: { title: 'Guest' } })
    expect([answer.statusCode, answer.json().code]).toEqual([413, 'too_many'])
    const { rows } = await contacts.list({ filter: [{ field: 'title', empty: false }] })
    expect(rows).toEqual([])
  })

  test('ids of another owner are ignored', async () => {
    const grace = await signInAs(app, 'grace')
    const hers = await recordsOf(grace, '/api/contacts').add({ first_name: 'Grace', last_name: 'Hopper' })
    const mine = await add('Ada')
    const before = await readOwnedRows(app, grace.id)
    const answer = await contacts.post('/bulk/edit', { ids: [hers.id, mine.id], fields: { title: 'Countess' } })
    expect(await readLabel(ada, answer)).toBe('Updated 1 contact')
    expect(await readOwnedRows(app, grace.id)).toEqual(before)
  })
})

test('all matching records are deleted as one change and restored by its undo', async () => {
  await insert(3)
  await add('Ada', { mailing_city: 'London' })
  const answer = await contacts.post('/bulk/delete', { matching: { search: 'guest', filter: [{ field: 'mailing_city', is: ['paris'] }] } })
  expect(answer.statusCode).toBe(204)
  expect(await names()).toEqual(['Ada'])
  expect(await readLabel(ada, answer)).toBe('Deleted 3 contacts')
  await undo(ada, answer)
  expect(await names()).toHaveLength(4)
})

describe('bulk edits', () => {
  test('of 500 contacts are one change with their number in the label, with one undo', async () => {
    await insert(500)
    const before = await readOwnedRows(app, ada.id)
    const answer = await contacts.post('/bulk/edit', { matching: {}, fields: { mailing_city: ' London ', lead_source: 'Web' } })
    expect(answer.statusCode).toBe(204)
    expect(await readLabel(ada, answer)).toBe('Updated 500 contacts')
    const london = [
      { field: 'mailing_city', is: ['London'] },
      { field: 'lead_source', is: ['Web'] },
    ]
    expect((await contacts.query('/count', { filter: london })).json()).toEqual({ count: 500, more: false })
    await undo(ada, answer)
    expect(await readOwnedRows(app, ada.id)).toEqual(before)
  })

  test('skip records that have the value already', async () => {
    const [ann, bob] = [await add('Ann', { title: 'Buyer' }), await add('Bob')]
    const answer = await contacts.post('/bulk/edit', { ids: [ann.id, bob.id], fields: { title: 'Buyer' } })
    expect(await readLabel(ada, answer)).toBe('Updated 1 contact')
    expect([(await contacts.get(ann.id)).version, (await contacts.get(bob.id)).version]).toEqual([1, 2])
    const again = await contacts.post('/bulk/edit', { ids: [ann.id, bob.id], fields: { title: 'Buyer' } })
    expect([again.statusCode, again.headers['foyer-change']]).toEqual([204, undefined])
    expect((await contacts.get(bob.id)).version).toBe(2)
  })

  test('can clear and set a link, and name the field of a link to a missing record in the error', async () => {
    const company = await recordsOf(ada, '/api/companies').add({ name: 'Engines' })
    const { id } = await add('Ann')
    for (const company_id of [company.id, null]) {
      await contacts.post('/bulk/edit', { ids: [id], fields: { company_id } })
      expect((await contacts.get(id))['company_id']).toBe(company_id)
    }
    const answer = await contacts.post('/bulk/edit', { ids: [id], fields: { company_id: nobodys } })
    expect(answer.json()).toMatchObject({ code: 'not_found', fields: { 'fields.company_id': 'This company is no longer here' } })
  })

  test('never link a contact to itself as manager', async () => {
    const [ann, bob] = [await add('Ann'), await add('Bob')]
    const answer = await contacts.post('/bulk/edit', { matching: {}, fields: { reports_to_id: ann.id, title: 'Buyer' } })
    expect(answer.statusCode, answer.body).toBe(204)
    expect(await contacts.get(ann.id)).toMatchObject({ reports_to_id: null, title: 'Buyer' })
    expect(await contacts.get(bob.id)).toMatchObject({ reports_to_id: ann.id, title: 'Buyer' })
    expect(await readLabel(ada, answer)).toBe('Updated 2 contacts')
  })

  test.each([
    [{}, 'fields'],
    [{ first_name: 'Ann' }, 'fields.first_name'],
    [{ lead_source: 'Rumour' }, 'fields.lead_source'],
    [{ title: 5 }, 'fields.title'],
  ])('of %j are refused with a sentence for %s', async (fields, wrong) => {
    const { id } = await add('Ann')
    const answer = await contacts.post('/bulk/edit', { ids: [id], fields })
    expect(answer.statusCode).toBe(422)
    expect(answer.json().fields).toHaveProperty([wrong])
  })
})

describe('tags', () => {
  const tagsOf = async (id: string) => (await contacts.get(id))['tags']

  test('are added and removed in any spelling; the first spelling is kept', async () => {
    const [ann, bob] = [await add('Ann', { tags: ['Fair 2026', 'fàir 2026', ' VIP '] }), await add('Bob', { tags: ['Käse'] })]
    expect(await tagsOf(ann.id)).toEqual(['Fair 2026', 'VIP'])
    const answer = await contacts.post('/bulk/tag', { matching: {}, add: ['FAIR 2026', 'New'], remove: ['kase', 'nothing'] })
    expect(await readLabel(ada, answer)).toBe('Tagged 2 contacts')
    expect(await tagsOf(ann.id)).toEqual(['Fair 2026', 'VIP', 'New'])
    expect(await tagsOf(bob.id)).toEqual(['FAIR 2026', 'New'])
    const again = await contacts.post('/bulk/tag', { ids: [ann.id], add: ['new'] })
    expect([again.statusCode, again.headers['foyer-change']]).toEqual([204, undefined])
    await undo(ada, answer)
    expect([await tagsOf(ann.id), await tagsOf(bob.id)]).toEqual([['Fair 2026', 'VIP'], ['Käse']])
  })

  test.each([
    ['Groß', 'Gross'],
    ['Łódź', 'LODZ'],
    ['Smørrebrød', 'smorrebrod'],
    ['Œuvre', 'oeuvre'],
    ['Þór', 'THOR'],
    ['ﬁrst', 'First'],
    ['№ 1', 'No 1'],
  ])('%s and %s are the same, on whichever way they come', async (one, other) => {
    const { id } = await add('Ann', { tags: [one, other] })
    expect(await tagsOf(id)).toEqual([one])
    const again = await contacts.post('/bulk/tag', { ids: [id], add: [other] })
    expect([again.statusCode, again.headers['foyer-change']]).toEqual([204, undefined])
    await contacts.edit(id, { tags: ['VIP', other, one] })
    expect(await tagsOf(id)).toEqual(['VIP', other])
    await contacts.edit(id, { tags: [] })
    await contacts.post('/bulk/tag', { ids: [id], add: [one, other] })
    expect(await tagsOf(id)).toEqual([one])
  })

  test.each([
    ['かき', 'がき'],
    ['किताब', 'काताब'],
  ])('%s and %s are two', async (one, other) => {
    const { id } = await add('Ann', { tags: [one, other] })
    expect(await tagsOf(id)).toEqual([one, other])
  })

  test('are limited to 20 per record and 50 characters each', async () => {
    const many = Array.from({ length: 20 }, (_, number) => `Tag ${number}`)
    const [ann, bob] = [await add('Ann', { tags: many }), await add('Bob')]
    const answer = await contacts.post('/bulk/tag', { ids: [bob.id, ann.id], add: ['One more'] })
    expect(answer.statusCode).toBe(422)
    expect(answer.json().fields.add).toBe('A contact takes at most 20 tags')
    expect(await tagsOf(bob.id)).toEqual([])
    expect((await contacts.patch(ann.id, { tags: [...many, 'One more'] })).json().fields).toHaveProperty('tags')
    expect((await contacts.patch(ann.id, { tags: ['x'.repeat(51)] })).json().fields).toHaveProperty(['tags.0'])
    expect((await contacts.patch(ann.id, { tags: [' '] })).json().fields).toHaveProperty(['tags.0'])
  })

  test('are required in a request: at least one to add or remove', async () => {
    const { id } = await add('Ann')
    expect((await contacts.post('/bulk/tag', { ids: [id] })).json().fields).toHaveProperty('add')
  })

  test('are listed by number of uses, ignoring different spellings', async () => {
    await add('Ann', { tags: ['VIP', 'Fair'] })
    await add('Bob', { tags: ['fair'] })
    await add('Cy', { tags: ['Fair'] })
    const { tags }: { tags: { tag: string; count: number }[] } = (await contacts.query('/tags')).json()
    expect(tags.map(({ tag, count }) => `${tag.toLowerCase()} ${count}`)).toEqual(['fair 3', 'vip 1'])
    expect((await recordsOf(ada, '/api/deals').query('/tags')).json()).toEqual({ tags: [] })
  })
})

describe('concurrent requests', () => {
  const asked = (method: 'POST' | 'DELETE', url: string, payload?: object) => ({
    method,
    url: `/api/contacts${url}`,
    headers: { 'idempotency-key': 'at-once' },
    ...(payload && { payload }),
  })
  test.each<[string, (id: string) => ReturnType<typeof asked>]>([
    ['a delete', (id) => asked('DELETE', `/${id}`)],
    ['a delete of many', (id) => asked('POST', '/bulk/delete', { ids: [id] })],
    ['an edit of many', (id) => asked('POST', '/bulk/edit', { ids: [id], fields: { title: 'Countess' } })],
    ['a tag on many', (id) => asked('POST', '/bulk/tag', { ids: [id], add: ['VIP'] })],
  ])('%s under one Idempotency-Key is one change, and each hears of it', async (_name, request) => {
    const { id } = await add('Ada')
    const answers = await Promise.all(Array.from({ length: 6 }, () => ada.send(request(id))))
    expect(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).toEqual(answers.map(() => '204 '))
    const [change, ...others] = new Set(answers.map(({ headers }) => headers['foyer-change']))
    expect(change).toMatch(/^[0-9a-f-]{36}$/)
    expect(others).toEqual([])
  })

  test('a bulk edit without effect returns no change, also with an Idempotency-Key', async () => {
    const { id } = await add('Ada', { title: 'Countess' })
    const answer = await ada.send(asked('POST', '/bulk/edit', { ids: [id], fields: { title: 'Countess' } }))
    expect([answer.statusCode, answer.headers['foyer-change']]).toEqual([204, undefined])
  })

  test('all requests for the same records in different orders succeed', async () => {
    await insert(200)
    const ids = (await contacts.list({ limit: '200' })).rows.map(({ id }) => id)
    const wanted = Array.from({ length: 3 }, (_each, number) => [
      contacts.post('/bulk/edit', { ids, fields: { title: `Title ${number}` } }),
      contacts.post('/bulk/tag', { ids: ids.toReversed(), add: [`Tag ${number}`] }),
      contacts.post('/bulk/edit', { matching: { search: 'guest' }, fields: { department: `Department ${number}` } }),
    ])
    const answers = await Promise.all(wanted.flat())
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 204))
    const { rows } = await contacts.list({ limit: '200' })
    expect(rows.every(({ tags }) => Array.isArray(tags) && tags.length === 3)).toBe(true)
  })
})

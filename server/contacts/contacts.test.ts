import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'

let app: TestApp
let ada: Person
beforeAll(async () => void (app = await openTestApp()))
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
})

type Fields = Record<string, unknown>
const post = (payload: Fields, headers = {}) => ada.send({ method: 'POST', url: '/api/contacts', payload, headers })
const patch = (id: string, payload: Fields, headers = {}) => ada.send({ method: 'PATCH', url: `/api/contacts/${id}`, payload, headers })
const list = async (query: Record<string, string>) => {
  const response = await ada.send({ url: `/api/contacts?${new URLSearchParams(query).toString()}` })
  expect(response.statusCode, response.body).toBe(200)
  const page: { rows: { first_name: string; id: string }[]; next: string | null } = response.json()
  return { names: page.rows.map(({ first_name }) => first_name), next: page.next }
}
const add = async (first_name: string, more: Fields = {}): Promise<{ id: string; version: number }> => {
  const response = await post({ first_name, last_name: 'Example', ...more })
  expect(response.statusCode, response.body).toBe(201)
  return response.json()
}

test('a contact is stored with trimmed values, and the response has the id of its change', async () => {
  const fields = { first_name: ' Ada ', last_name: 'Lovelace', email: 'Ada@Example.org', lead_source: 'Web', mobile_phone: '7' }
  const response = await post(fields)
  expect(response.statusCode).toBe(201)
  expect(response.json()).toMatchObject({
    first_name: 'Ada',
    email: 'Ada@Example.org',
    lead_source: 'Web',
    phone: '',
    reports_to_id: null,
    version: 1,
  })
  expect(response.headers['foyer-change']).toMatch(/^[0-9a-f-]{36}$/)
  expect((await ada.send({ url: `/api/contacts/${response.json().id}` })).json()).toEqual(response.json())
  expect((await ada.send({ url: '/api/contacts' })).json().rows).toMatchObject([{ phone: '', mobile_phone: '7' }])
})

test.each([
  [{ last_name: 'Lovelace' }, 'first_name'],
  [{ first_name: ' \u200B', last_name: 'Lovelace' }, 'first_name'],
  [{ first_name: 'Ada', last_name: 'L', mobile_phone: 'abc' }, 'mobile_phone'],
  [{ first_name: 'Ada', last_name: 'L', email: 'nonsense' }, 'email'],
  [{ first_name: 'Ada', last_name: 'L', lead_source: 'Rumour' }, 'lead_source'],
  [{ first_name: 'Ada', last_name: 'L', user_id: '01930000-0000-7000-8000-0000000000ff' }, 'user_id'],
  [{ first_name: 'A'.repeat(101), last_name: 'L' }, 'first_name'],
])('a contact with %j is refused with a message for %s', async (fields, refusedField) => {
  const response = await post(fields)
  expect(response.statusCode).toBe(422)
  expect(response.json().fields[refusedField]).toMatch(/\w/)
})

describe('search', () => {
  beforeEach(async () => {
    await add('Anna', { last_name: 'Müller', phone: '+44 20 7946 0118', company: 'Łódź Dental' })
    await add('Bert', { company: 'bert_100% pure', mobile_phone: '020 7946 0555' })
    await add('Carla', { company: 'Straßenbau AG' })
  })

  test.each([
    ['muller', ['Anna']],
    ['MÜLL', ['Anna']],
    ['anna müller', ['Anna']],
    ['müller anna', ['Anna']],
    ['lodz', ['Anna']],
    ['strassen', ['Carla']],
    ['7946-0118', ['Anna']],
    ['(020) 7946.0118', ['Anna']],
    ['0044 20 7946 0118', ['Anna']],
    ['46 01', ['Anna']], // a part of her phone number
    ['+442079460555', ['Bert']],
    ['_100%', ['Bert']],
    ['00%', ['Bert']],
    ['b_rt', []], // an underscore is not a wildcard
    ['nobody', []],
    ['   ', ['Carla', 'Bert', 'Anna']],
  ])('a search for %j finds %j', async (search, names) => {
    expect((await list({ search })).names).toEqual(names)
    const { count } = (await ada.send({ url: `/api/contacts/count?${new URLSearchParams({ search }).toString()}` })).json()
    expect(count).toBe(names.length)
  })
})

// contacts without a company or an email come last in both orders
test.each([
  ['newest', 'asc', ['Dora', 'Carla', 'bert', 'Ämilie']], // this sort has only one order
  ['name', 'asc', ['Ämilie', 'bert', 'Carla', 'Dora']],
  ['name', 'desc', ['Dora', 'Carla', 'bert', 'Ämilie']],
  ['company', 'asc', ['Dora', 'Ämilie', 'bert', 'Carla']],
  ['company', 'desc', ['Ämilie', 'Dora', 'Carla', 'bert']],
  ['email', 'asc', ['Carla', 'Dora', 'Ämilie', 'bert']],
])('the pages of the list sorted by %s, %s, contain every contact once, in order', async (sort, order, names) => {
  await add('Ämilie', { company: 'Zoo' })
  await add('bert')
  await add('Carla', { email: 'a@example.org' })
  await add('Dora', { company: 'Alm', email: 'b@example.org' })
  for (const limit of ['1', '2', '3', '4']) {
    const listed: string[] = []
    let after: string | null = null
    do {
      const page: Awaited<ReturnType<typeof list>> = await list({ sort, order, limit, ...(after !== null && { after }) })
      listed.push(...page.names)
      after = page.next
    } while (after !== null)
    expect(listed, `limit ${limit}`).toEqual(names)
  }
})

test('an invalid cursor is refused', async () => {
  const response = await ada.send({ url: '/api/contacts?after=nonsense' })
  expect(response.statusCode).toBe(422)
  expect(response.json().fields).toHaveProperty('after')
})

test.each([
  [409, 'the same email in upper case', { email: 'ada@example.org' }, { first_name: 'Someone', email: ' ADA@example.org' }],
  [
    409,
    'the same phone in another format, if one of them has no email',
    { phone: '020 7946 0118' },
    { phone: '+44 20 7946 0118', email: 'x@example.org' },
  ],
  [201, 'the same phone and another name', { phone: '020 7946 0118' }, { first_name: 'Charles', phone: '+44 20 7946 0118' }],
  [
    201,
    'the same phone and another email',
    { phone: '020 7946 0118', email: 'a@example.org' },
    { phone: '020 7946 0118', email: 'b@example.org' },
  ],
  [201, 'only the same name', {}, {}],
])('the duplicate rule returns %i for a second contact with %s', async (status, _name, first, second) => {
  const existing = await add('Ada', first)
  const response = await post({ first_name: 'Ada', last_name: 'Example', ...second })
  expect(response.statusCode).toBe(status)
  if (status !== 409) return
  expect(response.json()).toMatchObject({ code: 'duplicate', matches: [{ id: existing.id, name: 'Ada Example' }] })
  expect((await post({ first_name: 'Ada', last_name: 'Example', ...second, allow_duplicate: true })).statusCode).toBe(201)
})

test('the duplicate rule lets fifty simultaneous requests with the same email create only one contact', async () => {
  const responses = await Promise.all(
    Array.from({ length: 50 }, () => post({ first_name: 'Ada', last_name: 'L', email: 'ada@example.org' })),
  )
  expect(responses.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1)
  expect(responses.filter(({ statusCode }) => statusCode === 409)).toHaveLength(49)
  expect((await list({})).names).toEqual(['Ada'])
})

test('concurrent edits of different fields are merged', async () => {
  const { id, version } = await add('Ada')
  expect((await patch(id, { phone: '1', version })).statusCode).toBe(200)
  const second = await patch(id, { title: 'Countess', version })
  expect(second.json()).toMatchObject({ phone: '1', title: 'Countess', version: 3 })
})

test('concurrent edits of the same field are a conflict that shows both values', async () => {
  const { id, version } = await add('Ada', { phone: '0' })
  await patch(id, { phone: '1', version })
  await patch(id, { title: 'Countess', version })
  const response = await patch(id, { phone: '2', company: 'Engines', version })
  expect(response.statusCode).toBe(409)
  expect(response.json()).toMatchObject({
    code: 'conflict',
    conflict: { version: 3, actor: `user:${ada.id}`, fields: [{ field: 'phone', yours: '2', theirs: '1' }] },
  })
  expect((await ada.send({ url: `/api/contacts/${id}` })).json()).toMatchObject({ phone: '1', company: '' })
  expect((await patch(id, { phone: '2', version: 3 })).json()).toMatchObject({ phone: '2', version: 4 })
})

test('concurrent edits of the same field with the same value are no conflict, and an edit without a version always overwrites', async () => {
  const { id, version } = await add('Ada')
  await patch(id, { phone: '1', version })
  expect((await patch(id, { phone: '1', version })).statusCode).toBe(200)
  expect((await patch(id, { phone: '9' })).json()).toMatchObject({ phone: '9' })
})

test('concurrent edits are accepted after the contact was deleted and restored', async () => {
  const { id, version } = await add('Ada', { phone: '0' })
  await ada.send({ method: 'DELETE', url: `/api/contacts/${id}` })
  await ada.send({ method: 'POST', url: `/api/trash/${id}/restore` })
  expect((await patch(id, { phone: '1', version })).json()).toMatchObject({ phone: '1' })
})

test('concurrent edits of ten different fields are all stored when they are sent simultaneously', async () => {
  const { id, version } = await add('Ada')
  const fields = [
    'mailing_country',
    'title',
    'company',
    'department',
    'mailing_city',
    'mailing_street',
    'mailing_state',
    'description',
    'email',
    'last_name',
  ]
  const responses = await Promise.all(fields.map((field) => patch(id, { [field]: 'a@b.co', version }))) // valid in every field
  expect(responses.map(({ statusCode }) => statusCode)).toEqual(fields.map(() => 200))
  const contact = (await ada.send({ url: `/api/contacts/${id}` })).json()
  expect(contact).toMatchObject(Object.fromEntries(fields.map((field) => [field, 'a@b.co'])))
})

test('a contact cannot report to a contact of another owner', async () => {
  const { id } = await add('Ada')
  const grace = await signInAs(app, 'grace')
  const payload = { first_name: 'Grace', last_name: 'Hopper', reports_to_id: id }
  const response = await grace.send({ method: 'POST', url: '/api/contacts', payload })
  expect(response.statusCode).toBe(404)
  expect(response.json()).toMatchObject({ code: 'not_found', fields: { reports_to_id: 'This contact is no longer here' } })
})

test('a contact cannot report to itself', async () => {
  const { id } = await add('Ada')
  expect((await patch(id, { reports_to_id: id })).json().fields).toHaveProperty('reports_to_id')
  expect((await patch(id.toUpperCase(), { reports_to_id: id })).json().fields).toHaveProperty('reports_to_id')
  const newId = '01930000-0000-7000-8000-00000000aaaa'
  const response = await post({ id: newId, first_name: 'Ada', last_name: 'Lovelace', reports_to_id: newId })
  expect(response.json().fields).toHaveProperty('reports_to_id')
})

test('a request that is repeated with its Idempotency-Key adds one contact and returns its current values', async () => {
  const headers = { 'idempotency-key': 'once' }
  const fields = { first_name: 'Ada', last_name: 'Lovelace' }
  const first = await post(fields, headers)
  await patch(first.json().id, { title: 'Countess' })
  const repeated = await post(fields, headers)
  expect(repeated.statusCode).toBe(201)
  expect(repeated.json()).toMatchObject({ id: first.json().id, title: 'Countess' })
  expect(repeated.headers['foyer-change']).toBe(first.headers['foyer-change'])
  expect((await list({})).names).toHaveLength(1)
})

test('a request that is repeated with its Idempotency-Key adds one contact when sent ten times simultaneously', async () => {
  const headers = { 'idempotency-key': 'at-once' }
  const responses = await Promise.all(Array.from({ length: 10 }, () => post({ first_name: 'Ada', last_name: 'L' }, headers)))
  expect(new Set(responses.map((response) => `${response.statusCode} ${response.json().id}`)).size).toBe(1)
  expect((await list({})).names).toHaveLength(1)
})

test('a request that is repeated with its Idempotency-Key is refused when its body differs', async () => {
  const headers = { 'idempotency-key': 'reused' }
  await post({ first_name: 'Ada', last_name: 'L' }, headers)
  expect((await post({ first_name: 'Grace', last_name: 'H' }, headers)).json()).toMatchObject({ code: 'request_reused' })
})

test('a request that is repeated with its Idempotency-Key deletes a contact once and returns 204 both times', async () => {
  const { id } = await add('Ada')
  const remove = () => ada.send({ method: 'DELETE', url: `/api/contacts/${id}`, headers: { 'idempotency-key': 'delete' } })
  expect([(await remove()).statusCode, (await remove()).statusCode]).toEqual([204, 204])
})

test('several contacts are deleted as one change and restored together', async () => {
  const ids = [(await add('Ada')).id, (await add('Grace')).id]
  const deletion = await ada.send({ method: 'POST', url: '/api/contacts/bulk/delete', payload: { ids: [...ids, ...ids] } })
  expect(deletion.statusCode).toBe(204)
  expect((await list({})).names).toEqual([])
  const changeId = String(deletion.headers['foyer-change'])
  expect((await ada.send({ url: `/api/changes/${changeId}` })).json()).toMatchObject({ label: 'Deleted 2 contacts', count: 2 })
  await ada.send({ method: 'POST', url: `/api/changes/${changeId}/undo` })
  expect((await list({})).names).toEqual(['Grace', 'Ada'])
})

test('the trash lists, restores and erases deleted contacts', async () => {
  const { id } = await add('Ada')
  await ada.send({ method: 'DELETE', url: `/api/contacts/${id}` })
  const trash = await ada.send({ url: '/api/trash' })
  expect(trash.json().rows).toMatchObject([{ id, table: 'crm_contacts', title: 'Ada Example' }])
  expect((await ada.send({ method: 'POST', url: `/api/trash/${id}/restore` })).statusCode).toBe(200)
  expect((await ada.send({ url: '/api/trash' })).json().rows).toEqual([])
  await ada.send({ method: 'DELETE', url: `/api/contacts/${id}` })
  expect((await ada.send({ method: 'DELETE', url: `/api/trash/${id}` })).statusCode).toBe(204)
  expect((await ada.send({ url: '/api/trash' })).json().rows).toEqual([])
  const { rows } = await app.tableOwner.query(`select from journal where row_id = $1`, [id])
  expect(rows).toEqual([])
})

test('the timeline lists changes, newest first', async () => {
  const { id } = await add('Ada')
  await patch(id, { phone: '1' })
  const timeline = await ada.send({ url: `/api/changes?record=${id}` })
  expect(timeline.json().rows).toMatchObject([
    { operation: 'updated', label: 'Updated contact', columns: expect.arrayContaining([{ name: 'phone', before: '', after: '1' }]) },
    { operation: 'created', label: 'Added contact', actor: `user:${ada.id}` },
  ])
})

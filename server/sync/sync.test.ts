// Syncs with a stand-in of Insightly: of all contacts, of changes, after undos, and after the deletion of a connection.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createContacts, startInsightly, type InsightlyServer } from '#server/testing/insightly-server.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { connectCrm, readContacts, readLastSync, startSync, syncCrm, waitForEnd } from '#server/testing/sync.ts'

let app: TestApp
let crm: InsightlyServer
let ada: Person
let now = new Date()
beforeAll(async () => {
  app = await openTestApp({ allowedHosts: ['127.0.0.1'], now: () => now })
})
afterAll(() => app.stop())
beforeEach(async () => {
  now = new Date()
  ada = await signInAs(app, 'ada')
  crm = await startInsightly()
  return () => crm[Symbol.asyncDispose]()
})

const isContacts = (path: string): boolean => path === '/v3.1/Contacts'
const zeroCounts = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0, missing: 0 }
test('the first sync copies all contacts with their companies, tags and further values', async () => {
  const { id } = await connectCrm(ada, crm)
  expect(await startSync(ada, id)).toMatchObject({ status: 'running', scope: 'full', ...zeroCounts })
  expect(await waitForEnd(ada, id)).toMatchObject({ ...zeroCounts, status: 'done', created: 3, problem: null, reasons: [] })
  const [first, second] = await readContacts(app, ada)
  expect(first).toEqual({
    external_id: '1001',
    isLinked: true,
    first_name: 'First1',
    last_name: 'Last1',
    email: 'person1@example.com',
    phone: '',
    mobile_phone: '+44 20 7946 0000',
    company: 'Company 1',
    title: 'Buyer',
    mailing_city: 'London',
    description: '',
    tags: ['Customer'],
    raw_data: expect.objectContaining({ Salutation: 'Dr.', 'Shoe size': '40', 'Date created': '2024-02-01 10:00:00' }),
  })
  expect(second).toMatchObject({ company: 'Company 2', tags: [] })
  const { body } = await ada.send({ url: '/api/crm-connections' })
  expect(JSON.parse(body).rows).toMatchObject([{ id, contacts: 3, last_synced_at: expect.any(String), last_sync: { status: 'done' } }])
  // the general host was asked once; after its redirect the host of the account was asked directly, always with the key
  const syncRequests = crm.requests.slice(2) // without the two requests that tried the new connection
  expect(syncRequests.filter(({ host }) => host === 'general')).toHaveLength(1)
  expect(new Set(crm.requests.map(({ authorization }) => authorization))).toEqual(new Set([`Basic ${btoa(`${crm.key}:`)}`]))
})

test('later syncs copy what changed, create nothing twice, and a full sync finds what was deleted in the CRM', async () => {
  const { id } = await connectCrm(ada, crm)
  await syncCrm(ada, id)
  now = new Date(now.getTime() + 60 * 60 * 1000)
  Object.assign(crm.contacts[0] ?? {}, { TITLE: 'Director', PHONE: '', DATE_UPDATED_UTC: '2099-01-01 10:00:00' })
  crm.contacts.push({
    ...createContacts(1)[0],
    CONTACT_ID: 2001,
    EMAIL_ADDRESS: 'new@example.com',
    PHONE_MOBILE: null,
    DATE_UPDATED_UTC: '2099-01-01 10:00:00',
  })
  crm.contacts.splice(1, 1)
  expect(await syncCrm(ada, id)).toMatchObject({ ...zeroCounts, scope: 'changes', status: 'done', created: 1, updated: 1 })
  expect(crm.requests.at(-1)).toMatchObject({ path: '/v3.1/Contacts/Search' })
  expect(await syncCrm(ada, id, true)).toMatchObject({
    ...zeroCounts,
    scope: 'full',
    unchanged: 3,
    missing: 1,
    missing_contacts: [{ name: 'First2 Last2' }],
  })
  expect((await readContacts(app, ada)).map(({ external_id, title }) => [external_id, title])).toEqual([
    ['1001', 'Director'],
    ['1002', 'Buyer'],
    ['1003', 'Buyer'],
    ['2001', 'Buyer'],
  ])
})

test('an edit in Foyer stays while the value in the CRM is unchanged, and is replaced by a newer value of the CRM', async () => {
  const { id } = await connectCrm(ada, crm)
  await syncCrm(ada, id)
  const { rows } = (await ada.send({ url: '/api/contacts?search=person1@example.com' })).json()
  const edited = { title: 'Head of purchasing', first_name: 'Augusta', mailing_city: 'Leeds', tags: [] }
  await ada.send({ method: 'PATCH', url: `/api/contacts/${rows[0].id}`, payload: edited })
  expect(await syncCrm(ada, id, true)).toMatchObject({ unchanged: 3 })
  Object.assign(crm.contacts[0] ?? {}, { ADDRESS_MAIL_CITY: 'York' })
  expect(await syncCrm(ada, id, true)).toMatchObject({ unchanged: 2, updated: 1 })
  expect((await readContacts(app, ada))[0]).toMatchObject({ ...edited, mailing_city: 'York' })
})

test('a contact that exists already is linked, a second contact of the same person is skipped, and a contact without a name is reported', async () => {
  await ada.send({
    method: 'POST',
    url: '/api/contacts',
    payload: { first_name: 'First1', last_name: 'Last1', email: 'PERSON1@example.com', department: 'Sales' },
  })
  crm.contacts.push({ ...crm.contacts[0], CONTACT_ID: 3001, PHONE_MOBILE: null }, { CONTACT_ID: 3002 }, { FIRST_NAME: 'Without id' })
  const { id } = await connectCrm(ada, crm)
  expect(await syncCrm(ada, id)).toMatchObject({
    ...zeroCounts,
    created: 2,
    updated: 1,
    skipped: 1,
    failed: 2,
    // the contact without an id is counted, but it cannot be listed
    reasons: [
      {
        external_id: '3001',
        name: 'First1 Last1',
        reason: 'It is the same person as the contact with the number 1001, which is here already.',
      },
      { external_id: '3002', name: '', reason: 'It has no name, no email and no phone number.' },
    ],
  })
  expect(await readContacts(app, ada)).toHaveLength(3)
})

test('values that do not fit into a field are stored in raw_data', async () => {
  const long = `${'x'.repeat(19_999)}😀` // a cut after 20,000 UTF-16 code units, the limit of a value, would halve the emoji
  Object.assign(crm.contacts[0] ?? {}, { EMAIL_ADDRESS: 'none', PHONE: 'ask Tom', TITLE: long, BACKGROUND: long, ORGANISATION_ID: 99 })
  const { id } = await connectCrm(ada, crm)
  expect(await syncCrm(ada, id)).toMatchObject({ created: 3, failed: 0 })
  const [first] = await readContacts(app, ada)
  expect(first).toMatchObject({ email: '', phone: '', title: '', company: '', raw_data: { 'Email address': 'none', Phone: 'ask Tom' } })
})

test('a sync is one change that can be undone, and the next sync adds the contacts again', async () => {
  const { id } = await connectCrm(ada, crm)
  const { change } = await syncCrm(ada, id)
  const recent = (await ada.send({ url: '/api/changes/recent' })).json()
  expect(recent.rows[0]).toMatchObject({ change, label: 'Copied 3 contacts from Insightly' })
  expect((await ada.send({ method: 'POST', url: `/api/changes/${change}/undo` })).statusCode).toBe(200)
  await expect.poll(() => readContacts(app, ada)).toEqual([])
  expect(await readLastSync(ada, id)).toMatchObject({ status: 'undone' })
  expect(await syncCrm(ada, id)).toMatchObject({ scope: 'full', status: 'done', created: 3 })
})

test('after the undo of an earlier sync, the next sync adds its contacts again', async () => {
  const { id } = await connectCrm(ada, crm)
  const { change } = await syncCrm(ada, id)
  expect(await syncCrm(ada, id)).toMatchObject({ scope: 'changes', status: 'done' })
  await ada.send({ method: 'POST', url: `/api/changes/${change}/undo` })
  await expect.poll(() => readContacts(app, ada)).toEqual([])
  expect(await syncCrm(ada, id)).toMatchObject({ scope: 'full', status: 'done', created: 3 })
  expect(await syncCrm(ada, id)).toMatchObject({ scope: 'changes', status: 'done' })
})

test('a connection with contacts is deleted and restored, and its contacts stay and are linked to it again', async () => {
  const { id } = await connectCrm(ada, crm)
  await syncCrm(ada, id)
  const response = await ada.send({ method: 'DELETE', url: `/api/crm-connections/${id}` })
  expect(response.statusCode).toBe(204)
  expect((await readContacts(app, ada)).map(({ isLinked }) => isLinked)).toEqual([false, false, false])
  await ada.send({ method: 'POST', url: `/api/changes/${String(response.headers['foyer-change'])}/undo` })
  expect(await syncCrm(ada, id, true)).toMatchObject({ status: 'done', unchanged: 3, created: 0 })
})

test('a connection that is deleted during a sync leaves a finished change in the history', async () => {
  await using large = await startInsightly({ contacts: createContacts(600) })
  const { id } = await connectCrm(ada, large)
  large.setRespond(({ path, query }) =>
    isContacts(path) && query.get('skip') !== '0' ? { status: 429, headers: { 'retry-after': '900' } } : undefined,
  )
  const { change } = await startSync(ada, id)
  await expect.poll(async () => (await readLastSync(ada, id)).status).toBe('waiting')
  await ada.send({ method: 'DELETE', url: `/api/crm-connections/${id}` })
  expect((await ada.send({ url: `/api/changes/${change}` })).json()).toMatchObject({
    label: 'Copied 500 contacts from Insightly',
    progress: { finished: true },
  })
})

test('contacts of a deleted connection are found again when the same CRM is connected again', async () => {
  for (const contact of crm.contacts) Object.assign(contact, { EMAIL_ADDRESS: null, PHONE_MOBILE: null })
  const { id } = await connectCrm(ada, crm)
  await syncCrm(ada, id)
  await ada.send({ method: 'DELETE', url: `/api/crm-connections/${id}` })
  // in another account of the CRM, another person can have this id, so this contact is not found again
  Object.assign(crm.contacts[2] ?? {}, { LAST_NAME: 'Somebody else' })
  const again = await connectCrm(ada, crm)
  expect(await syncCrm(ada, again.id)).toMatchObject({ ...zeroCounts, unchanged: 2, created: 1 })
})

test('of two copies of a contact only the older one is linked again, so that an edit here stays while the CRM is unchanged', async () => {
  for (const contact of crm.contacts) Object.assign(contact, { EMAIL_ADDRESS: null, PHONE_MOBILE: null })
  const connections = [await connectCrm(ada, crm), await connectCrm(ada, { ...crm, url: crm.accountUrl })]
  for (const { id } of connections) expect(await syncCrm(ada, id)).toMatchObject({ created: 3 })
  for (const { id } of connections) await ada.send({ method: 'DELETE', url: `/api/crm-connections/${id}` })
  const again = await connectCrm(ada, crm)
  Object.assign(crm.contacts[0] ?? {}, { TITLE: 'Director' })
  expect(await syncCrm(ada, again.id)).toMatchObject({ ...zeroCounts, updated: 1, unchanged: 2 })
  const { rows } = (await ada.send({ url: '/api/contacts?search=First1' })).json()
  expect(rows).toMatchObject([{ title: 'Buyer' }, { title: 'Director' }]) // the newest is the first
  await ada.send({ method: 'PATCH', url: `/api/contacts/${rows[1].id}`, payload: { title: 'My own title' } })
  expect(await syncCrm(ada, again.id, true)).toMatchObject({ ...zeroCounts, unchanged: 3 })
  expect((await ada.send({ url: `/api/contacts/${rows[1].id}` })).json()).toMatchObject({ title: 'My own title' })
})

test('a sync that is undone while it runs ends, and leaves no contacts', async () => {
  await using large = await startInsightly({ contacts: createContacts(600) })
  const { id } = await connectCrm(ada, large)
  large.setRespond(({ path, query }) =>
    isContacts(path) && query.get('skip') !== '0' ? { status: 429, headers: { 'retry-after': '900' } } : undefined,
  )
  const { change } = await startSync(ada, id)
  await expect.poll(async () => (await readLastSync(ada, id)).status).toBe('waiting')
  await ada.send({ method: 'POST', url: `/api/changes/${change}/undo` })
  large.setRespond(undefined)
  now = new Date(now.getTime() + 901_000)
  expect(await waitForEnd(ada, id)).toMatchObject({ status: 'undone' })
  await expect.poll(() => readContacts(app, ada)).toEqual([])
})

// Syncs with a stand-in of Insightly while something goes wrong: the result is that of an undisturbed sync, or the sync says why it ended.
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createContacts, createOrganisations, startInsightly, type Fault, type InsightlyServer } from '#server/testing/insightly-server.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { undo } from '#server/testing/records.ts'
import { connectCrm, readContacts, readLastSync, startSync, syncCrm, waitForEnd } from '#server/testing/sync.ts'
import { setCrmPauses } from './client.ts'

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
/** Fails the first request for contacts that matches, but not at the general host, which only redirects to the host of the account. */
const failOnce = (fault: Fault, matches: (query: URLSearchParams) => boolean = () => true) => {
  let isDone = false
  crm.setRespond(({ path, query, host }) => {
    if (isDone || host === 'general' || !isContacts(path) || !matches(query)) return undefined
    isDone = true
    return fault
  })
}

const contactCount = 1700
/** Runs a full sync of many contacts with these faults, and returns what is stored then. */
async function syncMany(respond: Parameters<typeof crm.setRespond>[0] | undefined) {
  const grace = await signInAs(app, 'grace')
  await using large = await startInsightly({ contacts: createContacts(contactCount), organisations: createOrganisations(1100), respond })
  const { id } = await connectCrm(grace, large)
  const { created, unchanged, failed, status } = await syncCrm(grace, id)
  const { rows } = await app.tableOwner.query(
    `select external_id, first_name, email, company, tags, raw_data from crm_contacts where user_id = $1 order by external_id`,
    [grace.id],
  )
  return { result: { created, unchanged, failed, status }, rows }
}

test('with status 429, a page that comes twice, an overlapping page, cut connections and errors, a sync has the result of an undisturbed sync', async () => {
  const undisturbed = await syncMany(undefined)
  expect(undisturbed.result).toEqual({ created: contactCount, unchanged: 0, failed: 0, status: 'done' })
  expect(new Set(undisturbed.rows.map(({ external_id }) => external_id)).size).toBe(contactCount)
  const faults: Fault[] = [
    { status: 429, headers: { 'retry-after': '0.01' } },
    { query: { top: '500', skip: '0' } },
    'cut',
    { status: 500, body: '<html>' },
    { query: { top: '500', skip: '300' } },
    { status: 429 },
  ]
  const faultsOfOrganisations: Fault[] = ['cut', { status: 429 }]
  const disturbed = await syncMany(({ path, query, host }) => {
    if (host === 'general') return undefined
    if (path === '/v3.1/Organisations') return faultsOfOrganisations.shift()
    return isContacts(path) && query.get('skip') !== '0' ? faults.shift() : undefined
  })
  expect(faultsOfOrganisations).toEqual([])
  expect(faults).toEqual([])
  expect(disturbed).toEqual(undisturbed)
})

test('no contact is missed if rows are deleted in the CRM during a sync', async () => {
  const contacts = createContacts(1200)
  await using large = await startInsightly({ contacts })
  const { id } = await connectCrm(ada, large)
  let isDeleted = false
  large.setRespond(({ path, query }) => {
    if (!isContacts(path) || query.get('skip') === '0' || isDeleted) return undefined
    isDeleted = true
    large.contacts.splice(0, 450)
    return undefined
  })
  expect(await syncCrm(ada, id)).toMatchObject({ created: 1200 })
})

test('a key that is refused during a sync ends the sync, and the contacts that were stored stay', async () => {
  await using large = await startInsightly({ contacts: createContacts(600) })
  const { id } = await connectCrm(ada, large)
  large.setRespond(({ path, query }) => (isContacts(path) && query.get('skip') !== '0' ? { status: 401 } : undefined))
  expect(await syncCrm(ada, id)).toMatchObject({
    status: 'failed',
    created: 500,
    problem: 'Insightly refused the API key. Copy it again from your user settings there.',
  })
  large.setRespond(undefined)
  expect(await syncCrm(ada, id)).toMatchObject({ status: 'done', scope: 'full', created: 100, unchanged: 500 })
})

test('when the requests of the day are used up, the sync stops and sends no further request', async () => {
  await using large = await startInsightly({ contacts: createContacts(600) })
  const { id } = await connectCrm(ada, large)
  large.setRespond(({ path }) => (isContacts(path) ? { headers: { 'x-ratelimit-remaining': '0' } } : undefined))
  expect(await syncCrm(ada, id)).toMatchObject({
    status: 'failed',
    created: 500,
    problem: expect.stringContaining('no more requests today'),
  })
  expect(large.requests.filter(({ path, host }) => isContacts(path) && host === 'account')).toHaveLength(1)
})

test('if Insightly asks for a long wait, the sync waits and continues later', async () => {
  const { id } = await connectCrm(ada, crm)
  crm.setRespond(({ path }) => (isContacts(path) ? { status: 429, headers: { 'retry-after': '900' } } : undefined))
  await startSync(ada, id)
  await expect.poll(async () => (await readLastSync(ada, id)).status).toBe('waiting')
  expect(await readLastSync(ada, id)).toMatchObject({ problem: 'Insightly is busy and asks to wait.', finished_at: null })
  crm.setRespond(undefined)
  now = new Date(now.getTime() + 901_000)
  expect(await waitForEnd(ada, id)).toMatchObject({ status: 'done', created: 3, problem: null })
})

test('a CRM that asks to wait for years is asked again after a day', async () => {
  const { id } = await connectCrm(ada, crm)
  crm.setRespond(({ path }) => (isContacts(path) ? { status: 429, headers: { 'retry-after': '9'.repeat(30) } } : undefined))
  await startSync(ada, id)
  await expect.poll(async () => (await readLastSync(ada, id)).status).toBe('waiting')
  const { rows } = await app.tableOwner.query<{ run_at: string }>('select run_at from jobs.jobs where owner = $1', [ada.id])
  expect(rows.map(({ run_at }) => new Date(run_at).getTime() - now.getTime())).toEqual([24 * 60 * 60 * 1000])
})

test('a second start returns the running sync, and a stopped sync keeps what it has stored', async () => {
  const { id } = await connectCrm(ada, crm)
  crm.setRespond(({ path }) => (isContacts(path) ? 'silence' : undefined))
  const started = await startSync(ada, id)
  expect(await startSync(ada, id)).toMatchObject({ id: started.id })
  expect((await ada.send({ method: 'POST', url: `/api/crm-connections/${id}/stop` })).statusCode).toBe(204)
  expect(await readLastSync(ada, id)).toMatchObject({ id: started.id, status: 'stopped' })
  crm.setRespond(undefined)
  expect(await syncCrm(ada, id)).toMatchObject({ status: 'done', created: 3 })
})

test('a sync above the quota of records fails with a message, and the contacts that were stored stay', async () => {
  const small = await openTestApp({ allowedHosts: ['127.0.0.1'], recordQuotaBytes: 3_000_000 })
  const person = await signInAs(small, 'ada')
  await using large = await startInsightly({ contacts: createContacts(5000) })
  const { id } = await connectCrm(person, large)
  const sync = await syncCrm(person, id)
  expect(sync).toMatchObject({
    status: 'failed',
    problem: 'Your records and their history need more space than this server gives to an account.',
  })
  expect(sync.created).toBeGreaterThan(0)
  await small.stop()
})

test('a sync fails if the CRM sends the same page again and again', async () => {
  await using endless = await startInsightly({ contacts: createContacts(600) })
  const { id } = await connectCrm(ada, endless)
  endless.setRespond(({ path }) => (isContacts(path) ? { query: { top: '500', skip: '0' } } : undefined))
  expect(await syncCrm(ada, id)).toMatchObject({ status: 'failed', created: 500, problem: expect.stringContaining('no end') })
})

test('a response with incomplete JSON is requested again', async () => {
  const { id } = await connectCrm(ada, crm)
  failOnce({ status: 200, body: '[{"CONTACT_ID":1001,' })
  expect(await syncCrm(ada, id)).toMatchObject({ status: 'done', created: 3 })
})

test('a sync whose job has failed for good is shown as failed, and can be started again', async () => {
  const { id } = await connectCrm(ada, crm)
  crm.setRespond(({ path }) => (isContacts(path) ? { status: 429, headers: { 'retry-after': '900' } } : undefined))
  await startSync(ada, id)
  await expect.poll(async () => (await readLastSync(ada, id)).status).toBe('waiting')
  // the sync now has no job that could continue it, as after a final failure of its job
  await app.tableOwner.query('delete from jobs.jobs where owner = $1', [ada.id])
  expect(await readLastSync(ada, id)).toMatchObject({ status: 'failed', problem: 'The server could not finish it. Start it again.' })
  crm.setRespond(undefined)
  expect(await syncCrm(ada, id)).toMatchObject({ status: 'done', created: 3 })
})

test('a response that takes too long is requested again; if every response takes too long, the sync says so', async () => {
  const { id } = await connectCrm(ada, crm)
  setCrmPauses({ timeout: 500 })
  onTestFinished(() => setCrmPauses({ timeout: 30_000 }))
  failOnce('silence')
  expect(await syncCrm(ada, id)).toMatchObject({ status: 'done', created: 3 })
  crm.setRespond(({ path }) => (path.startsWith('/v3.1/Contacts') ? 'silence' : undefined))
  await startSync(ada, id)
  await expect.poll(async () => (await readLastSync(ada, id)).problem).toBe('Insightly did not answer in time.')
})

test.each([
  ['waits', { status: 429, headers: { 'retry-after': '900' } }, 'waiting'],
  ['waits for a page', 'silence', 'running'],
] as const)('a sync that %s when an undo removes its connection ends, and its change is finished', async (_, fault, status) => {
  setCrmPauses({ timeout: 500 })
  onTestFinished(() => setCrmPauses({ timeout: 30_000 }))
  const added = await ada.send({ method: 'POST', url: '/api/crm-connections', payload: { api_url: crm.url, api_key: crm.key } })
  const { id } = added.json()
  crm.setRespond(({ path }) => (isContacts(path) ? fault : undefined))
  const { change } = await startSync(ada, id)
  await expect.poll(async () => (await readLastSync(ada, id)).status).toBe(status)
  await expect.poll(() => crm.requests.some(({ path }) => isContacts(path))).toBe(true)
  const undone = await undo(ada, added)
  crm.setRespond(undefined)
  now = new Date(now.getTime() + 901_000)
  await expect
    .poll(async () => (await ada.send({ url: `/api/changes/${change}` })).json(), { timeout: 5000 })
    .toMatchObject({ label: 'Found nothing new in Insightly', progress: { finished: true } })
  await undo(ada, undone)
  expect(await readLastSync(ada, id)).toMatchObject({ status: 'stopped', created: 0 })
  expect(await syncCrm(ada, id)).toMatchObject({ status: 'done', created: 3 })
})

test('a page whose transaction is repeated is counted once in the label of the change', async () => {
  const { id } = await connectCrm(ada, crm)
  await app.tableOwner.query(
    `create sequence commits;
     create function fail_first_commit() returns trigger language plpgsql security definer as $$
       begin if nextval('commits') = 1 then raise exception 'first commit' using errcode = '40001'; end if; return null; end $$;
     create constraint trigger fail_first_commit after insert on crm_sync_pages deferrable initially deferred
       for each row execute function fail_first_commit()`,
  )
  const { change, created } = await syncCrm(ada, id)
  const { rows } = await app.tableOwner.query<{ last_value: string }>('select last_value from commits')
  await app.tableOwner.query('drop function fail_first_commit cascade; drop sequence commits')
  expect([rows[0]?.last_value, created]).toEqual(['2', 3])
  expect((await ada.send({ url: `/api/changes/${change}` })).json()).toMatchObject({ label: 'Copied 3 contacts from Insightly' })
})

test('a sync that another process has continued in the meantime does not store its page again', async () => {
  await using large = await startInsightly({ contacts: createContacts(600) })
  const { id } = await connectCrm(ada, large)
  setCrmPauses({ timeout: 500 })
  onTestFinished(() => setCrmPauses({ timeout: 30_000 }))
  large.setRespond(({ path, query }) => (isContacts(path) && query.get('skip') !== '0' ? 'silence' : undefined))
  const { change } = await startSync(ada, id)
  await expect.poll(async () => (await readLastSync(ada, id)).created).toBe(500)
  // as if another process had stored the next page
  await app.tableOwner.query('update crm_syncs set position = position + 100 where user_id = $1', [ada.id])
  large.setRespond(undefined)
  await expect
    .poll(async () => (await app.tableOwner.query('select from jobs.jobs where owner = $1', [ada.id])).rowCount, { timeout: 5000 })
    .toBe(0)
  expect(await readContacts(app, ada)).toHaveLength(500)
  // the other process ends the sync and its change
  expect((await ada.send({ url: `/api/changes/${change}` })).json()).toMatchObject({ label: 'Copying contacts from Insightly' })
})

test('a sync that is stopped after its last page and before its end lists no contacts as missing', async () => {
  const { id } = await connectCrm(ada, crm)
  await syncCrm(ada, id)
  // the stop of the user, at the commit of the last page
  await app.tableOwner.query(
    `create function stop_sync() returns trigger language plpgsql security definer as $$
       begin
         update crm_syncs set status = 'stopped', finished_at = now() where user_id = new.user_id and id = new.sync_id;
         delete from crm_sync_pages where user_id = new.user_id and sync_id = new.sync_id;
         return null;
       end $$;
     create constraint trigger stop_sync after insert on crm_sync_pages deferrable initially deferred for each row execute function stop_sync()`,
  )
  onTestFinished(async () => void (await app.tableOwner.query('drop function stop_sync cascade')))
  await syncCrm(ada, id, true)
  await expect
    .poll(async () => (await app.tableOwner.query('select from jobs.jobs where owner = $1', [ada.id])).rowCount, { timeout: 5000 })
    .toBe(0)
  expect(await readLastSync(ada, id)).toMatchObject({ status: 'stopped', unchanged: 3, missing: 0, missing_contacts: [] })
})

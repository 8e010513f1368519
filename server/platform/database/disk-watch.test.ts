// A disk that gets full: large work is refused first, then everything that creates or edits. Reading, sign-in, small deletes (into the
// trash) and erasing (for good) remain possible. The tests watch a disk of 12 MB. It is low when less than 5 MB are free, and full when
// less than 1 MB is free.
import { afterEach, beforeEach, expect, test, type TestContext } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { sql } from '#server/platform/database/database.ts'
import { addCompany, addContacts } from '#server/testing/dependents.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf, type ListedRecord } from '#server/testing/records.ts'
import { mountSmallDisk, type SmallDisk } from '#server/testing/small-disk.ts'

let app: TestApp | undefined
let disk: SmallDisk | undefined
let ada: Person
let contacts: ReturnType<typeof recordsOf>
let addedContacts: ListedRecord[]
beforeEach(() => {
  app = undefined
  disk = undefined
})
afterEach(async () => {
  await app?.stop()
  disk?.[Symbol.dispose]()
})

/**
 * Opens the application, which watches the small disk as if it were the disk of the database, and adds 60 contacts. Skips the test if no
 * disk can be made.
 */
async function openOnSmallDisk(context: TestContext): Promise<SmallDisk> {
  disk = mountSmallDisk()
  if (!disk) return context.skip('only root can make a small disk')
  app = await openTestApp({ disk: { folders: [disk.folder], minFreeBytes: 5e6, everyMs: 10 } })
  ada = await signInAs(app, 'ada')
  contacts = recordsOf(ada, '/api/contacts')
  addedContacts = []
  for (let number = 0; number < 60; number++) addedContacts.push(await contacts.add({ first_name: 'Contact', last_name: String(number) }))
  return disk
}

type Response = { statusCode: number; body: string; json: () => { code: string } }
/** Returns the status and the error code of a response; '' without an error. */
const readStatus = ({ statusCode, json }: Response): [number, string] => [statusCode, statusCode < 300 ? '' : json().code]
const low = [507, 'disk_low']
const full = [507, 'disk_full']
/** An upload is refused with this code if the storage of files or the disk of the database has too little space. */
const noSpaceForFiles = [507, 'storage_full']
/** Returns the ids of added contacts. A bulk change of more than 50 records is a large one. */
const ids = (from: number, to: number): string[] => addedContacts.slice(from, to).map(({ id }) => id)
const send = (method: 'POST' | 'DELETE' | 'GET', url: string, payload?: object) => ada.send({ method, url, ...(payload && { payload }) })
/** Undoes the change that a response reports in its header. */
const undo = ({ headers }: { headers: Record<string, unknown> }) => send('POST', `/api/changes/${String(headers['foyer-change'])}/undo`)
const startUpload = () => send('POST', '/api/uploads', { file_name: 'a.bin', file_size: 1 })
const signIn = () => app?.server.inject({ method: 'POST', url: '/api/session', payload: { email: ada.email, password: 'engine no. 1' } })

test('while the disk is low, large changes, undo and uploads are refused, and other work goes on', async (context) => {
  const { fill } = await openOnSmallDisk(context)
  const deletion = await contacts.remove(addedContacts[59]?.id ?? '')
  const freeDisk = fill(9e6) // 3 MB of 12 are left
  await expect.poll(async () => readStatus(await startUpload())).toEqual(noSpaceForFiles)
  expect(readStatus(await undo(deletion))).toEqual(low)
  expect(readStatus(await contacts.post('/bulk/delete', { ids: ids(0, 55) }))).toEqual(low)
  expect(readStatus(await contacts.post('/bulk/edit', { ids: ids(0, 55), fields: { title: 'Buyer' } }))).toEqual(low)
  expect(readStatus(await send('POST', `/api/trash/${addedContacts[59]?.id}/restore`))).toEqual(low)
  expect(readStatus(await contacts.post('', { first_name: 'One', last_name: 'More' }))).toEqual([201, ''])
  expect(readStatus(await contacts.post('/bulk/edit', { ids: ids(0, 5), fields: { title: 'Buyer' } }))).toEqual([204, ''])
  expect(readStatus(await send('GET', '/ready'))).toEqual([200, ''])
  freeDisk()
  await expect.poll(async () => readStatus(await startUpload())).toEqual([201, ''])
  expect(readStatus(await undo(deletion))).toEqual([200, ''])
  expect(readStatus(await contacts.post('/bulk/delete', { ids: ids(0, 55) }))).toEqual([204, ''])
})

test('while the disk is low, the delete of a company with more than 1,000 contacts is refused, and no job is added', async (context) => {
  const { fill } = await openOnSmallDisk(context)
  const company = newId()
  const statements = [addCompany(company), addContacts(company, 1001)]
  await app?.database.transaction(callerFor(ada.id), 'Imported', () =>
    Promise.all(statements.map(([text, ...values]) => sql(text, values))),
  )
  const freeDisk = fill(9e6)
  await expect.poll(async () => readStatus(await startUpload())).toEqual(noSpaceForFiles)
  expect(readStatus(await send('DELETE', `/api/companies/${company}`))).toEqual(low)
  expect((await app?.tableOwner.query(`select from jobs.jobs where type = 'delete records'`))?.rowCount).toBe(0)
  freeDisk()
  await expect.poll(async () => (await send('DELETE', `/api/companies/${company}`)).statusCode).toBe(202)
})

test('while the disk is full, nothing is created or edited, and reading, sign-in, small deletes and erasing go on', async (context) => {
  const { fill } = await openOnSmallDisk(context)
  const [first] = addedContacts
  const freeDisk = fill()
  await expect.poll(async () => readStatus(await send('GET', '/ready'))).toEqual(full)
  expect(readStatus(await contacts.post('', { first_name: 'One', last_name: 'More' }))).toEqual(full)
  expect(readStatus(await contacts.patch(first?.id ?? '', { title: 'Buyer' }))).toEqual(full)
  expect(readStatus(await contacts.post('/bulk/edit', { ids: ids(0, 5), fields: { title: 'Buyer' } }))).toEqual(full)
  expect((await contacts.listAll({})).length).toBe(60)
  expect((await signIn())?.statusCode).toBe(200)
  const deletion = await contacts.remove(first?.id ?? '')
  expect(readStatus(deletion)).toEqual([204, ''])
  expect(readStatus(await undo(deletion))).toEqual(full)
  expect(readStatus(await send('DELETE', `/api/trash/${first?.id}`))).toEqual([204, ''])
  expect(readStatus(await contacts.remove(addedContacts[1]?.id ?? ''))).toEqual([204, ''])
  expect(readStatus(await send('DELETE', '/api/trash'))).toEqual([204, ''])
  expect(readStatus(await send('DELETE', '/api/changes'))).toEqual([204, ''])
  freeDisk()
  await expect.poll(async () => readStatus(await contacts.post('', { first_name: 'One', last_name: 'More' }))).toEqual([201, ''])
  expect(readStatus(await send('GET', '/ready'))).toEqual([200, ''])
})

test('when PostgreSQL reports a full disk, the response says that no space is left, and /ready fails', async () => {
  app = await openTestApp()
  ada = await signInAs(app, 'ada')
  contacts = recordsOf(ada, '/api/contacts')
  await app.tableOwner.query(`create function fail_like_full_disk() returns trigger language plpgsql as $$
    begin raise exception using errcode = '53100', message = 'could not extend file "base/1/2": No space left on device'; end $$;
    create trigger fail_like_full_disk before insert on crm_contacts execute function fail_like_full_disk()`)
  const response = await contacts.post('', { first_name: 'One', last_name: 'More' })
  expect(readStatus(response)).toEqual(full)
  expect(response.json()).toMatchObject({ detail: expect.stringContaining('no disk space left') })
  expect(readStatus(await send('GET', '/ready'))).toEqual(full)
  expect((await contacts.list()).rows).toEqual([])
  expect((await send('GET', '/health')).statusCode).toBe(200)
})

// Deletes of records on which more than 1,000 rows depend. The response is then 202, and a job deletes or unlinks these rows in parts, as
// one change with progress and undo.
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Change, TrashEntry } from '#contract/changes.ts'
import { sql } from '#server/platform/database/database.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { addCompany, addContacts, addFiles, addFolder, type SqlStatement } from '#server/testing/dependents.ts'
import { signInAs, type Person } from '#server/testing/people.ts'

/** With FOYER_FULL=1 the tests use many more rows. */
const isFullTestRun = process.env['FOYER_FULL'] === '1'
/** The number of rows that depend on a deleted record. */
const count = isFullTestRun ? 100_000 : 1200
/** The number of rows of each table that belong to a deleted contact. Without FOYER_FULL=1 only all tables together have more than 1,000. */
const countPerTable = isFullTestRun ? 1100 : 300
const timeout = isFullTestRun ? 1_800_000 : 120_000

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

/** Writes rows of a person in one transaction. */
const write = (person: Person, ...statements: SqlStatement[]): Promise<unknown> =>
  app.database.transaction({ ...callerFor(person.id), timeoutMs: 600_000 }, 'Imported', () =>
    Promise.all(statements.map(([text, ...values]) => sql(text, values))),
  )
const post = (person: Person, url: string, payload: object): Promise<LightMyRequestResponse> =>
  person.send({ method: 'POST', url, payload })
const remove = (person: Person, url: string): Promise<LightMyRequestResponse> => person.send({ method: 'DELETE', url })
const undo = (person: Person, change: string): Promise<LightMyRequestResponse> =>
  person.send({ method: 'POST', url: `/api/changes/${change}/undo` })
const changeOf = ({ headers }: LightMyRequestResponse): string => String(headers['foyer-change'])
const readChange = async (person: Person, id: string): Promise<Change> => (await person.send({ url: `/api/changes/${id}` })).json()
const readTrash = async (person: Person): Promise<TrashEntry[]> => (await person.send({ url: '/api/trash' })).json().rows

/** Waits until the job of a change has finished, and returns the change. */
async function waitForJob(person: Person, response: LightMyRequestResponse): Promise<Change> {
  const id = changeOf(response)
  await expect.poll(async () => (await readChange(person, id)).progress?.finished, { timeout, interval: 50 }).toBe(true)
  return readChange(person, id)
}

const tables = ['companies', 'crm_contacts', 'deals', 'tasks', 'notes', 'folders', 'files'] as const
/** Returns a digest of all rows of each table, without the columns that every write changes. */
async function digestRows({ id }: Person): Promise<Record<string, string>> {
  const digests: Record<string, string> = {}
  for (const table of tables) {
    const { rows } = await app.tableOwner.query<{ digest: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(md5((to_jsonb(r) - 'updated_at' - 'version')::text), '' order by r.id)), '') as digest
       from ${table} r where user_id = $1`,
      [id],
    )
    digests[table] = rows[0]?.digest ?? ''
  }
  return digests
}
async function countWhere({ id }: Person, table: string, condition = 'true'): Promise<number> {
  const { rows } = await app.tableOwner.query<{ count: number }>(
    `select count(*)::int as count from ${table} where user_id = $1 and ${condition}`,
    [id],
  )
  return rows[0]?.count ?? 0
}

test('a company with very many contacts is deleted by a job as one change, and comes back by undo', { timeout }, async () => {
  const ada = await signInAs(app, 'ada')
  const company = newId()
  await write(ada, addCompany(company), addContacts(company, count), [
    'insert into deals (title, company_id) values ($1, $2)',
    'Beds',
    company,
  ])
  const before = await digestRows(ada)
  const headers = { 'idempotency-key': 'the-same' }
  const url = `/api/companies/${company}`
  const response = await ada.send({ method: 'DELETE', url, headers })
  expect([response.statusCode, response.body]).toEqual([202, ''])
  const stepCount = count + 2 // the contacts, the deal and the company
  expect(await readChange(ada, changeOf(response))).toMatchObject({ progress: { total: stepCount, failed: false } })
  const repeat = await ada.send({ method: 'DELETE', url, headers })
  expect(changeOf(repeat)).toBe(changeOf(response))

  expect(await waitForJob(ada, response)).toMatchObject({
    label: 'Deleted 1 company',
    count: 1,
    progress: { done: stepCount, total: stepCount },
  })
  expect((await ada.send({ url })).statusCode).toBe(404)
  expect(await countWhere(ada, 'crm_contacts', 'company_id is null')).toBe(count)
  expect(await readTrash(ada)).toMatchObject([{ title: 'Quillstone', change: changeOf(response) }])
  expect((await ada.send({ url: '/api/changes/recent' })).json().rows[0]).toMatchObject({
    label: 'Deleted 1 company',
    title: 'Quillstone',
  })

  expect(await waitForJob(ada, await undo(ada, changeOf(response)))).toMatchObject({ label: 'Undone: Deleted 1 company', skipped: [] })
  expect(await digestRows(ada)).toEqual(before)
  expect(await readTrash(ada)).toEqual([])
})

test('a contact with very many linked records is deleted, undone, deleted again and restored', { timeout }, async () => {
  const ada = await signInAs(app, 'ada')
  const contact = newId()
  await write(
    ada,
    [`insert into crm_contacts (id, first_name) values ($1, 'Nora')`, contact],
    [
      `insert into notes (contact_id, content) select $1, 'Note ' || n from generate_series(1, $2::int) n`,
      contact,
      isFullTestRun ? count : countPerTable,
    ],
    [`insert into deals (contact_id, title) select $1, 'Deal ' || n from generate_series(1, $2::int) n`, contact, countPerTable],
    [`insert into tasks (contact_id, title) select $1, 'Task ' || n from generate_series(1, $2::int) n`, contact, countPerTable],
    [`insert into crm_contacts (reports_to_id, first_name) select $1, 'Report ' || n from generate_series(1, 300) n`, contact],
    addFiles('contact_id', contact, countPerTable),
  )
  const before = await digestRows(ada)
  const response = await remove(ada, `/api/contacts/${contact}`)
  expect(response.statusCode).toBe(202)
  expect(await waitForJob(ada, response)).toMatchObject({ label: 'Deleted 1 contact', count: 1 })
  expect([await countWhere(ada, 'notes'), await countWhere(ada, 'files')]).toEqual([0, 0])
  expect([await countWhere(ada, 'deals', 'contact_id is null'), await countWhere(ada, 'tasks', 'contact_id is null')]).toEqual([
    countPerTable,
    countPerTable,
  ])
  expect(await readTrash(ada)).toMatchObject([{ title: 'Nora' }])
  const undone = await undo(ada, changeOf(response))
  await waitForJob(ada, undone)
  expect(await digestRows(ada)).toEqual(before)

  expect(await waitForJob(ada, await undo(ada, undone.json().id))).toMatchObject({ label: 'Redone: Deleted 1 contact', count: 1 })
  expect(await countWhere(ada, 'notes')).toBe(0)
  expect(await readTrash(ada)).toMatchObject([{ title: 'Nora' }])
  await waitForJob(ada, await ada.send({ method: 'POST', url: `/api/trash/${contact}/restore` }))
  expect(await digestRows(ada)).toEqual(before)
})

test('a folder with very many folders and files is deleted alone and in a selection, and comes back', { timeout }, async () => {
  const ada = await signInAs(app, 'ada')
  const [folder, inner, other] = [newId(), newId(), newId()]
  await write(
    ada,
    addFolder(folder, null),
    addFolder(inner, folder),
    addFolder(other, null),
    [`insert into folders (name, parent_folder_id) select 'Folder ' || n, $1 from generate_series(1, 1200) n`, inner],
    addFiles('folder_id', inner, count),
    [
      `insert into files (object_id, storage_path, file_name, file_size, folder_id)
      select o.id, '', 'In a folder', 0, f.id from folders f cross join lateral (select id from stored_objects where user_id = app.owner() limit 1) o
      where f.user_id = app.owner() and f.parent_folder_id = $1`,
      inner,
    ],
    addFiles('folder_id', other, 3),
  )
  const before = await digestRows(ada)
  const deleteAlone = (): Promise<LightMyRequestResponse> => remove(ada, `/api/folders/${folder}`)
  const { rows: files } = await app.tableOwner.query<{ id: string }>('select id from files where user_id = $1 and folder_id = $2', [
    ada.id,
    other,
  ])
  const deleteSelected = (): Promise<LightMyRequestResponse> =>
    post(ada, '/api/files/selection/delete', { file_ids: [files[0]?.id], folder_ids: [folder] })
  for (const { send, label, remainingFiles, trashedRecords } of [
    { send: deleteAlone, label: 'Deleted 1 folder', remainingFiles: 3, trashedRecords: 1 },
    { send: deleteSelected, label: 'Deleted 1 file and 1 folder', remainingFiles: 2, trashedRecords: 2 },
  ]) {
    const response = await send()
    expect(response.statusCode).toBe(202)
    expect(await waitForJob(ada, response)).toMatchObject({ label })
    expect([await countWhere(ada, 'folders'), await countWhere(ada, 'files')]).toEqual([1, remainingFiles])
    expect(await readTrash(ada)).toHaveLength(trashedRecords)
    await waitForJob(ada, await undo(ada, changeOf(response)))
    expect(await digestRows(ada)).toEqual(before)
  }
})

test('the job of a delete that was repeated after a deadlock counts each record once', { timeout }, async () => {
  const ada = await signInAs(app, 'ada')
  const [folder, other] = [newId(), newId()]
  await write(ada, addFolder(folder, null), addFolder(other, null), addFiles('folder_id', folder, count), addFiles('folder_id', other, 1))
  const { rows } = await app.tableOwner.query<{ id: string }>('select id from files where folder_id = $1', [other])
  await app.tableOwner.query(`
    create sequence deadlocks;
    grant usage on sequence deadlocks to public;
    create function deadlock_once() returns trigger language plpgsql as $$ begin
      if nextval('public.deadlocks') = 1 then raise 'a deadlock' using errcode = '40P01'; end if;
      return old;
    end $$;
    create trigger deadlock_once before delete on files for each row execute function deadlock_once()`)
  const response = await post(ada, '/api/files/selection/delete', { file_ids: [rows[0]?.id], folder_ids: [folder] })
  const change = await waitForJob(ada, response)
  await app.tableOwner.query('drop trigger deadlock_once on files')
  expect(change).toMatchObject({ label: 'Deleted 1 file and 1 folder', progress: { total: count + 2 } })
})

test('after a bulk delete of two companies, the restore of one company links only its own contacts again', { timeout }, async () => {
  const ada = await signInAs(app, 'ada')
  const [first, second] = [newId(), newId()]
  const edited = newId()
  await write(ada, addCompany(first, 'First'), addCompany(second, 'Second'), addContacts(first, count), addContacts(second, 1100), [
    `insert into crm_contacts (id, first_name, company_id) values ($1, 'Nora', $2)`,
    edited,
    second,
  ])
  const response = await post(ada, '/api/companies/bulk/delete', { matching: { search: '' } })
  expect(response.statusCode).toBe(202)
  expect(await waitForJob(ada, response)).toMatchObject({ label: 'Deleted 2 companies', count: 2 })
  expect(new Set((await readTrash(ada)).map(({ title, change }) => `${title} ${change}`))).toEqual(
    new Set([`First ${changeOf(response)}`, `Second ${changeOf(response)}`]),
  )
  // one contact of the second company is linked to a third company after the delete, so the restore skips this contact
  const third = newId()
  await write(ada, addCompany(third, 'Third'), ['update crm_contacts set company_id = $1 where id = $2', third, edited])
  const restored = await ada.send({ method: 'POST', url: `/api/trash/${second}/restore` })
  expect(restored.json()).toMatchObject({ label: 'Restored', progress: { failed: false } })
  expect(await waitForJob(ada, restored)).toMatchObject({ skipped: [{ table: 'crm_contacts', id: edited, why: 'edited' }] })
  expect(await countWhere(ada, 'companies')).toBe(2)
  expect(await countWhere(ada, 'crm_contacts', `company_id = '${second}'`)).toBe(1100)
  expect(await countWhere(ada, 'crm_contacts', 'company_id is null')).toBe(count)
  await waitForJob(ada, await undo(ada, changeOf(restored)))
  expect(await countWhere(ada, 'crm_contacts', 'company_id is null')).toBe(count + 1100)
})

test(
  'the restore of a folder also restores all folders and files in it, which the job has deleted in several parts',
  { timeout },
  async () => {
    const ada = await signInAs(app, 'ada')
    const [folder, inner, other] = [newId(), newId(), newId()]
    await write(
      ada,
      addFolder(folder, null),
      addFolder(inner, folder),
      addFolder(other, null),
      addFiles('folder_id', inner, count),
      addFiles('folder_id', other, 5),
    )
    await waitForJob(ada, await post(ada, '/api/files/selection/delete', { folder_ids: [folder, other] }))
    expect(await countWhere(ada, 'files')).toBe(0)
    await waitForJob(ada, await ada.send({ method: 'POST', url: `/api/trash/${folder}/restore` }))
    expect([await countWhere(ada, 'folders'), await countWhere(ada, 'files', `folder_id = '${inner}'`)]).toEqual([2, count])
    expect(await countWhere(ada, 'files')).toBe(count)
  },
)

test('a record with 1,000 dependent rows is deleted and restored without a job', async () => {
  const ada = await signInAs(app, 'ada')
  const [company, empty] = [newId(), newId()]
  await write(ada, addCompany(company), addCompany(empty), addContacts(company, 1000))
  expect((await remove(ada, `/api/companies/${empty}`)).statusCode).toBe(204)
  const response = await remove(ada, `/api/companies/${company}`)
  expect([response.statusCode, await countWhere(ada, 'companies')]).toEqual([204, 0])
  expect((await undo(ada, changeOf(response))).json()).toMatchObject({ progress: null })
  expect(await countWhere(ada, 'crm_contacts', `company_id = '${company}'`)).toBe(1000)
})

test('two requests that delete one company make one change, and several companies are deleted at the same time', { timeout }, async () => {
  const ada = await signInAs(app, 'ada')
  const grace = await signInAs(app, 'grace')
  const [first, second, third] = [newId(), newId(), newId()]
  await write(ada, addCompany(first), addContacts(first, count), addCompany(second), addContacts(second, count))
  await write(grace, addCompany(third), addContacts(third, count))
  const before = [await digestRows(ada), await digestRows(grace)]
  const responses = await Promise.all([
    ...[first, first, second].map((company) => remove(ada, `/api/companies/${company}`)),
    remove(grace, `/api/companies/${third}`),
  ])
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([202, 202, 202, 202])
  const [change, repeatedChange, secondChange, thirdChange] = responses.map(changeOf)
  expect(repeatedChange).toBe(change)
  const lastResponse = responses.at(-1) // the only one of grace
  for (const response of responses) await waitForJob(response === lastResponse ? grace : ada, response)
  expect([await countWhere(ada, 'companies'), await countWhere(grace, 'companies')]).toEqual([0, 0])
  const undone = await Promise.all([undo(ada, change ?? ''), undo(ada, secondChange ?? ''), undo(grace, thirdChange ?? '')])
  for (const response of undone) await waitForJob(response === undone.at(-1) ? grace : ada, response)
  expect([await digestRows(ada), await digestRows(grace)]).toEqual(before)
})

test('an undo during the job of a delete ends the job and restores what the job has deleted', { timeout }, async () => {
  const ada = await signInAs(app, 'ada')
  const company = newId()
  await write(ada, addCompany(company), addContacts(company, Math.max(count, 3000))) // so many that the job still runs at the undo
  const before = await digestRows(ada)
  const response = await remove(ada, `/api/companies/${company}`)
  await expect.poll(async () => (await readChange(ada, changeOf(response))).progress?.done, { timeout }).toBeGreaterThan(0)
  await waitForJob(ada, await undo(ada, changeOf(response)))
  await expect.poll(async () => (await app.tableOwner.query('select from jobs.jobs where owner = $1', [ada.id])).rowCount).toBe(0)
  expect(await digestRows(ada)).toEqual(before)
})

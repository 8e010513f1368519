// A change group has the transactions of one job, here of an import. A job undoes them one after the other.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import type { Change } from '#contract/changes.ts'
import { openTestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { sql, type Database } from '#server/platform/database/database.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { enqueue } from '#server/platform/jobs/enqueue.ts'
import { closeGroup, inGroup, openGroup } from '#server/platform/journal/groups.ts'
import { undo } from '#server/platform/journal/undo.ts'
import { createUndoGroupJobHandler, undoGroupJob } from '#server/platform/journal/undo-group.job.ts'
import { openTestJobs } from '#server/testing/jobs.ts'

test('the request to undo a group returns before the undo has ended; a job undoes the group and lists the skipped rows', async () => {
  const app = await openTestApp()
  const ada = await signInAs(app, 'ada')
  const group = await importContacts(app.database, ada.id, 5)
  const [contact] = (await ada.send({ url: '/api/contacts' })).json().rows
  await ada.send({ method: 'PATCH', url: `/api/contacts/${contact.id}`, payload: { title: 'Countess' } })

  const headers = { 'idempotency-key': 'the-same' }
  const response = await ada.send({ method: 'POST', url: `/api/changes/${group}/undo`, headers })
  // the response describes the undo; `undone` is false, because the undo itself has not been undone
  expect(response.json()).toMatchObject({ label: 'Undone: Imported 5 contacts', progress: { total: 5 }, undone: false })
  const { id }: Change = response.json()
  expect(response.headers['foyer-change']).toBe(id)
  const repeated = await ada.send({ method: 'POST', url: `/api/changes/${group}/undo`, headers })
  expect([repeated.statusCode, repeated.json().id]).toEqual([200, id])

  await expect.poll(() => changeOf(ada, id), { timeout: 20_000 }).toMatchObject({ progress: { done: 5, total: 5, finished: true } })
  expect(await changeOf(ada, id)).toMatchObject({
    skipped_counts: { edited: 1 },
    skipped: [{ table: 'crm_contacts', id: contact.id, why: 'edited' }],
  })
  expect((await ada.send({ url: '/api/contacts' })).json().rows).toHaveLength(1) // the edited contact
  expect((await ada.send({ url: '/api/changes/recent' })).json().rows).toMatchObject([
    { change: id, reversal: 'undo' },
    { label: 'Updated contact' },
    { change: group, label: 'Imported 5 contacts' },
  ])
  await app.stop()
})

test('the progress of an undo reports that its job has failed permanently, and undoing the same change again continues the undo', async () => {
  const app = await openTestApp()
  const ada = await signInAs(app, 'ada')
  const group = await importContacts(app.database, ada.id, 3)
  await app.tableOwner
    .query(`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'The disk is broken'; end $$;
    create trigger refuse before delete on crm_contacts for each row when (old.first_name = 'C1') execute function refuse();
    alter table jobs.jobs alter column attempts set default 4 -- a job that starts with 4 attempts has none left after its first failure`)
  const undoGroup = () => ada.send({ method: 'POST', url: `/api/changes/${group}/undo` })
  const { id }: Change = (await undoGroup()).json()
  await expect
    .poll(() => changeOf(ada, id), { timeout: 20_000 })
    .toMatchObject({ progress: { done: 1, total: 3, finished: false, failed: true } })

  await app.tableOwner.query('drop trigger refuse on crm_contacts')
  const response = await undoGroup()
  expect([response.statusCode, response.headers['foyer-change'], response.json().progress.failed]).toEqual([200, id, false])
  await expect
    .poll(() => changeOf(ada, id), { timeout: 20_000 })
    .toMatchObject({ progress: { done: 3, total: 3, finished: true, failed: false } })
  expect((await ada.send({ url: '/api/contacts' })).json().rows).toEqual([])
  expect((await undoGroup()).json()).toMatchObject({ code: 'already_undone' })
  await app.stop()
})

test('an undo, a redo while the undo runs, and another undo leave no contact of the group', async () => {
  const app = await openTestApp()
  const ada = await signInAs(app, 'ada')
  const undoChange = async (changeId: string): Promise<string> =>
    (await ada.send({ method: 'POST', url: `/api/changes/${changeId}/undo` })).json().id
  const readProgress = async (changeId: string) => (await changeOf(ada, changeId)).progress
  const firstUndo = await undoChange(await importContacts(app.database, ada.id, 60))
  await expect.poll(async () => (await readProgress(firstUndo))?.done, { timeout: 20_000, interval: 5 }).toBeGreaterThan(3)
  const redo = await undoChange(firstUndo)
  await expect.poll(() => readProgress(redo), { timeout: 20_000 }).toMatchObject({ finished: true })
  expect((await ada.send({ url: '/api/contacts/count' })).json()).toMatchObject({ count: 60 })
  const secondUndo = await undoChange(redo)
  await expect.poll(() => readProgress(secondUndo), { timeout: 20_000 }).toMatchObject({ finished: true })
  expect((await ada.send({ url: '/api/contacts/count' })).json()).toMatchObject({ count: 0 })
  await app.stop()
})

test('the undo of a group continues where a killed process stopped, and undoes each transaction once', { timeout: 300_000 }, async () => {
  await using testJobs = await openTestJobs()
  const owner = await testJobs.newOwner()
  const group = await importContacts(testJobs.database, owner, 40)
  const caller = callerFor(owner)
  const undoGroup = await testJobs.database.transaction(caller, 'Undone', async () => {
    const { changeId } = await undo(group)
    await enqueue(undoGroupJob, { group: changeId, actor: caller.actor })
    return changeId
  })
  const countUndone = async (): Promise<number> =>
    (await testJobs.tableOwner.query<{ done: number }>('select done from change_groups where id = $1', [undoGroup])).rows[0]?.done ?? 0
  const worker = startWorkerProcess(String(testJobs.workerConnection.host), String(testJobs.workerConnection.database))
  await expect.poll(countUndone, { timeout: 20_000, interval: 5 }).toBeGreaterThan(3)
  worker.kill('SIGKILL')
  await once(worker, 'exit')
  expect(await countUndone()).toBeLessThan(40)

  const { type, ...handler } = createUndoGroupJobHandler(testJobs.database)
  await testJobs.startWorker({ handlers: { [type]: handler } })
  await expect.poll(testJobs.readJobs, { timeout: 30_000 }).toEqual([])
  expect(await countUndone()).toBe(40)
  const { rows } = await testJobs.tableOwner.query(
    'select (select count(*)::int from crm_contacts) as contacts, count(*)::int as undos from changesets where group_id = $1',
    [undoGroup],
  )
  expect(rows).toEqual([{ contacts: 0, undos: 40 }])
})

const workerProgram = `
  import pg from 'pg'
  import { createDatabase } from '${new URL('../platform/database/database.ts', import.meta.url).href}'
  import { startWorker } from '${new URL('../platform/jobs/worker.ts', import.meta.url).href}'
  import { createUndoGroupJobHandler } from '${new URL('../platform/journal/undo-group.job.ts', import.meta.url).href}'
  const [host, database] = process.argv.slice(1)
  process.on('disconnect', () => process.exit())
  const connect = (user) => ({ host, database, user })
  const handlers = [createUndoGroupJobHandler(createDatabase(new pg.Pool({ ...connect('foyer_app'), max: 4 })))]
  await startWorker({ pool: new pg.Pool(connect('foyer')), leaseConnection: connect('foyer'), handlers, schedules: [], log: console })
`

/** Starts a child process that runs the jobs which undo groups. The process ends when its IPC channel to this process closes. */
function startWorkerProcess(host: string, database: string): ChildProcess {
  return spawn(process.execPath, ['--input-type=module', '-e', workerProgram, host, database], {
    cwd: new URL('../..', import.meta.url),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
}

/** Adds contacts in a change group, one per transaction. */
async function importContacts(database: Database, owner: string, count: number): Promise<string> {
  const caller = callerFor(owner)
  const group = await openGroup(database, caller, { label: 'Importing contacts', total: count })
  for (let number = 0; number < count; number++)
    await inGroup(database, caller, { group, label: 'Imported' }, () =>
      sql('insert into crm_contacts (first_name) values ($1)', [`C${number}`]),
    )
  await closeGroup(database, caller, group, `Imported ${count} contacts`)
  return group
}

const changeOf = async (person: Person, id: string): Promise<Change> => (await person.send({ url: `/api/changes/${id}` })).json()

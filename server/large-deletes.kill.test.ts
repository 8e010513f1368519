// A job deletes, in parts, the rows that depend on a deleted record. The test kills the process that runs the job, and starts another.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { sql } from '#server/platform/database/database.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { deleteRecord } from '#server/platform/records/verbs.ts'
import { createDeleteJobHandler } from '#server/platform/records/large-delete.ts'
import { companies } from '#server/companies/kind.ts'
import { addCompany, addContacts } from '#server/testing/dependents.ts'
import { openTestJobs } from '#server/testing/jobs.ts'

/** With FOYER_FULL=1 the test uses many more rows. */
const isFullTestRun = process.env['FOYER_FULL'] === '1'
const timeout = isFullTestRun ? 1_800_000 : 120_000

test('a delete continues where a killed process stopped', { timeout }, async () => {
  await using testJobs = await openTestJobs()
  const owner = await testJobs.newOwner()
  const request: { changeId?: string; isRunning?: boolean } = {} // the delete sets the id of its change, and whether a job continues it
  const caller = { ...callerFor(owner), request }
  const company = newId()
  const services = { database: testJobs.database, now: testJobs.now }
  await testJobs.database.transaction({ ...callerFor(owner), timeoutMs: 600_000 }, 'Imported', () =>
    Promise.all([addCompany(company), addContacts(company, isFullTestRun ? 100_000 : 4000)].map(([text, ...values]) => sql(text, values))),
  )
  await deleteRecord(services, caller, companies, company)
  expect(request.isRunning).toBe(true)
  const readGroup = async (): Promise<{ done: number; total: number; isFinished: boolean }> => {
    const { rows } = await testJobs.tableOwner.query<{ done: number; total: number; isFinished: boolean }>(
      'select done, total, finished_at is not null as "isFinished" from change_groups where id = $1',
      [request.changeId],
    )
    return rows[0] ?? { done: 0, total: 0, isFinished: false }
  }
  const worker = startWorkerProcess(String(testJobs.workerConnection.host), String(testJobs.workerConnection.database))
  await expect.poll(async () => (await readGroup()).done, { timeout, interval: 5 }).toBeGreaterThan(0)
  worker.kill('SIGKILL')
  await once(worker, 'exit')
  const { done, total } = await readGroup()
  expect(done).toBeLessThan(total)

  const { type, ...handler } = createDeleteJobHandler(testJobs.database)
  await testJobs.startWorker({ handlers: { [type]: handler } })
  await expect.poll(testJobs.readJobs, { timeout }).toEqual([])
  expect(await readGroup()).toEqual({ done: total, total, isFinished: true })
  const { rows } = await testJobs.tableOwner.query(
    `select (select count(*)::int from companies) as companies, count(*)::int as linked from crm_contacts where company_id is not null`,
  )
  expect(rows).toEqual([{ companies: 0, linked: 0 }])
})

const workerProgram = `
  import pg from 'pg'
  import { createDatabase } from '${new URL('./platform/database/database.ts', import.meta.url).href}'
  import { startWorker } from '${new URL('./platform/jobs/worker.ts', import.meta.url).href}'
  import { createDeleteJobHandler } from '${new URL('./platform/records/large-delete.ts', import.meta.url).href}'
  const [host, database] = process.argv.slice(1)
  process.on('disconnect', () => process.exit())
  const connect = (user) => ({ host, database, user })
  const handlers = [createDeleteJobHandler(createDatabase(new pg.Pool({ ...connect('foyer_app'), max: 4 })))]
  await startWorker({ pool: new pg.Pool(connect('foyer')), leaseConnection: connect('foyer'), handlers, schedules: [], log: console })
`

/** Starts a child process that runs the jobs of large deletes. The process ends when its IPC channel to this process closes. */
function startWorkerProcess(host: string, database: string): ChildProcess {
  return spawn(process.execPath, ['--input-type=module', '-e', workerProgram, host, database], {
    cwd: new URL('..', import.meta.url),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
}

import pg from 'pg'
import { examineRows, type DoctorOptions, type Result } from '#server/doctor.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import type { TestApp } from './app.ts'

type Options = Partial<DoctorOptions> & { storage: Storage; quotaBytes?: number }

/** Checks the rows and the stored bytes of an application. */
export async function examineApp(app: TestApp, { quotaBytes = 10 * 1024 ** 3, ...options }: Options): Promise<Result[]> {
  const tableOwner = new pg.Client(app.connections.tableOwner)
  await tableOwner.connect()
  try {
    const context = { tableOwner, quotaBytes, comparesHashes: false, repairs: false, now: new Date(), ...options }
    const results: Result[] = []
    for await (const result of examineRows(context, app.connections.application)) results.push(result)
    return results
  } finally {
    await tableOwner.end()
  }
}

/** Returns a line for each result that is not `ok`: its status, the name of its check and its sentence. */
export const listProblems = (results: readonly Result[]): string[] =>
  results.filter(({ status }) => status !== 'ok').map(({ name, status, text }) => `${status} ${name}: ${text}`)

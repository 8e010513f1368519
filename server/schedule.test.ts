import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs } from '#server/testing/people.ts'
import { listSchedules } from './schedule.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const dayMs = 24 * 60 * 60 * 1000

test('the schedules delete expired rows and no other rows', async () => {
  const now = new Date('2099-01-01T12:00:00Z') // so far in the future that the application's own schedules delete nothing
  const past = new Date(now.getTime() - 1)
  const future = new Date(now.getTime() + 1)
  const ada = await signInAs(app, 'ada')
  const { tableOwner } = app
  await tableOwner.query('delete from sessions')
  await Promise.all(
    [past, future].map(async (expiresAt, index) => {
      const hash = Buffer.from([index])
      await tableOwner.query(
        'insert into sessions (user_id, token_hash, created_at, last_seen_at, expires_at) values ($1, $2, $3, $3, $3)',
        [ada.id, hash, expiresAt],
      )
      await tableOwner.query('insert into password_resets (user_id, token_hash, expires_at) values ($1, $2, $3)', [ada.id, hash, expiresAt])
      await tableOwner.query('insert into attempts (key, count, resets_at) values ($1, 1, $2)', [hash, expiresAt])
      await tableOwner.query('insert into used_page_tokens values ($1, $2)', [hash, expiresAt])
      await tableOwner.query(`insert into jobs.jobs (owner, type, payload, failed_at, run_at) values ($1, 'failed', '{}', $2, $2)`, [
        ada.id,
        new Date(expiresAt.getTime() - 30 * dayMs), // failed jobs are deleted after 30 days
      ])
    }),
  )
  for (const { run } of listSchedules(tableOwner, () => now)) await run(new AbortController().signal)
  for (const table of ['sessions', 'password_resets', 'attempts', 'used_page_tokens', 'jobs.jobs']) {
    expect((await tableOwner.query(`select from ${table}`)).rowCount, table).toBe(1)
  }
})

test('the names of the schedules are unique', () => {
  const names = listSchedules(app.tableOwner, () => new Date()).map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

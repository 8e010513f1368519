// How long a statement may take, and with it how long it waits for rows that another write holds.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs } from '#server/testing/cast.ts'
import { sql } from './database.ts'
import { callerFor, type Caller } from './transaction.ts'

let app: TestApp
let caller: Caller
beforeAll(async () => {
  app = await openTestApp()
  caller = callerFor((await signInAs(app, 'ada')).id)
})
afterAll(() => app.stop())

const patience = () => sql(`select current_setting('statement_timeout') as longest`)

test('an edit of one record waits as long as an edit of ten thousand may take; a read does not', async () => {
  expect(await app.database.read(caller, patience)).toEqual([{ longest: '15s' }])
  expect(await app.database.batch(caller, 'Updated contact', patience)).toEqual([{ longest: '1min' }])
  expect(await app.database.transaction(caller, 'Updated contacts', patience)).toEqual([{ longest: '1min' }])
})

test('who says how long is heeded', async () => {
  expect(await app.database.read({ ...caller, timeoutMs: 300 }, patience)).toEqual([{ longest: '300ms' }])
  expect(await app.database.transaction({ ...caller, timeoutMs: 120_000 }, 'Erased for good', patience)).toEqual([{ longest: '2min' }])
})

// How long a statement may take, and with it how long it waits for rows that another write holds.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestHouse, type TestHouse } from '#server/testing/app.ts'
import { signInAs } from '#server/testing/cast.ts'
import { sql } from './database.ts'
import { actingAs, type Who } from './transaction.ts'

let house: TestHouse
let who: Who
beforeAll(async () => {
  house = await openTestHouse()
  who = actingAs((await signInAs(house, 'ada')).id)
})
afterAll(() => house.stop())

const patience = () => sql(`select current_setting('statement_timeout') as longest`)

test('an edit of one record waits as long as an edit of ten thousand may take; a read does not', async () => {
  expect(await house.database.read(who, patience)).toEqual([{ longest: '15s' }])
  expect(await house.database.atOnce(who, 'Updated contact', patience)).toEqual([{ longest: '1min' }])
  expect(await house.database.transaction(who, 'Updated contacts', patience)).toEqual([{ longest: '1min' }])
})

test('who says how long is heeded', async () => {
  expect(await house.database.read({ ...who, timeoutMs: 300 }, patience)).toEqual([{ longest: '300ms' }])
  expect(await house.database.transaction({ ...who, timeoutMs: 120_000 }, 'Erased for good', patience)).toEqual([{ longest: '2min' }])
})

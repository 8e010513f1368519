// A transaction of one batch: which statements it sends, and what rolls it back.
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cloneDatabase } from '#server/testing/app.ts'
import { createDatabase, sql, type Database } from './database.ts'
import { openPool } from './pool.ts'
import { requireTrue, unmetReason, type Requirement } from './requirement.ts'
import { callerFor } from './transaction.ts'
import { newId } from './uuid.ts'

let tableOwner: pg.Pool
let pool: pg.Pool
let database: Database
beforeAll(async () => {
  const connections = await cloneDatabase()
  tableOwner = new pg.Pool({ ...connections.tableOwner, max: 1 })
  pool = openPool(connections.application, 1, () => {})
  database = createDatabase(pool)
  await tableOwner.query('create table marks (id int primary key); grant all on marks to foyer_app')
})
afterAll(async () => {
  await pool.end()
  await tableOwner.end()
})
beforeEach(async () => {
  await tableOwner.query('truncate marks')
})

const ada = callerFor(newId())
const addMark = (id: number): Promise<unknown> => sql('insert into marks (id) values ($1)', [id])
const countMarks = async (): Promise<number | null> => (await tableOwner.query('select from marks')).rowCount

test('a batch sends together all statements that start without waiting for a response', async () => {
  const addLater = async (id: number): Promise<unknown> => {
    await Promise.resolve()
    return addMark(id)
  }
  await database.batch(ada, 'Marked', () => Promise.all([addMark(1), addLater(2)]))
  expect(await countMarks()).toBe(2)
})

test('a batch sends nothing if the work fails before the statements are sent', async () => {
  const failing = database.batch(ada, 'Marked', () => Promise.all([addMark(1), Promise.reject(new Error('The mail cannot be written'))]))
  await expect(failing).rejects.toThrow('The mail cannot be written')
  expect(await countMarks()).toBe(0)
})

test('a batch is rolled back if a required condition is not true when its statement runs', async () => {
  const count = (expected: number): Requirement => ({
    condition: '(select count(*) from marks) = $1',
    values: [expected],
    reason: `the count is ${expected}`,
  })
  await database.batch(ada, 'Marked', () => Promise.all([requireTrue(count(0)), addMark(1), requireTrue(count(1))]))
  const failing = database.batch(ada, 'Marked', () => Promise.all([addMark(2), requireTrue(count(2), count(1))]))
  const error = await failing.catch((caught: unknown) => caught)
  expect([unmetReason(error), await countMarks()]).toEqual(['the count is 1', 1])
  expect(unmetReason(new Error('Another error'))).toBeUndefined()
})

test('a batch refuses statements that start after a response', async () => {
  await database.batch(ada, 'Marked', () => Promise.all([addMark(1), addMark(2)]))
  const sequentialStatements = database.batch(ada, 'Marked', async () => {
    await addMark(3)
    await addMark(4)
  })
  await expect(sequentialStatements).rejects.toThrow('need a transaction')
  expect(await countMarks()).toBe(3) // mark 3 is committed already, which is why later statements are refused
})

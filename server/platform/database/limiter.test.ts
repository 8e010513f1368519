// Limits prevent one owner from using the whole pool; tested on a real server.
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase } from '#server/testing/app.ts'
import { createDatabase, sql, type Database } from './database.ts'
import { openPool } from './pool.ts'
import { callerFor, type Caller } from './transaction.ts'
import { newId } from './uuid.ts'

let pool: pg.Pool
let database: Database
beforeAll(async () => {
  const { application } = await cloneDatabase()
  pool = openPool(application, 4, () => {})
  database = createDatabase(pool)
})
afterAll(() => pool.end())

const ada = callerFor(newId())
const grace = callerFor(newId())
const slow = (caller: Caller = ada): Promise<unknown> => database.transaction(caller, 'Slept', () => sql('select pg_sleep(0.02)'))
const quick = (caller: Caller): Promise<unknown> => database.read(caller, () => sql('select 1 as one'))

test('a hundred transactions of one owner do not delay another owner', async () => {
  const order: string[] = []
  const ofAda = Array.from({ length: 100 }, () => slow().then(() => order.push('ada')))
  await quick(grace).then(() => order.push('grace'))
  expect(order.indexOf('grace')).toBeLessThan(50)
  await Promise.all(ofAda)
  expect(pool.totalCount).toBeLessThan(4) // two for ada, and what grace needed
})

test('transactions of one owner run in the order in which they were started', async () => {
  const order: number[] = []
  const reads = Array.from({ length: 20 }, (_, index) =>
    database.transaction(ada, 'Looked', async () => {
      order.push(index)
      await sql('select 1 as one')
    }),
  )
  await Promise.all(reads)
  expect(order).toEqual(order.toSorted((one, other) => one - other))
})

test('a transaction inside another one is not counted', async () => {
  const nested = (): Promise<unknown> =>
    database.transaction(ada, 'Nested', async () => {
      await sql('select 1 as one')
      return database.transaction(ada, 'Nested', () => quick(ada))
    })
  expect(await Promise.all(Array.from({ length: 10 }, nested))).toEqual(Array.from({ length: 10 }, () => [{ one: 1 }]))
})

test('a failed transaction is not counted any more', async () => {
  for (let time = 0; time < 2; time++) {
    await expect(database.read(ada, () => sql('selec nonsense'))).rejects.toThrow('syntax')
    await expect(database.transaction(ada, 'Failed', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    await expect(database.batch(ada, 'Failed', () => sql('select 1 / (random() * 0)::int as broken'))).rejects.toThrow('division by zero')
  }
  expect(await quick(ada)).toEqual([{ one: 1 }])
})

test('a waiting client that disconnects is removed from the queue, and the next one runs', async () => {
  const leaving = new AbortController()
  const order: string[] = []
  const held = Promise.withResolvers<undefined>()
  const hold = (): Promise<unknown> => database.transaction(ada, 'Held', () => held.promise)
  const holders = [hold(), hold()]
  const caller = { ...ada, queueSignal: leaving.signal }
  const left = [
    database.read(caller, async () => order.push('read')),
    database.transaction(caller, 'Left', async () => order.push('write')),
  ]
  const stayed = database.read(ada, async () => order.push('stayed'))
  leaving.abort(new Error('The client left'))
  for (const each of left) await expect(each).rejects.toThrow('The client left')
  await expect(database.read(caller, async () => order.push('late'))).rejects.toThrow('The client left')
  expect(order).toEqual([])
  held.resolve(undefined)
  await Promise.all([...holders, stayed])
  expect(order).toEqual(['stayed'])
  expect(await Promise.all([quick(ada), quick(ada), quick(ada)])).toHaveLength(3)
})

test('nothing is started for a client that has disconnected', async () => {
  const caller = { ...ada, queueSignal: AbortSignal.abort(new Error('The client left')) }
  let begun = 0
  const work = async (): Promise<unknown> => begun++
  await expect(database.transaction(caller, 'Left', work)).rejects.toThrow('The client left')
  await expect(database.longTransaction(caller, 'Left', 'large', work)).rejects.toThrow('The client left')
  expect(begun).toBe(0)
  expect(await quick(ada)).toEqual([{ one: 1 }])
})

test('a write that has started is committed even if its client disconnects', async () => {
  const leaving = new AbortController()
  const written = database.longTransaction({ ...ada, queueSignal: leaving.signal }, 'Written', 'large', async () => {
    leaving.abort(new Error('The client left'))
    return sql('select 1 as one')
  })
  expect(await written).toEqual([{ one: 1 }])
})

const tooMany = { code: 'too_many_requests', extras: { retry_after_seconds: 5 } }

test('at most 200 requests of an owner wait: one more is refused immediately, other owners are not', async () => {
  const held = Promise.withResolvers<undefined>()
  const holders = [1, 2].map(() => database.transaction(ada, 'Held', () => held.promise))
  const waiting = Array.from({ length: 200 }, () => quick(ada))
  await expect(quick(ada)).rejects.toMatchObject(tooMany)
  await expect(slow(ada)).rejects.toMatchObject(tooMany)
  expect(await quick(grace)).toEqual([{ one: 1 }])
  held.resolve(undefined)
  await Promise.all([...holders, ...waiting])
  expect(await quick(ada)).toEqual([{ one: 1 }])
})

test('at most eight large writes of an owner wait: one more is refused immediately, other requests are not', async () => {
  const held = Promise.withResolvers<undefined>()
  const large = (caller: Caller, work = quick): Promise<unknown> => database.longTransaction(caller, 'Large', 'large', () => work(caller))
  const holder = large(ada, () => held.promise)
  const waiting = Array.from({ length: 8 }, () => large(ada))
  await expect(large(ada)).rejects.toMatchObject(tooMany)
  expect(await quick(ada)).toEqual([{ one: 1 }])
  expect(await large(grace)).toEqual([{ one: 1 }])
  held.resolve(undefined)
  await Promise.all([holder, ...waiting])
  expect(await large(ada)).toEqual([{ one: 1 }])
})

// Limits prevent one owner from using the whole pool; tested on a real server. The pool has four connections, and one owner may use two.
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase } from '#server/testing/app.ts'
import { createDatabase, sql, type Database } from './database.ts'
import { createLimiter } from './limiter.ts'
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
const runSlowWrite = (caller: Caller = ada): Promise<unknown> => database.transaction(caller, 'Slept', () => sql('select pg_sleep(0.02)'))
const runQuickRead = (caller: Caller): Promise<unknown> => database.read(caller, () => sql('select 1 as one'))

test('a hundred transactions of one owner do not delay another owner', async () => {
  const order: string[] = []
  const writesOfAda = Array.from({ length: 100 }, () => runSlowWrite().then(() => order.push('ada')))
  await runQuickRead(grace).then(() => order.push('grace'))
  expect(order.indexOf('grace')).toBeLessThan(50)
  await Promise.all(writesOfAda)
  expect(pool.totalCount).toBeLessThan(4) // two connections for ada, and at most one for grace
})

test('transactions of one owner run in the order in which they were started', async () => {
  const order: number[] = []
  const writes = Array.from({ length: 20 }, (_, index) =>
    database.transaction(ada, 'Looked', async () => {
      order.push(index)
      await sql('select 1 as one')
    }),
  )
  await Promise.all(writes)
  expect(order).toEqual(order.toSorted((a, b) => a - b))
})

test('a transaction inside another one does not count against the limit of its owner', async () => {
  const nested = (): Promise<unknown> =>
    database.transaction(ada, 'Nested', async () => {
      await sql('select 1 as one')
      return database.transaction(ada, 'Nested', () => runQuickRead(ada))
    })
  expect(await Promise.all(Array.from({ length: 10 }, nested))).toEqual(Array.from({ length: 10 }, () => [{ one: 1 }]))
})

test('a transaction that fails frees its place, so that the next ones can run', async () => {
  for (let round = 0; round < 2; round++) {
    await expect(database.read(ada, () => sql('selec nonsense'))).rejects.toThrow('syntax')
    await expect(database.transaction(ada, 'Failed', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    await expect(database.batch(ada, 'Failed', () => sql('select 1 / (random() * 0)::int as broken'))).rejects.toThrow('division by zero')
  }
  expect(await runQuickRead(ada)).toEqual([{ one: 1 }])
})

test('a waiting client that disconnects is removed from the queue, and the next one runs', async () => {
  const controller = new AbortController()
  const order: string[] = []
  const block = Promise.withResolvers<undefined>()
  const holdTransaction = (): Promise<unknown> => database.transaction(ada, 'Held', () => block.promise)
  const holders = [holdTransaction(), holdTransaction()]
  const caller = { ...ada, queueSignal: controller.signal }
  const abandonedCalls = [
    database.read(caller, async () => order.push('read')),
    database.transaction(caller, 'Left', async () => order.push('write')),
  ]
  const remainingCall = database.read(ada, async () => order.push('remaining'))
  controller.abort(new Error('The client left'))
  for (const call of abandonedCalls) await expect(call).rejects.toThrow('The client left')
  await expect(database.read(caller, async () => order.push('late'))).rejects.toThrow('The client left')
  expect(order).toEqual([])
  block.resolve(undefined)
  await Promise.all([...holders, remainingCall])
  expect(order).toEqual(['remaining'])
  expect(await Promise.all([runQuickRead(ada), runQuickRead(ada), runQuickRead(ada)])).toHaveLength(3)
})

test('nothing is started for a client that has disconnected', async () => {
  const caller = { ...ada, queueSignal: AbortSignal.abort(new Error('The client left')) }
  let runs = 0
  const work = async (): Promise<unknown> => runs++
  await expect(database.transaction(caller, 'Left', work)).rejects.toThrow('The client left')
  await expect(database.longTransaction(caller, 'Left', 'large', work)).rejects.toThrow('The client left')
  expect(runs).toBe(0)
  expect(await runQuickRead(ada)).toEqual([{ one: 1 }])
})

test('a write that has started is committed even if its client disconnects', async () => {
  const controller = new AbortController()
  const write = database.longTransaction({ ...ada, queueSignal: controller.signal }, 'Written', 'large', async () => {
    controller.abort(new Error('The client left'))
    return sql('select 1 as one')
  })
  expect(await write).toEqual([{ one: 1 }])
})

/** The error of a call that is refused because too many calls of its owner are waiting. */
const tooMany = { code: 'too_many_requests', extras: { retry_after_seconds: 5 } }

test('at most 200 requests of an owner wait: one more is refused immediately, other owners are not', async () => {
  const block = Promise.withResolvers<undefined>()
  const holders = [1, 2].map(() => database.transaction(ada, 'Held', () => block.promise))
  const waitingCalls = Array.from({ length: 200 }, () => runQuickRead(ada))
  await expect(runQuickRead(ada)).rejects.toMatchObject(tooMany)
  await expect(runSlowWrite(ada)).rejects.toMatchObject(tooMany)
  expect(await runQuickRead(grace)).toEqual([{ one: 1 }])
  block.resolve(undefined)
  await Promise.all([...holders, ...waitingCalls])
  expect(await runQuickRead(ada)).toEqual([{ one: 1 }])
})

test('at most eight large writes of an owner wait: one more is refused immediately, other requests are not', async () => {
  const block = Promise.withResolvers<undefined>()
  const runLargeWrite = (caller: Caller, work = runQuickRead): Promise<unknown> =>
    database.longTransaction(caller, 'Large', 'large', () => work(caller))
  const holder = runLargeWrite(ada, () => block.promise)
  const waitingCalls = Array.from({ length: 8 }, () => runLargeWrite(ada))
  await expect(runLargeWrite(ada)).rejects.toMatchObject(tooMany)
  expect(await runQuickRead(ada)).toEqual([{ one: 1 }])
  expect(await runLargeWrite(grace)).toEqual([{ one: 1 }])
  block.resolve(undefined)
  await Promise.all([holder, ...waitingCalls])
  expect(await runLargeWrite(ada)).toEqual([{ one: 1 }])
})

/** Uses all connections until the returned function is called. */
function holdAllConnections(): () => Promise<unknown> {
  const block = Promise.withResolvers<undefined>()
  const [first, second] = [callerFor(newId()), callerFor(newId())]
  const holders = [first, first, second, second].map((caller) => database.transaction(caller, 'Held', () => block.promise))
  return () => {
    block.resolve(undefined)
    return Promise.all(holders)
  }
}

test('when 2,000 requests of all owners wait, a new one replaces the newest request of the owner with the most requests', async () => {
  const release = holdAllConnections()
  const owners = Array.from({ length: 10 }, () => callerFor(newId()))
  const waitingCalls = owners.flatMap((owner) =>
    Array.from({ length: 200 }, () =>
      runQuickRead(owner).then(
        () => 'done',
        ({ code }) => code,
      ),
    ),
  )
  const readOfGrace = runQuickRead(grace)
  await release()
  expect(await readOfGrace).toEqual([{ one: 1 }])
  const results = await Promise.all(waitingCalls)
  expect(results.filter((result) => result === 'too_many_requests')).toHaveLength(1)
  expect(results[199]).toBe('too_many_requests') // the last request of the first owner: all owners have equally many
  expect(results.filter((result) => result === 'done')).toHaveLength(1999)
})

test('when requests of 2,000 owners wait, one more is refused with a time after which to try again', async () => {
  const release = holdAllConnections()
  const waitingCalls = Array.from({ length: 2000 }, () => runQuickRead(callerFor(newId())))
  await expect(runQuickRead(grace)).rejects.toMatchObject({ code: 'overloaded', extras: { retry_after_seconds: 5 } })
  await release()
  await Promise.all(waitingCalls)
  expect(await runQuickRead(grace)).toEqual([{ one: 1 }])
})

test('when the bodies of all waiting requests have 64 MiB, a new one replaces the newest of the owner with the most bytes', async () => {
  const release = holdAllConnections()
  const withBody = (caller: Caller): Caller => ({ ...caller, queueBytes: 1024 * 1024 })
  const waitingCalls = Array.from({ length: 64 }, () =>
    runQuickRead(withBody(ada)).then(
      () => 'done',
      ({ code }) => code,
    ),
  )
  await expect(runQuickRead(withBody(ada))).rejects.toMatchObject({ code: 'overloaded' })
  // the request of Grace takes the place of one of Ada's, and a request of Ada without a body is not limited
  const accepted = [runQuickRead(withBody(grace)), runQuickRead(ada)]
  await release()
  await Promise.all(accepted)
  expect((await Promise.all(waitingCalls)).map((result, index) => [index, result]).filter(([, result]) => result !== 'done')).toEqual([
    [63, 'too_many_requests'],
  ])
})

test('when all connections are in use, the owners take turns', async () => {
  const release = holdAllConnections()
  const order: string[] = []
  const read = (name: string, caller: Caller): Promise<unknown> => database.read(caller, async () => order.push(name))
  const reads = Array.from({ length: 50 }, () => read('ada', ada))
  reads.push(read('grace', grace))
  await release()
  await Promise.all(reads)
  expect(order.indexOf('grace')).toBeLessThan(4) // without turns Grace would be the last of 51
})

test('a call that waits only for other owners is refused after some time, and one that waits for its own owner is not', async () => {
  const limiter = createLimiter({ maxRunning: 1, maxRunningOfAll: 2, maxWaiting: 10, maxWaitForOthersMs: 10 })
  const block = Promise.withResolvers<void>()
  const holders = ['ada', 'grace'].map((owner) => limiter.run(owner, {}, () => block.promise))
  const secondOfAda = limiter.run('ada', {}, async () => 'done')
  await expect(limiter.run('edsger', {}, async () => 'done')).rejects.toMatchObject({ code: 'overloaded' })
  block.resolve()
  await Promise.all(holders)
  expect(await secondOfAda).toBe('done')
})

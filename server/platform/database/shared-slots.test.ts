// A shared slot is a permit that limits how many operations run at the same time in all processes together. Each call of `openSharedSlots`
// in these tests stands for one process.
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cloneDatabase } from '#server/testing/app.ts'
import { startKillable } from '#server/testing/killable.ts'
import { openSharedSlots, type SharedSlots } from './shared-slots.ts'

let connection: pg.ClientConfig
let firstProcess: SharedSlots
let secondProcess: SharedSlots
beforeEach(async () => {
  connection = (await cloneDatabase()).tableOwner
  firstProcess = openSharedSlots(connection)
  secondProcess = openSharedSlots(connection)
})
afterEach(() => Promise.all([firstProcess.stop(), secondProcess.stop()]))

/** Runs a query and returns the number of its rows. */
async function query(text: string): Promise<number | null> {
  const client = new pg.Client(connection)
  await client.connect()
  const { rowCount } = await client.query(text)
  await client.end()
  return rowCount
}

test('slots are counted over all processes, by name, until they are freed', async () => {
  const freeSlot = await firstProcess.tryTake('files', 2)
  expect(await secondProcess.tryTake('files', 2)).toBeDefined()
  expect([await firstProcess.tryTake('files', 2), await secondProcess.tryTake('files', 2)]).toEqual([undefined, undefined])
  expect(await secondProcess.tryTake('streams', 1)).toBeDefined()
  await freeSlot?.()
  expect(await secondProcess.tryTake('files', 2)).toBeDefined()
  expect(await firstProcess.tryTake('files', 2)).toBeUndefined()
})

test('concurrent calls get no more slots than the maximum', async () => {
  const results = await Promise.all(
    Array.from({ length: 40 }, (_, index) => (index % 2 ? firstProcess : secondProcess).tryTake('files', 7)),
  )
  expect(results.filter((freeSlot) => freeSlot !== undefined)).toHaveLength(7)
})

test('work waits for a slot and runs in the order of the calls of all processes', async () => {
  const order: number[] = []
  const firstWork = Promise.withResolvers<void>()
  const runningWork = [firstProcess.run('large', 1, undefined, () => firstWork.promise)]
  await expect.poll(() => query('select from app.slots')).toBe(1)
  // each call has a row in app.slots, so that its place in the queue is known before the next call
  for (const [index, slots] of [secondProcess, firstProcess, secondProcess, firstProcess].entries()) {
    runningWork.push(slots.run('large', 1, undefined, async () => void order.push(index)))
    await expect.poll(() => query('select from app.slots')).toBe(index + 2)
  }
  firstWork.resolve()
  await Promise.all(runningWork)
  expect(order).toEqual([0, 1, 2, 3])
  expect(await query('select from app.slots')).toBe(0)
})

test('waiting work does not run after its caller disconnects, and the next work in the queue does', async () => {
  const controller = new AbortController()
  const firstWork = Promise.withResolvers<void>()
  const runningWork = firstProcess.run('large', 1, undefined, () => firstWork.promise)
  await expect.poll(() => query('select from app.slots')).toBe(1)
  const ran: string[] = []
  const abandonedWork = secondProcess.run('large', 1, controller.signal, async () => void ran.push('abandoned'))
  await expect.poll(() => query('select from app.slots')).toBe(2)
  const nextWork = secondProcess.run('large', 1, undefined, async () => void ran.push('next'))
  await expect.poll(() => query('select from app.slots')).toBe(3)
  controller.abort(new Error('The client left'))
  await expect(abandonedWork).rejects.toThrow('The client left')
  firstWork.resolve()
  await Promise.all([runningWork, nextWork])
  expect(ran).toEqual(['next'])
})

test('work that fails frees its slot', async () => {
  await expect(firstProcess.run('large', 1, undefined, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await secondProcess.run('large', 1, undefined, async () => 'ran')).toBe('ran')
})

/** A process that takes the only slot "large" and keeps it until it is killed. */
const program = `
  import { openSharedSlots } from '${new URL('shared-slots.ts', import.meta.url).href}'
  await openSharedSlots(JSON.parse(process.argv[1])).run('large', 1, undefined, () => {
    console.log('running')
    return new Promise(() => {})
  })
`

test('a killed process frees its slots', async () => {
  await using holder = await startKillable(program, connection)
  expect(await firstProcess.tryTake('large', 1)).toBeUndefined()
  const waitingWork = firstProcess.run('large', 1, undefined, async () => 'ran')
  await holder.kill()
  expect(await waitingWork).toBe('ran')
  expect(await secondProcess.tryTake('large', 1)).toBeDefined()
})

test('after a lost connection slots can be taken again, and slots in use are still counted', async () => {
  const freeSlot = await firstProcess.tryTake('files', 1)
  await query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'foyer slots' and datname = current_database()`,
  )
  await expect.poll(() => firstProcess.tryTake('streams', 5).catch(() => undefined)).toBeDefined() // connects again
  expect(await secondProcess.tryTake('files', 1)).toBeUndefined()
  await freeSlot?.()
  expect(await secondProcess.tryTake('files', 1)).toBeDefined()
})

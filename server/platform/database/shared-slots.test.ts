// Limits over several processes: each `openSharedSlots` represents a process.
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cloneDatabase } from '#server/testing/app.ts'
import { startKillable } from '#server/testing/killable.ts'
import { openSharedSlots, type SharedSlots } from './shared-slots.ts'

let connection: pg.ClientConfig
let one: SharedSlots
let other: SharedSlots
beforeEach(async () => {
  connection = (await cloneDatabase()).owner
  one = openSharedSlots(connection)
  other = openSharedSlots(connection)
})
afterEach(() => Promise.all([one.stop(), other.stop()]))

async function query(text: string): Promise<number | null> {
  const client = new pg.Client(connection)
  await client.connect()
  const { rowCount } = await client.query(text)
  await client.end()
  return rowCount
}

test('slots are counted over all processes, by name, until they are freed', async () => {
  const free = await one.tryTake('files', 2)
  expect(await other.tryTake('files', 2)).toBeDefined()
  expect([await one.tryTake('files', 2), await other.tryTake('files', 2)]).toEqual([undefined, undefined])
  expect(await other.tryTake('streams', 1)).toBeDefined()
  await free?.()
  expect(await other.tryTake('files', 2)).toBeDefined()
  expect(await one.tryTake('files', 2)).toBeUndefined()
})

test('of many concurrent calls only as many get a slot as there are slots', async () => {
  const taken = await Promise.all(Array.from({ length: 40 }, (_, index) => (index % 2 ? one : other).tryTake('files', 7)))
  expect(taken.filter((free) => free !== undefined)).toHaveLength(7)
})

test('work waits for a slot and runs in the order of the calls of all processes', async () => {
  const order: number[] = []
  const first = Promise.withResolvers<void>()
  const running = [one.run('large', 1, undefined, () => first.promise)]
  await expect.poll(() => query('select from app.slots')).toBe(1)
  for (const [index, slots] of [other, one, other, one].entries()) {
    running.push(slots.run('large', 1, undefined, async () => void order.push(index)))
    await expect.poll(() => query('select from app.slots')).toBe(index + 2)
  }
  first.resolve()
  await Promise.all(running)
  expect(order).toEqual([0, 1, 2, 3])
  expect(await query('select from app.slots')).toBe(0)
})

test('waiting work whose caller disconnects does not run, and the next one does', async () => {
  const leaving = new AbortController()
  const first = Promise.withResolvers<void>()
  const running = one.run('large', 1, undefined, () => first.promise)
  await expect.poll(() => query('select from app.slots')).toBe(1)
  const left = other.run('large', 1, leaving.signal, () => Promise.reject(new Error('It ran')))
  await expect.poll(() => query('select from app.slots')).toBe(2)
  leaving.abort(new Error('The client left'))
  await expect(left).rejects.toThrow('The client left')
  first.resolve()
  await running
  expect(await one.run('large', 1, undefined, async () => 'ran')).toBe('ran')
})

test('work that fails frees its slot', async () => {
  await expect(one.run('large', 1, undefined, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await other.run('large', 1, undefined, async () => 'ran')).toBe('ran')
})

const program = `
  import { openSharedSlots } from '${new URL('shared-slots.ts', import.meta.url).href}'
  await openSharedSlots(JSON.parse(process.argv[1])).run('large', 1, undefined, () => {
    console.log('running')
    return new Promise(() => {})
  })
`

test('a killed process frees its slots', async () => {
  await using killed = await startKillable(program, connection)
  expect(await one.tryTake('large', 1)).toBeUndefined()
  const waiting = one.run('large', 1, undefined, async () => 'ran')
  await killed.kill()
  expect(await waiting).toBe('ran')
  expect(await other.tryTake('large', 1)).toBeDefined()
})

test('after a lost connection slots can be taken again, and those still in use are counted', async () => {
  const free = await one.tryTake('files', 1)
  await query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'foyer slots' and datname = current_database()`,
  )
  await expect.poll(() => one.tryTake('streams', 5).catch(() => undefined)).toBeDefined()
  expect(await other.tryTake('files', 1)).toBeUndefined()
  await free?.()
  expect(await other.tryTake('files', 1)).toBeDefined()
})

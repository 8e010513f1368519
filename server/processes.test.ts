// Limits that count over all processes that use one database. Two applications stand for two processes.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs } from '#server/testing/people.ts'
import { sql } from './platform/database/database.ts'
import { callerFor } from './platform/database/transaction.ts'

let apps: TestApp[]
let addresses: string[]
beforeAll(async () => {
  const first = await openTestApp()
  apps = [first, await openTestApp({ connections: first.connections })]
  addresses = await Promise.all(apps.map((app) => app.server.listen({ port: 0, host: '127.0.0.1' })))
})
afterAll(() => Promise.all(apps.map((app) => app.stop())))

const appOf = (index: number): TestApp => {
  const app = apps[index]
  if (!app) throw new Error('There are two processes')
  return app
}

test('an owner has at most fifty event streams in both processes together', async () => {
  const { token } = await signInAs(appOf(0), 'ada')
  const connections = new AbortController()
  const responses: Response[] = [] // fetch closes the connection of a response that is garbage collected
  const open = async (index: number, signal = connections.signal): Promise<number> => {
    const response = await fetch(`${addresses[index]}/api/events`, { headers: { authorization: `Bearer ${token}` }, signal })
    responses.push(response)
    return response.status
  }
  const statuses = await Promise.all(Array.from({ length: 49 }, (_, number) => open(number % 2)))
  expect(new Set(statuses)).toEqual(new Set([200]))
  const lastConnection = new AbortController()
  expect([await open(0, lastConnection.signal), await open(0), await open(1)]).toEqual([200, 429, 429])
  lastConnection.abort()
  await expect.poll(() => open(1)).toBe(200)
  connections.abort()
})

test('at most two large transactions of all owners run at the same time in both processes together', async () => {
  const owners = await Promise.all((['ada', 'grace', 'edsger'] as const).map((name) => signInAs(appOf(0), name)))
  const endSignals = owners.map(() => Promise.withResolvers<undefined>())
  const started: number[] = []
  const running = owners.map(({ id }, index) =>
    appOf(index % 2).database.longTransaction(callerFor(id), 'Updated 10000 contacts', 'large', async () => {
      await sql('select 1')
      started.push(index)
      await endSignals[index]?.promise
    }),
  )
  await expect.poll(() => started.length).toBe(2)
  await expect
    .poll(async () => (await appOf(0).tableOwner.query('select from app.slots where name = $1', ['large transactions'])).rowCount)
    .toBe(3) // two transactions with a slot and one that waits for a slot have a row
  expect(started).toHaveLength(2)
  endSignals[started[0] ?? 0]?.resolve(undefined)
  await expect.poll(() => started.length).toBe(3)
  for (const endSignal of endSignals) endSignal.resolve(undefined)
  await Promise.all(running)
})

test('at most one large transaction of an owner runs at the same time in both processes together', async () => {
  const { id } = await signInAs(appOf(0), 'ada')
  const firstEndSignal = Promise.withResolvers<undefined>()
  const started: number[] = []
  const running = [0, 1].map((index) =>
    appOf(index).database.longTransaction(callerFor(id), 'Updated 10000 contacts', 'large', async () => {
      await sql('select 1')
      started.push(index)
      if (started.length === 1) await firstEndSignal.promise
    }),
  )
  const slotsOfOwner = 'select from app.slots where name = $1'
  await expect.poll(async () => (await appOf(0).tableOwner.query(slotsOfOwner, [`large transactions of ${id}`])).rowCount).toBe(2)
  await expect.poll(() => started.length).toBe(1)
  firstEndSignal.resolve(undefined)
  await Promise.all(running)
  expect(started).toHaveLength(2)
})

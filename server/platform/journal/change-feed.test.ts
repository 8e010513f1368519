import { beforeEach, expect, test } from 'vitest'
import type { ChangeEvent } from '#contract/events.ts'
import { openWorkspace, type Workspace } from '#server/testing/workspace.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { createChangeFeed, type ChangeFeed } from './change-feed.ts'

/** On a busy machine polls can be late. */
const patience = { timeout: 10_000 }

let workspace: Workspace
let changeFeed: ChangeFeed
beforeEach(async () => {
  workspace = await openWorkspace()
  changeFeed = createChangeFeed(workspace.owner)
  return async () => {
    await changeFeed.stop()
    await workspace.stop()
  }
})

test(
  'every committed change is published once, however long its transaction took; a rolled back one is not',
  { timeout: 60_000 },
  async () => {
    const caller = await workspace.newOwner()
    const { events } = await listen(caller)
    const committed: string[] = []
    const writer = async (number: number): Promise<void> => {
      for (let round = 0; round < 15; round++) {
        const writing = workspace.change(caller, 'Added', async () => {
          await sql(`insert into crm_contacts (first_name) values ('C')`)
          if (round % 3 === 0) await sql('select pg_sleep($1)', [(number % 5) / 20])
          if ((round + number) % 10 === 0) throw new Error('rolled back')
        })
        await writing.then((change) => committed.push(change)).catch(() => {})
      }
    }
    await Promise.all(Array.from({ length: 16 }, (_, number) => writer(number)))
    await expect.poll(() => events.length, patience).toBeGreaterThanOrEqual(committed.length)
    expect(changesIn(events).toSorted()).toEqual(committed.toSorted())
    expect(committed.length).toBeLessThan(16 * 15)
  },
)

test('a change set is one event with its id and the tables that it wrote', async () => {
  const caller = await workspace.newOwner()
  const { events } = await listen(caller)
  const imported = await workspace.change(caller, 'Imported', () =>
    sql(`insert into crm_contacts (first_name) select 'C' from generate_series(1, 101)`),
  )
  const edited = await workspace.change(caller, 'Edited', async () => {
    await sql(`update profiles set full_name = 'Ada'`)
    await sql(`update crm_contacts set phone = '1' where id in (select id from crm_contacts limit 100)`)
  })
  const both = [
    { change: imported, tables: ['crm_contacts'] },
    { change: edited, tables: ['crm_contacts', 'profiles'] },
  ]
  await expect.poll(() => events, patience).toEqual(both)
})

test('a listener receives only changes of its owner, until it unsubscribes', async () => {
  const [ada, grace] = [await workspace.newOwner(), await workspace.newOwner()]
  const [adas, graces] = [await listen(ada), await listen(grace)]
  const changes = [[await rename(ada)], [await rename(grace)]]
  await expect.poll(() => [changesIn(adas.events), changesIn(graces.events)], patience).toEqual(changes)
  adas.stop()
  await rename(ada)
  await rename(grace)
  await expect.poll(() => graces.events, patience).toHaveLength(2)
  expect(adas.events).toHaveLength(1)
})

test('a lost connection to the database loses no change', async () => {
  const caller = await workspace.newOwner()
  const { events } = await listen(caller)
  const changes: string[] = []
  for (let lost = 0; lost < 3; lost++) {
    await workspace.application.query('select 1') // opens the connection for the writes, which is not the one that is terminated
    const breaking = workspace.owner.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where usename = current_user and datname = current_database()',
    )
    await expect(breaking).rejects.toThrow('terminat')
    changes.push(await rename(caller))
  }
  await expect.poll(() => changesIn(events), patience).toEqual(changes)
})

test('a listener that throws does not stop the others', async () => {
  const caller = await workspace.newOwner()
  const { events: others } = await listen(caller)
  const warned = new Promise<Error>((resolve) => process.once('warning', resolve))
  changeFeed.subscribe(caller.owner, () => {
    throw new Error('a broken listener')
  })
  const events: ChangeEvent[] = []
  changeFeed.subscribe(caller.owner, (event) => events.push(event)) // called after the broken one
  const change = await rename(caller)
  await expect.poll(() => [changesIn(others), changesIn(events)], patience).toEqual([[change], [change]])
  expect((await warned).message).toBe('a broken listener')
})

test('the database is not polled while there is no listener', async () => {
  const pool = workspace.owner
  let asked = 0
  pool.on('acquire', () => asked++)
  const caller = await workspace.newOwner()
  const before = asked
  for (let change = 0; change < 20; change++) await rename(caller)
  expect(asked).toBe(before)
  const { stop } = await listen(caller)
  expect(asked).toBeGreaterThan(before)
  stop()
  await changeFeed.stop()
})

const rename = (caller: Caller) => workspace.change(caller, 'Renamed', () => sql('update profiles set full_name = $1', [newId()]))

const changesIn = (events: ChangeEvent[]): string[] => events.map(({ change }) => change)

/** Subscribes and returns once the feed reports changes of this owner; later ones are added to `events`. */
async function listen(caller: Caller): Promise<{ events: ChangeEvent[]; stop: () => void }> {
  const events: ChangeEvent[] = []
  const stop = changeFeed.subscribe(caller.owner, (event) => events.push(event))
  await expect.poll(async () => (await rename(caller)) && events.length, patience).toBeGreaterThan(0)
  const last = await rename(caller) // published after everything before it
  await expect.poll(() => changesIn(events), patience).toContain(last)
  events.length = 0
  return { events, stop }
}

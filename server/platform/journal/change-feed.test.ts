import { beforeEach, expect, test } from 'vitest'
import type { ChangeEvent } from '#contract/events.ts'
import { openWorkspace, type Workspace } from '#server/testing/workspace.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { createChangeFeed, type ChangeFeed } from './change-feed.ts'

/** A busy machine polls late. */
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
        const id = newId()
        const writing = workspace.database.transaction(caller, 'Added', async () => {
          await sql(`insert into crm_contacts (id, first_name) values ($1, 'C')`, [id])
          if (round % 3 === 0) await sql('select pg_sleep($1)', [(number % 5) / 20])
          if ((round + number) % 10 === 0) throw new Error('rolled back')
        })
        await writing.then(() => committed.push(id)).catch(() => {})
      }
    }
    await Promise.all(Array.from({ length: 16 }, (_, number) => writer(number)))
    await expect.poll(() => idsIn(events).length, patience).toBeGreaterThanOrEqual(committed.length)
    expect(idsIn(events).toSorted()).toEqual(committed.toSorted())
    expect(committed.length).toBeLessThan(16 * 15)
  },
)

test('a change set is one event with the ids of its rows by table, and null for a table with more than 100', async () => {
  const caller = await workspace.newOwner()
  const { events } = await listen(caller)
  await workspace.change(caller, 'Imported', () => sql(`insert into crm_contacts (first_name) select 'C' from generate_series(1, 101)`))
  await expect.poll(() => events, patience).toEqual([{ tables: { crm_contacts: null } }])
  await workspace.change(caller, 'Edited', async () => {
    await sql(`update profiles set full_name = 'Ada'`)
    await sql(`update crm_contacts set phone = '1' where id in (select id from crm_contacts limit 100)`)
  })
  await expect.poll(() => events, patience).toHaveLength(2)
  expect(events[1]?.tables['profiles']).toEqual([caller.owner])
  expect(events[1]?.tables['crm_contacts']).toHaveLength(100)
})

test('a listener gets the changes of its owner only, until it unsubscribes', async () => {
  const [ada, grace] = [await workspace.newOwner(), await workspace.newOwner()]
  const [adas, graces] = [await listen(ada), await listen(grace)]
  await rename(ada)
  await rename(grace)
  await expect.poll(() => [adas.events, graces.events], patience).toEqual([[touched(ada)], [touched(grace)]])
  adas.stop()
  await rename(ada)
  await rename(grace)
  await expect.poll(() => graces.events, patience).toHaveLength(2)
  expect(adas.events).toHaveLength(1)
})

test('a lost connection to the database loses no change', async () => {
  const caller = await workspace.newOwner()
  const { events } = await listen(caller)
  for (let lost = 0; lost < 3; lost++) {
    await workspace.application.query('select 1') // a connection to write with, which is not the one that breaks
    const breaking = workspace.owner.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where usename = current_user and datname = current_database()',
    )
    await expect(breaking).rejects.toThrow('terminat')
    await rename(caller)
  }
  await expect.poll(() => events, patience).toEqual([touched(caller), touched(caller), touched(caller)])
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
  await rename(caller)
  await expect.poll(() => [others, events], patience).toEqual([[touched(caller)], [touched(caller)]])
  expect((await warned).message).toBe('a broken listener')
})

test('the database is not polled without a listener', async () => {
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

const touched = ({ owner }: Caller): ChangeEvent => ({ tables: { profiles: [owner] } })

const idsIn = (events: ChangeEvent[]): string[] => events.flatMap(({ tables }) => tables['crm_contacts'] ?? [])

/** Subscribes and returns once the feed reports changes of this owner; later ones are added to `events`. */
async function listen(caller: Caller): Promise<{ events: ChangeEvent[]; stop: () => void }> {
  const events: ChangeEvent[] = []
  const stop = changeFeed.subscribe(caller.owner, (event) => events.push(event))
  await expect.poll(async () => (await rename(caller)) && events.length, patience).toBeGreaterThan(0)
  const last = newId() // published after everything before it
  await workspace.change(caller, 'Added', () => sql(`insert into crm_contacts (id, first_name) values ($1, 'C')`, [last]))
  await expect.poll(() => idsIn(events), patience).toContain(last)
  await workspace.owner.query('delete from crm_contacts where user_id = $1', [caller.owner])
  events.length = 0
  return { events, stop }
}

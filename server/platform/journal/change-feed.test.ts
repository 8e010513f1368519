import { beforeEach, expect, test } from 'vitest'
import type { ChangeEvent } from '#contract/events.ts'
import { openWorkspace, type Workspace } from '#server/testing/workspace.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { createChangeFeed, type ChangeFeed } from './change-feed.ts'

let workspace: Workspace
let changeFeed: ChangeFeed
beforeEach(async () => {
  workspace = await openWorkspace()
  changeFeed = createChangeFeed(workspace.tableOwner)
  return async () => {
    await changeFeed.stop()
    await workspace.stop()
  }
})

test(
  'every committed change is published once, even after a long transaction, and a rolled back change is not published',
  { timeout: 300_000 },
  async () => {
    const caller = await workspace.newOwner()
    const { events } = await listen(caller)
    const committed: string[] = []
    // 16 writers make 15 changes each; some sleep before their commit, and about every tenth change is rolled back
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
    await expect.poll(() => events.length).toBeGreaterThanOrEqual(committed.length)
    expect(changesIn(events).toSorted()).toEqual(committed.toSorted())
    expect(committed.length).toBeLessThan(16 * 15)
  },
)

test('a change set is one event with its id and the tables that it wrote', async () => {
  const caller = await workspace.newOwner()
  const { events } = await listen(caller)
  const importChange = await workspace.change(caller, 'Imported', () =>
    sql(`insert into crm_contacts (first_name) select 'C' from generate_series(1, 3)`),
  )
  const editChange = await workspace.change(caller, 'Edited', async () => {
    await sql(`update profiles set full_name = 'Ada'`)
    await sql(`update crm_contacts set phone = '1'`)
  })
  const expectedEvents = [
    { change: importChange, tables: ['crm_contacts'] },
    { change: editChange, tables: ['crm_contacts', 'profiles'] },
  ]
  await expect.poll(() => events).toEqual(expectedEvents)
})

test('a write of a table without a journal, such as the texts of files, is one event and adds nothing to the history', async () => {
  const caller = await workspace.newOwner()
  const [id, path] = [newId(), newId()]
  await workspace.database.transaction(caller, 'Added', async () => {
    await sql('insert into stored_objects (user_id, id, storage_path, file_size) values ($1, $2, $3, 1)', [caller.owner, id, path])
    await sql('insert into object_texts (user_id, id) values ($1, $2)', [caller.owner, id])
  })
  const { events } = await listen(caller)
  await workspace.database.transaction(caller, 'Read', () =>
    sql(`update object_texts set state = 'ready' where user_id = $1 and id = $2`, [caller.owner, id]),
  )
  await expect.poll(() => events.map(({ tables }) => tables)).toEqual([['object_texts']])
  const { rows } = await workspace.tableOwner.query('select from changesets where user_id = $1 and label = $2', [caller.owner, 'Read'])
  expect(rows).toEqual([])
})

test('a write does not wait for another one that cleans the published writes of its owner', async () => {
  const caller = await workspace.newOwner()
  const [id, path] = [newId(), newId()]
  await workspace.database.transaction(caller, 'Added', async () => {
    await sql('insert into stored_objects (user_id, id, storage_path, file_size) values ($1, $2, $3, 1)', [caller.owner, id, path])
    await sql('insert into object_texts (user_id, id) values ($1, $2)', [caller.owner, id])
  })
  await workspace.tableOwner.query(
    `insert into unjournaled_writes (user_id, id, table_name) values ($1, app.uuid_floor(now() - interval '1 hour'), 'object_texts')`,
    [caller.owner],
  )
  const setState = (state: string) => sql('update object_texts set state = $3 where user_id = $1 and id = $2', [caller.owner, id, state])
  const blocker = await workspace.tableOwner.connect()
  await blocker.query('begin; delete from unjournaled_writes')
  await workspace.database.transaction(caller, 'Read', async () => {
    await sql(`set local lock_timeout = '2s'`)
    await setState('ready')
  })
  await blocker.query('rollback')
  blocker.release()
  await workspace.database.transaction(caller, 'Read', () => setState('waiting'))
  const { rows } = await workspace.tableOwner.query<{ count: string }>(
    `select count(*) as count from unjournaled_writes where id < app.uuid_floor(now() - interval '10 minutes')`,
  )
  expect(Number(rows[0]?.count)).toBe(0)
})

test('a listener receives only changes of its owner, until it unsubscribes', async () => {
  const [ada, grace] = [await workspace.newOwner(), await workspace.newOwner()]
  const adaSubscription = await listen(ada)
  const graceSubscription = await listen(grace)
  const changes = [[await renameProfile(ada)], [await renameProfile(grace)]]
  await expect.poll(() => [changesIn(adaSubscription.events), changesIn(graceSubscription.events)]).toEqual(changes)
  adaSubscription.stop()
  await renameProfile(ada)
  await renameProfile(grace)
  await expect.poll(() => graceSubscription.events).toHaveLength(2)
  expect(adaSubscription.events).toHaveLength(1)
})

test('no change is lost when the connection to the database is lost', async () => {
  const caller = await workspace.newOwner()
  const { events } = await listen(caller)
  const changes: string[] = []
  for (let round = 0; round < 3; round++) {
    // opens a connection of the application for the next write; only connections of the table owner, which the feed uses, are terminated
    await workspace.application.query('select 1')
    const terminating = workspace.tableOwner.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where usename = current_user and datname = current_database()',
    )
    await expect(terminating).rejects.toThrow('terminat')
    changes.push(await renameProfile(caller))
  }
  await expect.poll(() => changesIn(events)).toEqual(changes)
})

test('a listener that throws does not stop the others', async () => {
  const caller = await workspace.newOwner()
  const { events: otherEvents } = await listen(caller)
  const warning = new Promise<Error>((resolve) => process.once('warning', resolve))
  await changeFeed.subscribe(caller.owner, () => {
    throw new Error('a broken listener')
  })
  const events: ChangeEvent[] = []
  await changeFeed.subscribe(caller.owner, (event) => events.push(event)) // called after the listener that throws
  const changeId = await renameProfile(caller)
  await expect.poll(() => [changesIn(otherEvents), changesIn(events)]).toEqual([[changeId], [changeId]])
  expect((await warning).message).toBe('a broken listener')
})

test('the database is not polled while there is no listener', async () => {
  const pool = workspace.tableOwner
  let queries = 0
  pool.on('acquire', () => queries++) // each query of the pool acquires a connection
  const caller = await workspace.newOwner()
  const queriesBefore = queries
  for (let change = 0; change < 20; change++) await renameProfile(caller)
  expect(queries).toBe(queriesBefore)
  const { stop } = await listen(caller)
  expect(queries).toBeGreaterThan(queriesBefore)
  stop()
  await changeFeed.stop()
})

/** Makes a change. Returns the id of its change set. */
const renameProfile = (caller: Caller) => workspace.change(caller, 'Renamed', () => sql('update profiles set full_name = $1', [newId()]))

const changesIn = (events: ChangeEvent[]): string[] => events.map(({ change }) => change)

/** Subscribes to the changes of this owner, which are added to `events`. */
async function listen(caller: Caller): Promise<{ events: ChangeEvent[]; stop: () => void }> {
  const events: ChangeEvent[] = []
  const stop = await changeFeed.subscribe(caller.owner, (event) => events.push(event))
  return { events, stop }
}

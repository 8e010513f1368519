// Savepoints: parts of a transaction that fail separately, on a real server with the journal.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '#server/testing/workspace.ts'
import { Refusal } from '../refusal.ts'
import { savepoint, sql } from './database.ts'
import type { Caller, WriteRequest } from './transaction.ts'
import { newId } from './uuid.ts'

let workspace: Workspace
let ada: Caller
beforeAll(async () => {
  workspace = await openWorkspace()
})
afterAll(() => workspace.stop())
beforeEach(async () => {
  ada = await workspace.newOwner()
})

const ids = [newId(), newId(), newId()] as const
const add = (name: string, id: string = newId()): Promise<unknown> =>
  sql('insert into companies (user_id, id, name) values (app.owner(), $1, $2)', [id, name])
const addRefused = (): Promise<unknown> =>
  sql('insert into companies (user_id, id, name) select app.owner(), $1, $2 from generate_series(1, 2)', [newId(), 'Twice the same id'])
const names = async (): Promise<unknown[]> =>
  (await workspace.database.read(ada, () => sql('select name from companies order by name'))).map(({ name }) => name)
const journal = async (): Promise<unknown[]> => {
  const { rows } = await workspace.owner.query(
    `select c.label, j.after ->> 'name' as name from changesets c left join journal j on j.change = c.id where c.user_id = $1 order by j.step`,
    [ada.owner],
  )
  return rows
}
const uniqueViolation = expect.objectContaining({ code: '23505' })

test('a refused statement, a check and a thrown refusal can be caught, and the transaction continues', async () => {
  await workspace.database.transaction(ada, 'Imported', async () => {
    await add('A before')
    await expect(savepoint(addRefused)).rejects.toEqual(uniqueViolation)
    await expect(savepoint(() => sql('update profiles set id = $1', [newId()]))).rejects.toMatchObject({ code: '23514' })
    const refused = savepoint(async () => {
      await add('B of a refused part')
      throw new Refusal('conflict')
    })
    await expect(refused).rejects.toMatchObject({ code: 'conflict' })
    await savepoint(() => add('C of a part that succeeds'))
    await add('D after')
  })
  const kept = ['A before', 'C of a part that succeeds', 'D after']
  expect(await names()).toEqual(kept)
  expect(await journal()).toEqual(kept.map((name) => ({ label: 'Imported', name })))
})

test('a transaction whose only savepoint was rolled back creates no change set', async () => {
  const request: WriteRequest = {}
  await workspace.database.transaction({ ...ada, request }, 'Imported', async () => {
    await expect(savepoint(() => Promise.all([add('A'), addRefused()]))).rejects.toEqual(uniqueViolation)
  })
  expect([request.change, await journal()]).toEqual([undefined, []])
})

test('an error while several batches are being sent rolls back the whole savepoint', async () => {
  await workspace.database.transaction(ada, 'Imported', async () => {
    const sibling = add('Before, not awaited')
    const late: Promise<unknown>[] = []
    const part = savepoint(async () => {
      const statements = [add('A'), addRefused(), add('B')]
      for (let batch = 0; batch < 3; batch++) {
        await Promise.resolve()
        statements.push(add(`In batch ${batch}`))
      }
      late.push(...statements)
      await Promise.all(statements)
    })
    await expect(part).rejects.toEqual(uniqueViolation)
    for (const ended of await Promise.allSettled(late.slice(3))) expect(ended.status).toBe('rejected')
    await sibling
    await add('After')
  })
  expect(await names()).toEqual(['After', 'Before, not awaited'])
})

test('savepoints can be nested, and only the one that fails is rolled back', async () => {
  await workspace.database.transaction(ada, 'Imported', () =>
    savepoint(async () => {
      await savepoint(() => add('A inner'))
      await expect(savepoint(addRefused)).rejects.toEqual(uniqueViolation)
      const outer = savepoint(async () => {
        await savepoint(() => add('B inner of a failed part'))
        throw new Error('no')
      })
      await expect(outer).rejects.toThrow('no')
      await workspace.database.transaction(ada, 'Joined', () => add('C joined'))
    }),
  )
  expect(await names()).toEqual(['A inner', 'C joined'])
})

test('savepoints and statements that are started together run one after the other', async () => {
  const started = await workspace.database.transaction(ada, 'Imported', () =>
    Promise.allSettled([
      savepoint(() => add('A', ids[0])),
      savepoint(() => add('A again', ids[0])),
      add('B beside them', ids[1]),
      savepoint(async () => {
        await add('C', ids[2])
        await add('C again', ids[2])
      }),
      savepoint(() => add('D')),
    ]),
  )
  expect(started.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'])
  expect(await names()).toEqual(['A', 'B beside them', 'D'])
})

test('a savepoint that catches a failed statement fails too', async () => {
  const caught = workspace.database.transaction(ada, 'Imported', () => savepoint(() => addRefused().catch(() => {})))
  await expect(caught).rejects.toEqual(uniqueViolation)
})

test('after a deadlock in a savepoint the whole transaction is retried, even if the error is caught', async () => {
  let tries = 0
  await workspace.database.transaction(ada, 'Imported', async () => {
    await add('A')
    if (++tries === 3) return
    await savepoint(() => sql(`do $$ begin raise exception 'no' using errcode = '40P01'; end $$`)).catch(() => {})
  })
  expect([tries, await names()]).toEqual([3, ['A']])
})

test('a savepoint outside a transaction, in a read, in a batch or after the end is refused', async () => {
  const { database } = workspace
  const part = (): Promise<unknown> => savepoint(() => sql('select 1'))
  for (const refused of [part(), database.read(ada, part), database.batch(ada, 'Batch', part)])
    await expect(refused).rejects.toThrow('A savepoint needs a transaction')
  let left: Promise<unknown> = Promise.resolve()
  const failing = database.transaction(ada, 'Not awaited', async () => {
    left = savepoint(async () => {
      await add('A')
      await add('B')
    })
    left.catch(() => {})
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  await expect(left).rejects.toThrow('is over')
  expect(await names()).toEqual([])
})

test('an import of three hundred rows skips the hundred that are refused', async () => {
  const count = 300
  let refused = 0
  await workspace.database.transaction(ada, 'Imported', async () => {
    for (let index = 0; index < count; index++) {
      await savepoint(() => (index % 3 === 0 ? addRefused() : add(`Company ${index}`))).catch(() => refused++)
    }
  })
  expect([refused, (await names()).length]).toEqual([count / 3, (count / 3) * 2])
})

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
/** Inserts two rows with the same id in one statement, which fails. */
const addDuplicates = (): Promise<unknown> =>
  sql('insert into companies (user_id, id, name) select app.owner(), $1, $2 from generate_series(1, 2)', [newId(), 'Twice the same id'])
const readNames = async (): Promise<unknown[]> =>
  (await workspace.database.read(ada, () => sql('select name from companies order by name'))).map(({ name }) => name)
/** Returns the label of the change set and the name of the company for each journal line of Ada. */
const readJournal = async (): Promise<unknown[]> => {
  const { rows } = await workspace.tableOwner.query(
    `select c.label, j.after ->> 'name' as name from changesets c left join journal j on j.change = c.id where c.user_id = $1 order by j.step`,
    [ada.owner],
  )
  return rows
}
/** The error of `addDuplicates`. */
const uniqueViolation = expect.objectContaining({ code: '23505' })

test('a transaction continues after it catches the error of a savepoint: a failed statement, a violated check or a refusal', async () => {
  await workspace.database.transaction(ada, 'Imported', async () => {
    await add('A before')
    await expect(savepoint(addDuplicates)).rejects.toEqual(uniqueViolation)
    await expect(savepoint(() => sql('update profiles set id = $1', [newId()]))).rejects.toMatchObject({ code: '23514' }) // a check
    const refusedPart = savepoint(async () => {
      await add('B of a refused part')
      throw new Refusal('conflict')
    })
    await expect(refusedPart).rejects.toMatchObject({ code: 'conflict' })
    await savepoint(() => add('C of a part that succeeds'))
    await add('D after')
  })
  const remainingNames = ['A before', 'C of a part that succeeds', 'D after']
  expect(await readNames()).toEqual(remainingNames)
  expect(await readJournal()).toEqual(remainingNames.map((name) => ({ label: 'Imported', name })))
})

test('a transaction whose only savepoint was rolled back creates no change set', async () => {
  const request: WriteRequest = {}
  await workspace.database.transaction({ ...ada, request }, 'Imported', async () => {
    await expect(savepoint(() => Promise.all([add('A'), addDuplicates()]))).rejects.toEqual(uniqueViolation)
  })
  expect([request.changeId, await readJournal()]).toEqual([undefined, []])
})

test('an error while several batches are being sent rolls back the whole savepoint', async () => {
  await workspace.database.transaction(ada, 'Imported', async () => {
    const earlierStatement = add('Before, not awaited')
    const allStatements: Promise<unknown>[] = []
    const part = savepoint(async () => {
      const statements = [add('A'), addDuplicates(), add('B')]
      for (let batch = 0; batch < 3; batch++) {
        await Promise.resolve()
        statements.push(add(`In batch ${batch}`))
      }
      allStatements.push(...statements)
      await Promise.all(statements)
    })
    await expect(part).rejects.toEqual(uniqueViolation)
    // the first batch has three statements and fails because of the duplicates, so all later statements are rejected
    for (const result of await Promise.allSettled(allStatements.slice(3))) expect(result.status).toBe('rejected')
    await earlierStatement
    await add('After')
  })
  expect(await readNames()).toEqual(['After', 'Before, not awaited'])
})

test('savepoints can be nested, and only the one that fails is rolled back', async () => {
  await workspace.database.transaction(ada, 'Imported', () =>
    savepoint(async () => {
      await savepoint(() => add('A inner'))
      await expect(savepoint(addDuplicates)).rejects.toEqual(uniqueViolation)
      const failingPart = savepoint(async () => {
        await savepoint(() => add('B inner of a failed part'))
        throw new Error('no')
      })
      await expect(failingPart).rejects.toThrow('no')
      await workspace.database.transaction(ada, 'Joined', () => add('C joined'))
    }),
  )
  expect(await readNames()).toEqual(['A inner', 'C joined'])
})

test('savepoints and statements that are started together run one after the other', async () => {
  const results = await workspace.database.transaction(ada, 'Imported', () =>
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
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'])
  expect(await readNames()).toEqual(['A', 'B beside them', 'D'])
})

test('a savepoint fails even if its work catches the error of a statement', async () => {
  const transaction = workspace.database.transaction(ada, 'Imported', () => savepoint(() => addDuplicates().catch(() => {})))
  await expect(transaction).rejects.toEqual(uniqueViolation)
})

test('after a deadlock in a savepoint the whole transaction is retried, even if the error is caught', async () => {
  let attempts = 0
  await workspace.database.transaction(ada, 'Imported', async () => {
    await add('A')
    attempts++
    if (attempts === 3) return
    // 40P01 is the code of a deadlock
    await savepoint(() => sql(`do $$ begin raise exception 'no' using errcode = '40P01'; end $$`)).catch(() => {})
  })
  expect([attempts, await readNames()]).toEqual([3, ['A']])
})

test('a savepoint is refused outside a transaction, in a read, in a batch, and after its transaction has ended', async () => {
  const { database } = workspace
  const part = (): Promise<unknown> => savepoint(() => sql('select 1'))
  for (const refused of [part(), database.read(ada, part), database.batch(ada, 'Batch', part)])
    await expect(refused).rejects.toThrow('A savepoint needs a transaction')
  let notAwaited: Promise<unknown> = Promise.resolve()
  const failingTransaction = database.transaction(ada, 'Not awaited', async () => {
    notAwaited = savepoint(async () => {
      await add('A')
      await add('B')
    })
    notAwaited.catch(() => {})
    throw new Error('no')
  })
  await expect(failingTransaction).rejects.toThrow('no')
  await expect(notAwaited).rejects.toThrow('is over')
  expect(await readNames()).toEqual([])
})

test('an import of 300 rows skips the 100 rows that are refused', async () => {
  const count = 300
  let refusedCount = 0
  await workspace.database.transaction(ada, 'Imported', async () => {
    for (let index = 0; index < count; index++) {
      await savepoint(() => (index % 3 === 0 ? addDuplicates() : add(`Company ${index}`))).catch(() => refusedCount++)
    }
  })
  expect([refusedCount, (await readNames()).length]).toEqual([count / 3, (count / 3) * 2])
})

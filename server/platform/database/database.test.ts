// Transactions on a real server: commits, refusals, and the connection afterwards. Codes of PostgreSQL in this file: 0A000 changed columns,
// 22012 division by zero, 23503 foreign key, 23505 duplicate key, 25006 write in a read, 40001 serialization failure, 40P01 deadlock, 42501
// refused by row security, 42601 syntax error, 57014 cancelled or timed out.
import { AsyncResource } from 'node:async_hooks'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cloneDatabase } from '#server/testing/app.ts'
import { createDatabase, sql, type Database } from './database.ts'
import { openPool } from './pool.ts'
import { callerFor } from './transaction.ts'
import { newId } from './uuid.ts'

let tableOwner: pg.Pool
let pool: pg.Pool
let database: Database
let connections: Awaited<ReturnType<typeof cloneDatabase>>
beforeAll(async () => {
  connections = await cloneDatabase()
  tableOwner = new pg.Pool({ ...connections.tableOwner, max: 2 })
  // the pool has one connection, so that the next statement uses the connection on which a statement failed
  pool = openPool(connections.application, 1, () => {})
  database = createDatabase(pool)
  await tableOwner.query(
    `create table marks (id int primary key, user_id uuid not null, text text, ref int references marks (id) deferrable initially deferred);
     alter table marks enable row level security;
     create policy own on marks using (user_id = app.owner()) with check (user_id = app.owner());
     grant all on marks to foyer_app`,
  )
})
afterAll(async () => {
  await pool.end()
  await tableOwner.end()
})
beforeEach(async () => {
  await tableOwner.query('truncate marks')
})

const ada = callerFor(newId())
const grace = callerFor(newId())
const insert = 'insert into marks (id, user_id, text, ref) values ($1, $2, $3, $4) returning id'
/** Inserts a row of the table `marks`. `ref`: the id of another mark. The foreign key is checked at the commit. */
const addMark = (id: number, caller = ada, ref: number | null = null): Promise<unknown> => sql(insert, [id, caller.owner, 'text', ref])
const countMarks = async (): Promise<number | null> => (await tableOwner.query('select from marks')).rowCount
/** Matches an error with this code of PostgreSQL. */
const withCode = (code: string) => expect.objectContaining({ code })

test('a read that waits for a connection is not started if its client disconnects', async () => {
  const heldConnection = await pool.connect()
  const controller = new AbortController()
  const pendingRead = database.read({ ...ada, readSignal: controller.signal }, () => sql('select pg_sleep(20)'))
  await expect.poll(() => pool.waitingCount).toBe(1)
  controller.abort(new Error('The client left'))
  heldConnection.release()
  await expect(pendingRead).rejects.toThrow('The client left')
  expect(await database.read(ada, () => sql('select 1 as one'))).toEqual([{ one: 1 }])
})

test('all reads of a snapshot see the same state, a snapshot cannot write, and its connection can be used again', async () => {
  const addFromOutside = (id: number): Promise<unknown> =>
    tableOwner.query('insert into marks (id, user_id, text) values ($1, $2, $3)', [id, ada.owner, 'text'])
  const countOwn = async (): Promise<number> => (await sql('select from marks')).length
  await addFromOutside(1)
  await database.snapshot(ada, async () => {
    expect(await countOwn()).toBe(1)
    await addFromOutside(2)
    expect(await countOwn()).toBe(1)
  })
  await expect(database.snapshot(ada, () => addMark(3))).rejects.toThrow('read-only transaction')
  expect(await database.read(ada, countOwn)).toBe(2)
  await database.transaction(ada, 'Added a mark', () => addMark(4))
  expect(await countMarks()).toBe(3)
})

test('the server ends a connection that is idle in a transaction for 60 s, whatever the setting of the database is', async () => {
  const { database: name } = connections.tableOwner
  await tableOwner.query(`alter database ${name} set idle_in_transaction_session_timeout = 0`)
  for (const connection of [connections.application, connections.tableOwner]) {
    const newPool = openPool(connection, 1, () => {})
    const { rows } = await newPool.query('show idle_in_transaction_session_timeout')
    await newPool.end()
    expect(rows).toEqual([{ idle_in_transaction_session_timeout: '1min' }])
  }
})

test('a read is cancelled immediately although it uses the only connection of the pool', async () => {
  const holder = await tableOwner.connect()
  await holder.query('begin; lock table marks')
  const controller = new AbortController()
  const pendingRead = database.read({ ...ada, readSignal: controller.signal }, () => sql('select from marks'))
  await expect
    .poll(async () => (await holder.query(`select from pg_locks where not granted and relation = 'marks'::regclass`)).rowCount)
    .toBe(1)
  const startMs = performance.now()
  controller.abort()
  await expect(pendingRead).rejects.toEqual(withCode('57014'))
  expect(performance.now() - startMs).toBeLessThan(5000) // the timeout of the read is 15 s
  await holder.query('rollback')
  holder.release()
  expect(await database.read(ada, () => sql('select 1 as one'))).toEqual([{ one: 1 }])
})

test('after the type of a column was changed, a prepared statement fails, and a new connection reads the new type', async () => {
  const read = () => database.read(ada, () => sql('select * from sizes'))
  await tableOwner.query('create table sizes (size int); grant select on sizes to foyer_app; insert into sizes values (12)')
  expect(await read()).toEqual([{ size: 12 }])
  expect(await read()).toEqual([{ size: 12 }]) // uses the result columns that the first read has stored
  await tableOwner.query(`alter table sizes alter column size type text using size || ' cm'`)
  await expect(read()).rejects.toEqual(withCode('0A000'))
  await pool.query('select pg_terminate_backend(pg_backend_pid())').catch(() => {}) // ends the only connection of the pool
  await expect.poll(read).toEqual([{ size: '12 cm' }])
  await tableOwner.query('drop table sizes')
})

test('each owner sees only their own rows, and the connection keeps no setting of an owner', async () => {
  await database.batch(ada, 'Marked', () => addMark(1))
  expect(await database.read(ada, () => sql('select id from marks'))).toEqual([{ id: 1 }])
  expect(await database.read(grace, () => sql('select id from marks'))).toEqual([])
  await expect(database.batch(grace, 'Marked', () => addMark(2, ada))).rejects.toEqual(withCode('42501'))
  const { rows } = await pool.query(
    `select current_setting('app.owner', true) as owner, current_setting('transaction_read_only') as read_only`,
  )
  expect(rows).toEqual([{ owner: '', read_only: 'off' }])
})

test('a write in a read and a statement outside a transaction are refused', async () => {
  await expect(database.read(ada, () => addMark(1))).rejects.toEqual(withCode('25006'))
  await expect(sql('select 1')).rejects.toThrow('outside a transaction')
})

test('a transaction commits nothing when its work throws, or catches the error of a failed statement', async () => {
  const throwingTransaction = database.transaction(ada, 'Marked', async () => {
    await addMark(1)
    throw new Error('no')
  })
  await expect(throwingTransaction).rejects.toThrow('no')
  const catchingTransaction = database.transaction(ada, 'Marked', async () => {
    await addMark(1)
    await addMark(1).catch(() => {})
  })
  await expect(catchingTransaction).rejects.toEqual(withCode('23505'))
  expect(await countMarks()).toBe(0)
})

test('a transaction rejects when a deferred constraint fails at the commit', async () => {
  await expect(database.batch(ada, 'Marked', () => addMark(1, ada, 99))).rejects.toEqual(withCode('23503'))
  await expect(database.transaction(ada, 'Marked', () => addMark(1, ada, 99))).rejects.toEqual(withCode('23503'))
  expect(await countMarks()).toBe(0)
})

test('a transaction joins the transaction that is open, and is refused if that one belongs to another owner', async () => {
  await database.transaction(ada, 'Marked', async () => {
    await addMark(1)
    await database.transaction(ada, 'Marked', () => sql(`update marks set text = 'more' where id = 1`))
    await expect(database.transaction(grace, 'Marked', async () => 1)).rejects.toThrow('another owner')
  })
  expect((await tableOwner.query('select text from marks')).rows).toEqual([{ text: 'more' }])
})

test('a transaction uses no connection if it has no statement, and refuses statements after its end', async () => {
  const heldConnection = await pool.connect()
  expect(await database.transaction(ada, 'Nothing', async () => 5)).toBe(5)
  heldConnection.release()
  // `AsyncResource.bind` returns a function that runs as if it were called inside this transaction
  const startLateStatement = await database.transaction(ada, 'Late', async () => AsyncResource.bind(() => sql('select 1')))
  await expect(startLateStatement()).rejects.toThrow('is over')
})

test('the default timeout of a statement is 60 s for a write and 15 s for a read', async () => {
  const timeout = (): Promise<unknown> => sql(`select current_setting('statement_timeout') as timeout`)
  expect(await database.transaction(ada, 'Deleted 1 company', timeout)).toEqual([{ timeout: '1min' }])
  expect(await database.batch(ada, 'Updated company', timeout)).toEqual([{ timeout: '1min' }])
  expect(await database.read(ada, timeout)).toEqual([{ timeout: '15s' }])
  expect(await database.read({ ...ada, timeoutMs: 300 }, timeout)).toEqual([{ timeout: '300ms' }])
  expect(await database.transaction({ ...ada, timeoutMs: 120_000 }, 'Erased for good', timeout)).toEqual([{ timeout: '2min' }])
})

/** Runs two writes, each of which locks a row and then waits for the row of the other. Adds the name of a started write to `attempts`. */
async function runInDeadlock(
  runWrite: (work: () => Promise<unknown>) => Promise<unknown>,
  attempts: string[],
): Promise<PromiseSettledResult<unknown>[]> {
  await tableOwner.query(`insert into marks (id, user_id) values (1, $1), (2, $1)`, [ada.owner])
  const firstHasRow = Promise.withResolvers<undefined>()
  const secondHasRow = Promise.withResolvers<undefined>()
  const appendText = (id: number): Promise<unknown> => sql(`update marks set text = coalesce(text, '') || 'x' where id = $1`, [id])
  const firstWrite = runWrite(async () => {
    attempts.push('first')
    await appendText(1)
    firstHasRow.resolve(undefined)
    await secondHasRow.promise
    await appendText(2)
  })
  const secondWrite = runWrite(async () => {
    attempts.push('second')
    await appendText(2)
    secondHasRow.resolve(undefined)
    await firstHasRow.promise
    await appendText(1)
  })
  return Promise.allSettled([firstWrite, secondWrite])
}

test('two writes in a deadlock both succeed, because the aborted write is retried from its beginning', async () => {
  const largerPool = openPool(connections.application, 4, () => {})
  const parallelDatabase = createDatabase(largerPool)
  const attempts: string[] = []
  const results = await runInDeadlock((work) => parallelDatabase.transaction(ada, 'Marked', work), attempts)
  await largerPool.end()
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  expect(attempts.length).toBeGreaterThan(2) // the retried write may run into a deadlock again
  const { rows } = await tableOwner.query('select text from marks order by id')
  expect(rows).toEqual([{ text: 'xx' }, { text: 'xx' }])
})

test('a write in a deadlock runs at most four times, and is not retried after other errors', async () => {
  const attempts: string[] = []
  const failWith = (code: string) =>
    database.transaction(ada, 'Marked', async () => {
      attempts.push(code)
      await sql(`do $$ begin raise exception 'no' using errcode = '${code}'; end $$`)
    })
  for (const code of ['40P01', '40001', '23505']) await expect(failWith(code)).rejects.toEqual(withCode(code))
  expect(attempts).toEqual(['40P01', '40P01', '40P01', '40P01', '40001', '40001', '40001', '40001', '23505'])
})

test('a deadlock in an inner transaction repeats the outer one from its beginning', async () => {
  let outerRuns = 0
  let innerRuns = 0
  const failingTransaction = database.transaction(ada, 'Marked', async () => {
    outerRuns++
    await database.transaction(ada, 'Marked', async () => {
      innerRuns++
      await sql(`do $$ begin raise exception 'no' using errcode = '40P01'; end $$`)
    })
  })
  await expect(failingTransaction).rejects.toEqual(withCode('40P01'))
  expect({ outerRuns, innerRuns }).toEqual({ outerRuns: 4, innerRuns: 4 })
})

test('a connection is usable after a failed batch with new statements', async () => {
  const failingTransaction = database.transaction(ada, 'x', () =>
    Promise.all([sql('select 1 / (random() * 0)::int as broken'), sql('select 2 as two')]),
  )
  await expect(failingTransaction).rejects.toEqual(withCode('22012'))
  expect(await database.transaction(ada, 'x', () => Promise.all([sql('select 2 as two'), sql('select 3 as three')]))).toEqual([
    [{ two: 2 }],
    [{ three: 3 }],
  ])
  for (let time = 0; time < 2; time++) await expect(database.read(ada, () => sql('selec nonsense'))).rejects.toEqual(withCode('42601'))
})

test('a connection is usable after a value that cannot be serialized, which rolls back its batch', async () => {
  // `pg` calls `toPostgres` to convert a value
  const unserializable = {
    toPostgres: () => {
      throw new Error('bad value')
    },
  }
  const failingTransaction = database.transaction(ada, 'x', () => Promise.all([addMark(1), sql('select $1::text', [unserializable])]))
  await expect(failingTransaction).rejects.toThrow('bad value')
  await expect(database.batch(ada, 'x', () => sql(insert, [1, ada.owner, unserializable, null]))).rejects.toThrow('bad value')
  expect(await countMarks()).toBe(0)
})

test('a connection is usable after a statement that exceeded its timeout', async () => {
  await expect(database.read({ ...ada, timeoutMs: 100 }, () => sql('select pg_sleep(20)'))).rejects.toEqual(withCode('57014'))
  expect(await database.read(ada, () => sql('select 1 as one'))).toEqual([{ one: 1 }])
})

test('a connection is replaced after its server process was terminated during a transaction', async () => {
  const brokenTransaction = database.transaction(ada, 'x', async () => {
    await addMark(1)
    const [{ pid } = {}] = await sql('select pg_backend_pid() as pid')
    const superuser = new pg.Client({ ...pool.options, user: 'postgres' })
    await superuser.connect()
    await superuser.query('select pg_terminate_backend($1, 5000)', [pid])
    await superuser.end()
    await addMark(2)
  })
  await expect(brokenTransaction).rejects.toThrow(/terminat|queryable|closed/i)
  expect(await database.read(ada, () => sql('select id from marks'))).toEqual([])
})

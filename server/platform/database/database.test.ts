// Transactions on a real server: what is committed, what is refused, and the state of the connection afterwards.
import { AsyncResource } from 'node:async_hooks'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
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
  tableOwner = new pg.Pool({ ...connections.owner, max: 2 })
  // one connection, so that the next statement uses the connection on which one failed
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
const mark = (id: number, caller = ada, ref: number | null = null): Promise<unknown> => sql(insert, [id, caller.owner, 'text', ref])
const marks = async (): Promise<number | null> => (await tableOwner.query('select from marks')).rowCount
const withCode = (code: string) => expect.objectContaining({ code })

test('a read whose client disconnects while it waits for a connection is not started', async () => {
  const held = await pool.connect()
  const leaving = new AbortController()
  const reading = database.read({ ...ada, readSignal: leaving.signal }, () => sql('select pg_sleep(20)'))
  await expect.poll(() => pool.waitingCount).toBe(1)
  leaving.abort(new Error('The client left'))
  held.release()
  await expect(reading).rejects.toThrow('The client left')
  expect(await database.read(ada, () => sql('select 1 as one'))).toEqual([{ one: 1 }])
})

test('a statement is described once per connection, and a column with a changed type is never read as its old type', async () => {
  const read = () => database.read(ada, () => sql('select * from sizes'))
  await tableOwner.query('create table sizes (size int); grant select on sizes to foyer_app; insert into sizes values (12)')
  expect(await read()).toEqual([{ size: 12 }])
  expect(await read()).toEqual([{ size: 12 }])
  await tableOwner.query(`alter table sizes alter column size type text using size || ' cm'`)
  await expect(read()).rejects.toEqual(withCode('0A000'))
  await pool.query('select pg_terminate_backend(pg_backend_pid())').catch(() => {})
  await expect.poll(read).toEqual([{ size: '12 cm' }])
  await tableOwner.query('drop table sizes')
})

test('each owner sees their own rows, and the connection keeps no setting of an owner', async () => {
  await database.batch(ada, 'Marked', () => mark(1))
  expect(await database.read(ada, () => sql('select id from marks'))).toEqual([{ id: 1 }])
  expect(await database.read(grace, () => sql('select id from marks'))).toEqual([])
  await expect(database.batch(grace, 'Marked', () => mark(2, ada))).rejects.toEqual(withCode('42501'))
  const { rows } = await pool.query(
    `select current_setting('app.owner', true) as owner, current_setting('transaction_read_only') as locked`,
  )
  expect(rows).toEqual([{ owner: '', locked: 'off' }])
})

test('a write in a read and a statement outside a transaction are refused', async () => {
  await expect(database.read(ada, () => mark(1))).rejects.toEqual(withCode('25006'))
  await expect(sql('select 1')).rejects.toThrow('outside a transaction')
})

describe('a transaction', () => {
  test('commits nothing when its work throws or catches a failed statement', async () => {
    const thrown = database.transaction(ada, 'Marked', async () => {
      await mark(1)
      throw new Error('no')
    })
    await expect(thrown).rejects.toThrow('no')
    const swallowed = database.transaction(ada, 'Marked', async () => {
      await mark(1)
      await mark(1).catch(() => {})
    })
    await expect(swallowed).rejects.toEqual(withCode('23505'))
    expect(await marks()).toBe(0)
  })

  test('rejects when a deferred constraint fails at the commit', async () => {
    await expect(database.batch(ada, 'Marked', () => mark(1, ada, 99))).rejects.toEqual(withCode('23503'))
    await expect(database.transaction(ada, 'Marked', () => mark(1, ada, 99))).rejects.toEqual(withCode('23503'))
    expect(await marks()).toBe(0)
  })

  test('joins the transaction that is open, unless it belongs to another owner', async () => {
    await database.transaction(ada, 'Marked', async () => {
      await mark(1)
      await database.transaction(ada, 'Marked', () => sql(`update marks set text = 'more' where id = 1`))
      await expect(database.transaction(grace, 'Marked', async () => 1)).rejects.toThrow('another owner')
    })
    expect((await tableOwner.query('select text from marks')).rows).toEqual([{ text: 'more' }])
  })

  test('takes no connection without a statement, and refuses statements after its end', async () => {
    const held = await pool.connect()
    expect(await database.transaction(ada, 'Nothing', async () => 5)).toBe(5)
    held.release()
    const late = await database.transaction(ada, 'Late', async () => AsyncResource.bind(() => sql('select 1')))
    await expect(late()).rejects.toThrow('is over')
  })

  test('a batch sends the statements that are started together and refuses later ones', async () => {
    await database.batch(ada, 'Marked', () => Promise.all([mark(1), mark(2)]))
    const later = database.batch(ada, 'Marked', async () => {
      await mark(3)
      await mark(4)
    })
    await expect(later).rejects.toThrow('need a transaction')
    expect(await marks()).toBe(3) // the first batch is committed already, so a second one is refused
  })
})

test('the default timeout of a statement is 60 s for a write and 15 s for a read', async () => {
  const timeout = (): Promise<unknown> => sql(`select current_setting('statement_timeout') as timeout`)
  expect(await database.transaction(ada, 'Deleted 1 company', timeout)).toEqual([{ timeout: '1min' }])
  expect(await database.batch(ada, 'Updated company', timeout)).toEqual([{ timeout: '1min' }])
  expect(await database.read(ada, timeout)).toEqual([{ timeout: '15s' }])
  expect(await database.read({ ...ada, timeoutMs: 300 }, timeout)).toEqual([{ timeout: '300ms' }])
  expect(await database.transaction({ ...ada, timeoutMs: 120_000 }, 'Erased for good', timeout)).toEqual([{ timeout: '2min' }])
})

describe('two writes in a deadlock', () => {
  /** Each transaction locks a row and then waits for the row of the other. */
  async function crossing(
    verb: (work: () => Promise<unknown>) => Promise<unknown>,
    tries: string[],
  ): Promise<PromiseSettledResult<unknown>[]> {
    await tableOwner.query(`insert into marks (id, user_id) values (1, $1), (2, $1)`, [ada.owner])
    const both = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()] as const
    const touch = (id: number): Promise<unknown> => sql(`update marks set text = coalesce(text, '') || 'x' where id = $1`, [id])
    const [first, second] = both
    const one = verb(async () => {
      tries.push('one')
      await touch(1)
      first.resolve(undefined)
      await second.promise
      await touch(2)
    })
    const other = verb(async () => {
      tries.push('other')
      await touch(2)
      second.resolve(undefined)
      await first.promise
      await touch(1)
    })
    return Promise.allSettled([one, other])
  }

  test('both succeed, because the aborted one is retried from its beginning', async () => {
    const two = openPool(connections.application, 4, () => {})
    const parallel = createDatabase(two)
    const tries: string[] = []
    const ended = await crossing((work) => parallel.transaction(ada, 'Marked', work), tries)
    await two.end()
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    expect(tries.length).toBeGreaterThan(2) // they may deadlock again
    const { rows } = await tableOwner.query('select text from marks order by id')
    expect(rows).toEqual([{ text: 'xx' }, { text: 'xx' }])
  })

  test('a write runs at most four times, and is not retried after other errors', async () => {
    const tries: string[] = []
    const failing = (code: string) =>
      database.transaction(ada, 'Marked', async () => {
        tries.push(code)
        await sql(`do $$ begin raise exception 'no' using errcode = '${code}'; end $$`)
      })
    for (const code of ['40P01', '40001', '23505']) await expect(failing(code)).rejects.toEqual(withCode(code))
    expect(tries).toEqual(['40P01', '40P01', '40P01', '40P01', '40001', '40001', '40001', '40001', '23505'])
  })

  test('an inner write is not retried by itself', async () => {
    let [outer, inner] = [0, 0]
    const failing = database.transaction(ada, 'Marked', async () => {
      outer++
      await database.transaction(ada, 'Marked', async () => {
        inner++
        await sql(`do $$ begin raise exception 'no' using errcode = '40P01'; end $$`)
      })
    })
    await expect(failing).rejects.toEqual(withCode('40P01'))
    expect({ outer, inner }).toEqual({ outer: 4, inner: 4 })
  })
})

describe('the connection is usable after', () => {
  test('a failed batch with new statements', async () => {
    const failing = database.transaction(ada, 'x', () =>
      Promise.all([sql('select 1 / (random() * 0)::int as broken'), sql('select 2 as two')]),
    )
    await expect(failing).rejects.toEqual(withCode('22012'))
    expect(await database.transaction(ada, 'x', () => Promise.all([sql('select 2 as two'), sql('select 3 as three')]))).toEqual([
      [{ two: 2 }],
      [{ three: 3 }],
    ])
    for (let time = 0; time < 2; time++) await expect(database.read(ada, () => sql('selec nonsense'))).rejects.toEqual(withCode('42601'))
  })

  test('a value that cannot be written, which rolls back its batch', async () => {
    const unwritable = {
      toPostgres: () => {
        throw new Error('bad value')
      },
    }
    const failing = database.transaction(ada, 'x', () => Promise.all([mark(1), sql('select $1::text', [unwritable])]))
    await expect(failing).rejects.toThrow('bad value')
    await expect(database.batch(ada, 'x', () => sql(insert, [1, ada.owner, unwritable, null]))).rejects.toThrow('bad value')
    expect(await marks()).toBe(0)
  })

  test('a statement that took too long', async () => {
    await expect(database.read({ ...ada, timeoutMs: 100 }, () => sql('select pg_sleep(20)'))).rejects.toEqual(withCode('57014'))
    expect(await database.read(ada, () => sql('select 1 as one'))).toEqual([{ one: 1 }])
  })

  test('its backend was terminated during a transaction', async () => {
    const broken = database.transaction(ada, 'x', async () => {
      await mark(1)
      const [{ pid } = {}] = await sql('select pg_backend_pid() as pid')
      const superuser = new pg.Client({ ...pool.options, user: 'postgres' })
      await superuser.connect()
      await superuser.query('select pg_terminate_backend($1, 5000)', [pid])
      await superuser.end()
      await mark(2)
    })
    await expect(broken).rejects.toThrow(/terminat|queryable|closed/i)
    expect(await database.read(ada, () => sql('select id from marks'))).toEqual([])
  })
})

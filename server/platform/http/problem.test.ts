import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'

let app: TestApp
let ada: Person
/** A connection of a superuser, who may end the connections of the application. */
let admin: pg.Client
beforeAll(async () => {
  app = await openTestApp()
  ada = await signInAs(app, 'ada')
  admin = new pg.Client({ host: inject('postgres').host, user: 'postgres', database: 'postgres' })
  await admin.connect()
})
afterAll(async () => {
  await admin.end()
  await app.stop()
})

test('a write that loses its database connection gets status 503 if the client can safely send it again, and otherwise 500', async () => {
  // 20 writers add contacts, half of them with an Idempotency-Key, while the connections to the database are closed 60 times
  const results: { name: string; hasKey: boolean; status: number }[] = []
  let isClosing = true
  const write = async (writer: number): Promise<void> => {
    for (let count = 0; isClosing; count++) {
      const name = `${writer}-${count}`
      const hasKey = writer % 2 === 0
      const payload = { first_name: 'Ada', last_name: name }
      const headers = hasKey ? { 'idempotency-key': name } : {}
      const { statusCode } = await ada.send({ method: 'POST', url: '/api/contacts', payload, headers })
      results.push({ name, hasKey, status: statusCode })
    }
  }
  const closeRepeatedly = async (): Promise<void> => {
    for (let count = 0; count < 60; count++) await closeConnections()
    isClosing = false
  }
  await Promise.all([closeRepeatedly(), ...Array.from({ length: 20 }, (_, writer) => write(writer))])
  const statuses = new Set(results.map(({ status }) => status))
  expect([...statuses].filter((status) => ![201, 500, 503].includes(status))).toEqual([]) // 500 is rare: lost-commit.test.ts tests it
  expect([statuses.has(201), statuses.has(503)]).toEqual([true, true])
  const { rows } = await app.tableOwner.query<{ last_name: string }>('select last_name from crm_contacts where user_id = $1', [ada.id])
  const storedNames = new Set(rows.map(({ last_name }) => last_name))
  // a write with status 201 is stored; a write with a key never gets 500; a write without a key that gets 503 is not stored
  expect(results.filter(({ name, status }) => status === 201 && !storedNames.has(name))).toEqual([])
  expect(results.filter(({ hasKey, status }) => hasKey && status === 500)).toEqual([])
  expect(results.filter(({ name, hasKey, status }) => !hasKey && status === 503 && storedNames.has(name))).toEqual([])
})

test('a write that PostgreSQL cancels because of a deadlock is retried', async () => {
  const addContact = async (): Promise<string> => {
    const payload = { first_name: 'Ada', last_name: 'Lovelace' }
    return (await ada.send({ method: 'POST', url: '/api/contacts', payload })).json().id
  }
  const [firstId, secondId] = [await addContact(), await addContact()]
  const rivalClient = new pg.Client({ ...app.connections.tableOwner, user: 'postgres' })
  await rivalClient.connect()
  // PostgreSQL cancels the transaction that detects the deadlock first; with this timeout it is the transaction of the app
  await rivalClient.query(`set deadlock_timeout = '1min'; begin`)
  await rivalClient.query('select from crm_contacts where id = $1 for update', [firstId])
  const edit = Promise.resolve(ada.send({ method: 'PATCH', url: `/api/contacts/${secondId}`, payload: { reports_to_id: firstId } }))
  const waitingLocks = `select from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.datname = current_database()`
  await expect.poll(async () => (await app.tableOwner.query(waitingLocks)).rowCount).toBe(1)
  await rivalClient.query(`update crm_contacts set title = 'Countess' where id = $1`, [secondId])
  await rivalClient.query('commit')
  expect((await edit).json()).toMatchObject({ reports_to_id: firstId, title: 'Countess' })
  await rivalClient.end()
})

test('a write that PostgreSQL cancels at every attempt because of a serialization failure (40001) gets status 503', async () => {
  await app.tableOwner.query(
    `create function refuse_write() returns trigger language plpgsql as $$ begin raise exception 'no' using errcode = '40001'; end $$;
     create trigger refuse_write before insert on deals execute function refuse_write()`,
  )
  const response = await ada.send({ method: 'POST', url: '/api/deals', payload: { title: 'Engine' } })
  expect(response.json()).toMatchObject({ status: 503, code: 'not_ready' })
})

/** Ends all connections of the application. */
async function closeConnections(): Promise<void> {
  await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'foyer_app' and datname = $1`, [
    app.connections.application.database,
  ])
}

test('a write whose account is deleted before it is stored gets status 401', async () => {
  const grace = await signInAs(app, 'grace')
  const connection = await app.tableOwner.connect()
  try {
    await connection.query('begin')
    await connection.query('delete from users where id = $1', [grace.id])
    const write = grace
      .send({ method: 'POST', url: '/api/uploads', payload: { file_name: 'late.txt', file_size: 1 } })
      .then(({ statusCode }) => statusCode)
    const selectWaiting = `select from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'`
    await expect.poll(async () => (await admin.query(selectWaiting, [app.connections.tableOwner.database])).rowCount).toBe(1)
    await connection.query('commit')
    expect(await write).toBe(401)
  } finally {
    connection.release()
  }
})

test('only the foreign key to the owner leads to status 401, not another one whose name also ends with _user_id_fkey', async () => {
  await app.tableOwner.query(
    `create table reviews (user_id uuid, reviewer_user_id uuid references users);
     create function add_review() returns trigger language plpgsql security definer as
       $$ begin insert into public.reviews values (new.user_id, gen_random_uuid()); return new; end $$;
     create trigger add_review before insert on tasks for each row execute function add_review()`,
  )
  const { rows } = await app.tableOwner.query<{ name: string }>(
    `select conname as name from pg_constraint where conrelid = 'reviews'::regclass`,
  )
  expect(rows).toEqual([{ name: 'reviews_reviewer_user_id_fkey' }])
  const response = await ada.send({ method: 'POST', url: '/api/tasks', payload: { title: 'Call' } })
  expect(response.json()).toMatchObject({ status: 500, code: 'internal' })
})

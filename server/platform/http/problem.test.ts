import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'

let app: TestApp
let ada: Person
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

test('a request that loses its database connection gets status 503', async () => {
  const statuses = new Set<number>()
  const contact = { method: 'POST', url: '/api/contacts', payload: { first_name: 'Ada', last_name: 'Lovelace' } } as const
  let cutsLeft = 60
  const write = async (): Promise<void> => {
    while (cutsLeft > 0) statuses.add((await ada.send(contact)).statusCode)
  }
  const cut = async (): Promise<void> => {
    for (; cutsLeft > 0; cutsLeft--) await endConnections()
  }
  await Promise.all([cut(), ...Array.from({ length: 20 }, write)])
  expect([...statuses].toSorted((a, b) => a - b)).toEqual([201, 503])
})

test('a write that PostgreSQL cancels because of a deadlock is retried', async () => {
  const addContact = async (): Promise<string> => {
    const payload = { first_name: 'Ada', last_name: 'Lovelace' }
    return (await ada.send({ method: 'POST', url: '/api/contacts', payload })).json().id
  }
  const [one, other] = [await addContact(), await addContact()]
  const rivalClient = new pg.Client({ ...app.connections.owner, user: 'postgres' })
  await rivalClient.connect()
  await rivalClient.query(`set deadlock_timeout = '1min'; begin`) // PostgreSQL cancels the transaction that detects the deadlock, which must be the one of the app
  await rivalClient.query('select from crm_contacts where id = $1 for update', [one])
  const edit = Promise.resolve(ada.send({ method: 'PATCH', url: `/api/contacts/${other}`, payload: { reports_to_id: one } }))
  const waitingLocks = `select from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.datname = current_database()`
  await expect.poll(async () => (await app.owner.query(waitingLocks)).rowCount).toBe(1)
  const write = rivalClient.query(`update crm_contacts set title = 'Countess' where id = $1`, [other])
  await write
  await rivalClient.query('commit')
  expect((await edit).json()).toMatchObject({ reports_to_id: one, title: 'Countess' })
  await rivalClient.end()
})

test('a write that PostgreSQL cancels at every attempt gets status 503', async () => {
  await app.owner.query(
    `create function refuse_write() returns trigger language plpgsql as $$ begin raise exception 'no' using errcode = '40001'; end $$;
     create trigger refuse_write before insert on deals execute function refuse_write()`,
  )
  const response = await ada.send({ method: 'POST', url: '/api/deals', payload: { title: 'Engine' } })
  expect(response.json()).toMatchObject({ status: 503, code: 'not_ready' })
})

async function endConnections(): Promise<void> {
  await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'foyer_app' and datname = $1`, [
    app.connections.application.database,
  ])
}

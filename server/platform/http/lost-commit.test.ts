// When the connection to the database is lost during COMMIT, the server cannot know whether the write is stored.
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'

let app: TestApp
let ada: Person
/** A connection of a superuser, who may end the connections of the application. */
let admin: pg.Client
beforeAll(async () => {
  app = await openTestApp()
  admin = new pg.Client({ ...app.connections.tableOwner, user: 'postgres' })
  await admin.connect()
  // a deferred trigger runs during COMMIT, and an advisory lock of the test makes it wait there
  await app.tableOwner.query(
    `create function wait_for_test() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock_shared(1); return null; end $$;
     create constraint trigger wait_in_commit after insert on deals deferrable initially deferred for each row execute function wait_for_test();
     create constraint trigger wait_in_commit after update of email on users deferrable initially deferred for each row execute function wait_for_test();
     create trigger wait_in_update after update of password_hash on users for each row execute function wait_for_test()`,
  )
})
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
})
afterAll(async () => {
  await admin.end()
  await app.stop()
})

/**
 * Sends a write and ends its database connection while one of the triggers waits. Returns the status and the error code of the response.
 */
async function sendAndLoseConnection(url: string, payload: Record<string, string>, headers = {}) {
  await admin.query('select pg_advisory_lock(1)')
  const response = Promise.resolve(ada.send({ method: 'POST', url, payload, headers }))
  const endWaiting = `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`
  await expect.poll(async () => (await admin.query(endWaiting)).rowCount).toBe(1)
  const { statusCode, body } = await response
  await admin.query('select pg_advisory_unlock(1)')
  return { status: statusCode, code: JSON.parse(body).code }
}

test.each([
  ['a journaled write', '/api/deals', { title: 'Engine' }],
  ['a write without undo', '/api/account/email', { email: 'moved@example.org', password: 'engine no. 1' }],
])('the response to %s that loses its connection during COMMIT says that the outcome is unknown', async (_name, url, payload) => {
  expect(await sendAndLoseConnection(url, payload)).toEqual({ status: 500, code: 'outcome_unknown' })
})

test('the response to a write that loses its connection before COMMIT says that the client can safely send it again', async () => {
  const passwords = { current_password: 'engine no. 1', new_password: 'engine no. 2' }
  expect(await sendAndLoseConnection('/api/account/password', passwords)).toEqual({ status: 503, code: 'not_ready' })
})

test('with an Idempotency-Key the response to a connection lost during COMMIT says that the client can safely send the write again', async () => {
  const headers = { 'idempotency-key': 'k1' }
  expect(await sendAndLoseConnection('/api/deals', { title: 'Engine' }, headers)).toEqual({ status: 503, code: 'not_ready' })
  const repeated = await ada.send({ method: 'POST', url: '/api/deals', payload: { title: 'Engine' }, headers })
  expect(repeated.statusCode, repeated.body).toBe(201)
})

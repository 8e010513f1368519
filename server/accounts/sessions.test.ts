// The cache of sessions of a process.
import pg from 'pg'
import { expect, test } from 'vitest'
import { hashToken } from '#server/platform/security/token.ts'
import { openTestApp } from '#server/testing/app.ts'
import { signInAs } from '#server/testing/people.ts'

test('a session that ends while a request reads it cannot be used afterwards', async () => {
  const app = await openTestApp()
  const ada = await signInAs(app, 'ada')
  const credentials = { email: ada.email, password: 'engine no. 1' }
  const { token } = (await app.server.inject({ method: 'POST', url: '/api/session', payload: credentials })).json()
  const headers = { authorization: `Bearer ${token}` }
  const superuser = new pg.Client({ ...app.connections.tableOwner, user: 'postgres' })
  await superuser.connect()
  // the request reads the session, and then waits for the end of this transaction to store the time of the last use
  await superuser.query(`update sessions set last_seen_at = now() - interval '2 hours' where token_hash = $1`, [hashToken(token)])
  await superuser.query('begin')
  await superuser.query('delete from sessions where token_hash = $1', [hashToken(token)])
  const request = app.server.inject({ url: '/api/session', headers })
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => (await superuser.query(waiting)).rowCount).toBe(1)
  expect((await ada.send({ method: 'DELETE', url: '/api/session' })).statusCode).toBe(204)
  await superuser.query('commit')
  await superuser.end()
  await request
  expect((await app.server.inject({ url: '/api/session', headers })).statusCode).toBe(401)
  await app.stop()
})

import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { newId } from '#server/platform/database/uuid.ts'
import { newToken } from '#server/platform/security/token.ts'
import type { Scope } from '#contract/actors.ts'
import type { TestApp } from './app.ts'

/** The hash of `engine no. 1`, the password in the contract's examples, with the lowest cost, so that signing in is fast. */
const examplePasswordHash = 'scrypt$1$8$1$YWRhLWFuZC1ncmFjZSEhIQ$8POareIbVphMG0ix69JUVFK7HABpSazX4rYXHQs9TcM'

export type Person = {
  id: string
  email: string
  session: string
  token: string
  /** Sends a request as this user. */
  send: (options: InjectOptions & { url: string }) => Promise<LightMyRequestResponse>
}

/** Adds a new user with an empty workspace, and signs them in. Each call adds another user, also with the same name. */
export async function signInAs(app: TestApp, name: 'ada' | 'grace' | 'edsger', country = 'GB'): Promise<Person> {
  const id = newId()
  const email = `${name}-${id}@example.org`
  const { token, hash } = newToken()
  await app.tableOwner.query('insert into users (id, email, password_hash) values ($1, $2, $3)', [id, email, examplePasswordHash])
  await app.tableOwner.query(
    `insert into profiles (user_id, id, full_name, timezone, country, currency) values ($1, $1, $2, 'Europe/London', $3, 'GBP')`,
    [id, name, country],
  )
  const { rows } = await app.tableOwner.query<{ id: string }>(
    `insert into sessions (user_id, token_hash, created_at, last_seen_at, expires_at) values ($1, $2, now(), now(), now() + interval '1 day')
     returning id`,
    [id, hash],
  )
  const session = rows[0]?.id ?? ''
  return {
    id,
    email,
    session,
    token,
    send: (options) => app.server.inject({ ...options, headers: { authorization: `Bearer ${token}`, ...options.headers } }),
  }
}

/** Creates an API key of the user. Returns it, its id, and a function that sends requests with it. */
export async function createApiKey(
  app: TestApp,
  person: Person,
  ...scopes: Scope[]
): Promise<Pick<Person, 'send'> & { id: string; key: string }> {
  const response = await person.send({ method: 'POST', url: '/api/api-keys', payload: { name: scopes.join(' and '), scopes } })
  const { id, key }: { id: string; key: string } = response.json()
  return { id, key, send: (options) => app.server.inject({ ...options, headers: { 'x-api-key': key, ...options.headers } }) }
}

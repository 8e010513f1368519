import type { LightMyRequestResponse } from 'fastify'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

type AddedContact = { id: string; url: string; change: string }

async function addContact(person: Person): Promise<AddedContact> {
  const response = await person.send({ method: 'POST', url: '/api/contacts', payload: { first_name: 'Ada', last_name: 'Byron' } })
  const { id } = response.json()
  return { id, url: `/api/contacts/${id}`, change: String(response.headers['foyer-change']) }
}

/** Locks a contact, as a write that hangs does, until the returned function is called. */
async function lock({ id }: AddedContact): Promise<() => Promise<void>> {
  const client: pg.PoolClient = await app.tableOwner.connect()
  await client.query('begin')
  await client.query('select from crm_contacts where id = $1 for update', [id])
  return async () => {
    await client.query('rollback')
    client.release()
  }
}

const undo = (person: Person, { change }: AddedContact): Promise<LightMyRequestResponse> =>
  person.send({ method: 'POST', url: `/api/changes/${change}/undo`, headers: { 'idempotency-key': `undo-${change}` } })

test('an undo that waits five seconds for a locked row, or for other writes of its owner, is refused and can be repeated', async () => {
  const [ada, grace] = [await signInAs(app, 'ada'), await signInAs(app, 'grace')]
  const [adasLockedContact, gracesLockedContact, gracesOtherContact] = [
    await addContact(ada),
    await addContact(grace),
    await addContact(grace),
  ]
  const unlocks = [await lock(adasLockedContact), await lock(gracesLockedContact)]
  // an owner may run six writes at the same time; six edits of grace wait for her locked contact, so her undo waits for its turn
  const edits = Array.from({ length: 6 }, () =>
    grace.send({ method: 'PATCH', url: gracesLockedContact.url, payload: { title: 'Countess' } }),
  )
  const responses = await Promise.all([undo(ada, adasLockedContact), undo(grace, gracesOtherContact)])
  for (const response of responses) {
    expect(response.json()).toMatchObject({ status: 503, code: 'busy', detail: expect.stringContaining('Nothing was changed') })
    expect(response.headers['retry-after']).toBe('5')
  }
  for (const unlock of unlocks) await unlock()
  await Promise.all(edits)
  const repeats = await Promise.all([undo(ada, adasLockedContact), undo(grace, gracesOtherContact)])
  expect(repeats.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  expect((await ada.send({ url: adasLockedContact.url })).statusCode).toBe(404)
})

import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openTestHouse, type TestHouse } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/cast.ts'

let house: TestHouse
let ada: Person
let admin: pg.Client
beforeAll(async () => {
  house = await openTestHouse()
  ada = await signInAs(house, 'ada')
  admin = new pg.Client({ host: inject('postgres').host, user: 'postgres', database: 'postgres' })
  await admin.connect()
})
afterAll(async () => {
  await admin.end()
  await house.stop()
})

test('whoever loses the database in the middle of a request is asked to try again', async () => {
  const statuses = new Set<number>()
  const contact = { method: 'POST', url: '/api/contacts', payload: { first_name: 'Ada', last_name: 'Lovelace' } } as const
  let cutsLeft = 60
  const write = async (): Promise<void> => {
    while (cutsLeft > 0) statuses.add((await ada.ask(contact)).statusCode)
  }
  const cut = async (): Promise<void> => {
    for (; cutsLeft > 0; cutsLeft--) await endConnections()
  }
  await Promise.all([cut(), ...Array.from({ length: 20 }, write)])
  expect([...statuses].toSorted((a, b) => a - b)).toEqual([201, 503])
})

async function endConnections(): Promise<void> {
  await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'foyer_app' and datname = $1`, [
    house.connections.application.database,
  ])
}

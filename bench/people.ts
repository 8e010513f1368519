import pg from 'pg'
import { addCompanies } from '../scripts/demo-companies.ts'
import { addPeople } from '../scripts/demo-people.ts'
import { addDeals, addNotes, addTasks } from '../scripts/demo-work.ts'
import { createDatabase, type Database } from '#server/platform/database/database.ts'
import { openDatabaseForCommand } from '#server/platform/database/open.ts'
import { openPool } from '#server/platform/database/pool.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { newToken } from '#server/platform/security/token.ts'
import { copyToBareTables, settle } from './tables.ts'

/** Somebody signed in. */
export type Owner = { owner: string; token: string }
/** A contact that requests are about, and who may ask for it. */
export type Person = Owner & { id: string; email: string; phone: string; last_name: string; company: string }

/** `people` of fifty owners, and one owner with many contacts and nothing else. */
export type Filled = { people: Person[]; crowded: Owner; socketFolder: string }

const ownerCount = 50
/** So many contacts of each owner are asked for. */
const asked = 200
/** So many contacts has the one whose records are changed together. */
const crowd = 10_000

/**
 * Fills the product in this data folder with the work of 50 signed-in owners, journaled as any other, and bare tables beside them with
 * the same: a company for ten contacts, a deal for five, a task and a note for two.
 */
export async function addOwners(folder: string, contacts: number): Promise<Filled> {
  const opened = await openDatabaseForCommand({ data: { folder, named: true }, external: undefined, secret: () => '' })
  const pool = openPool(opened.connections.application, 1, console.error)
  const database = createDatabase(pool)
  const client = new pg.Client(opened.connections.owner)
  await client.connect()
  const people: Person[] = []
  for (let number = 0; number < ownerCount; number++) {
    const owner = await addOwner(client, number)
    await addWork(database, owner.owner, contacts / ownerCount)
    people.push(...(await somePeople(client, owner)))
  }
  const crowded = await addOwner(client, ownerCount)
  await addPeople(database, crowded.owner, crowd)
  await copyToBareTables(client)
  await settle(client)
  const { host } = client
  await Promise.all([client.end(), pool.end(), opened.stop()])
  return { people, crowded, socketFolder: host }
}

/** `name` is never the same twice. */
export async function addOwner(client: pg.Client, name: number | string): Promise<Owner> {
  const id = newId()
  const { token, hash } = newToken()
  await client.query(`insert into users (id, email, password_hash) values ($1, $2, 'none')`, [id, `owner-${name}@foyer.example`])
  await client.query(`insert into profiles (user_id, id, timezone, country, currency) values ($1, $1, 'Europe/London', 'GB', 'GBP')`, [id])
  await client.query(
    `insert into sessions (user_id, token_hash, created_at, last_seen_at, expires_at) values ($1, $2, now(), now(), now() + interval '30 days')`,
    [id, hash],
  )
  return { owner: id, token }
}

/** A company for ten contacts, a deal for five, a task and a note for two. */
export async function addWork(database: Database, owner: string, contacts: number): Promise<void> {
  const adding = [
    { add: addCompanies, count: contacts / 10 },
    { add: addPeople, count: contacts },
    { add: addDeals, count: contacts / 5 },
    { add: addTasks, count: contacts / 2 },
    { add: addNotes, count: contacts / 2 },
  ]
  for (const { add, count } of adding) await add(database, owner, Math.ceil(count))
}

async function somePeople(client: pg.Client, { owner, token }: Owner): Promise<Person[]> {
  const { rows } = await client.query<Omit<Person, 'owner' | 'token'>>(
    'select id, email, phone, last_name, company from crm_contacts where user_id = $1 order by md5(id::text) limit $2',
    [owner, asked],
  )
  return rows.map((row) => ({ ...row, owner, token }))
}

import { join } from 'node:path'
import pg from 'pg'
import { addCompanies } from '../scripts/demo-companies.ts'
import { addContacts } from '../scripts/demo-contacts.ts'
import { addDeals, addNotes, addTasks } from '../scripts/demo-work.ts'
import { createDatabase, type Database } from '#server/platform/database/database.ts'
import { openDatabaseForCommand } from '#server/platform/database/open.ts'
import { openKeyFile } from '#server/platform/security/key-file.ts'
import { openPool } from '#server/platform/database/pool.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { newToken } from '#server/platform/security/token.ts'
import { copyToBareTables, vacuumAndCheckpoint } from './tables.ts'

/** A user of the benchmark: the id of the user, who owns records, and the token of a session. */
export type Owner = { userId: string; token: string }
/** A contact that the requests of the benchmark use, and its owner. */
export type OwnedContact = Owner & { id: string; email: string; phone: string; last_name: string; company: string }

/**
 * `contactsOfOwners`: the contacts that requests use, of fifty owners. `bulkOwner`: another owner, whose contacts are edited in bulk.
 * `socketFolder`: the folder with the socket of PostgreSQL.
 */
export type BenchData = { contactsOfOwners: OwnedContact[]; bulkOwner: Owner; socketFolder: string }

const ownerCount = 50
/** The number of contacts of each owner that requests use. */
const sampleSize = 200
/** The number of contacts of the owner whose contacts are edited in bulk. */
const bulkContacts = 10_000

/**
 * Adds 50 signed-in owners to the product in this data folder, with `contacts` contacts in total and other records, and another owner for
 * bulk edits. The records are also written to the journal, as usual. Then copies the rows to the tables of the bare server.
 */
export async function addOwners(folder: string, contacts: number): Promise<BenchData> {
  const openedDatabase = await openDatabaseForCommand({
    data: { folder, isConfigured: true },
    external: undefined,
    keyFile: openKeyFile(join(folder, 'secret.key')),
  })
  const pool = openPool(openedDatabase.connections.application, 1, console.error)
  const database = createDatabase(pool)
  const client = new pg.Client(openedDatabase.connections.tableOwner)
  await client.connect()
  const contactsOfOwners: OwnedContact[] = []
  for (let number = 0; number < ownerCount; number++) {
    const owner = await addOwner(client, number)
    await addRecords(database, owner.userId, contacts / ownerCount)
    contactsOfOwners.push(...(await readSampleOfContacts(client, owner)))
  }
  const bulkOwner = await addOwner(client, ownerCount)
  await addContacts(database, bulkOwner.userId, bulkContacts)
  await copyToBareTables(client)
  await vacuumAndCheckpoint(client)
  const { host } = client
  await Promise.all([client.end(), pool.end(), openedDatabase.stop()])
  return { contactsOfOwners, bulkOwner, socketFolder: host }
}

/** Adds a user with a session. `name` becomes a part of the email and must be unique. */
export async function addOwner(client: pg.Client, name: number | string): Promise<Owner> {
  const id = newId()
  const { token, hash } = newToken()
  await client.query(`insert into users (id, email, password_hash) values ($1, $2, 'none')`, [id, `owner-${name}@foyer.example`])
  await client.query(`insert into profiles (user_id, id, timezone, country, currency) values ($1, $1, 'Europe/London', 'GB', 'GBP')`, [id])
  await client.query(
    `insert into sessions (user_id, token_hash, created_at, last_seen_at, expires_at) values ($1, $2, now(), now(), now() + interval '30 days')`,
    [id, hash],
  )
  return { userId: id, token }
}

/** Adds contacts. For every ten contacts, adds one company, two deals, five tasks and five notes. */
export async function addRecords(database: Database, owner: string, contacts: number): Promise<void> {
  const steps = [
    { add: addCompanies, count: contacts / 10 },
    { add: addContacts, count: contacts },
    { add: addDeals, count: contacts / 5 },
    { add: addTasks, count: contacts / 2 },
    { add: addNotes, count: contacts / 2 },
  ]
  for (const { add, count } of steps) await add(database, owner, Math.ceil(count))
}

/** Returns some contacts of the owner; the order by a hash of the id spreads them over all contacts. */
async function readSampleOfContacts(client: pg.Client, { userId, token }: Owner): Promise<OwnedContact[]> {
  const { rows } = await client.query<Omit<OwnedContact, 'userId' | 'token'>>(
    'select id, email, phone, last_name, company from crm_contacts where user_id = $1 order by md5(id::text) limit $2',
    [userId, sampleSize],
  )
  return rows.map((row) => ({ ...row, userId, token }))
}

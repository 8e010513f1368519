// Adds a large owner, and sends the requests of the command palette and of the dashboard for this owner. The owner has as many records as
// all other owners together, all of them created in the last twelve weeks.
import { join } from 'node:path'
import pg from 'pg'
import { createDatabase } from '#server/platform/database/database.ts'
import { openDatabaseForCommand } from '#server/platform/database/open.ts'
import { openKeyFile } from '#server/platform/security/key-file.ts'
import { openPool } from '#server/platform/database/pool.ts'
import { addOwner, addRecords, type Owner } from './owners.ts'
import { vacuumAndCheckpoint } from './tables.ts'

const searchTexts =
  'a,qu,mül,muller,imara ost,dental,oak,sample,call back,0118,+44 20 7946 0118,018,example,an,qz,zzzz,schwarz,lund q'.split(',')
const searchTextsWithTypos = 'muelxer,mullxr,sampel,dentql,recpetion,kasemnan,xyzzyx,quilstone'.split(',')

/** Adds the owner to the product in this data folder. Call it after the other measurements, because it makes the database larger. */
export async function addLargeOwner(folder: string, contacts: number): Promise<Owner> {
  const openedDatabase = await openDatabaseForCommand({
    data: { folder, isConfigured: true },
    external: undefined,
    keyFile: openKeyFile(join(folder, 'secret.key')),
  })
  const pool = openPool(openedDatabase.connections.application, 1, console.error)
  const client = new pg.Client(openedDatabase.connections.tableOwner)
  await client.connect()
  const largeOwner = await addOwner(client, 'large')
  await addRecords(createDatabase(pool), largeOwner.userId, contacts)
  await vacuumAndCheckpoint(client)
  await Promise.all([client.end(), pool.end(), openedDatabase.stop()])
  return largeOwner
}

/**
 * Sends the search request of the command palette with a text that depends on `number`. Two of three texts are words, parts of words or
 * phone numbers; the third has a typing error.
 */
export function searchInPalette(url: string, owner: Owner, number: number): Promise<void> {
  const texts = number % 3 === 2 ? searchTextsWithTypos : searchTexts
  // two of three requests use `searchTexts`; the offset of 7 makes these two search for different texts
  const index = Math.floor(number / 3 + (number % 3) * 7) % texts.length
  return read(`${url}/api/search?search=${encodeURIComponent(texts[index] ?? '')}`, owner)
}

export const readDashboard = (url: string, owner: Owner): Promise<void> => read(`${url}/api/dashboard`, owner)

async function read(url: string, { token }: Owner): Promise<void> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  if (!response.ok) throw new Error(`${url} returned ${response.status}`)
  await response.arrayBuffer()
}

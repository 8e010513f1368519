// Adds one owner with as many records as all others together, all created in the last twelve weeks, to measure the palette and the dashboard.
import pg from 'pg'
import { createDatabase } from '#server/platform/database/database.ts'
import { openDatabaseForCommand } from '#server/platform/database/open.ts'
import { openPool } from '#server/platform/database/pool.ts'
import { addOwner, addWork, type Owner } from './owners.ts'
import { vacuumAndCheckpoint } from './tables.ts'

const words = 'a,qu,mül,muller,imara ost,dental,oak,sample,call back,0118,+44 20 7946 0118,018,example,an,qz,zzzz,schwarz,lund q'.split(',')
const mistyped = 'muelxer,mullxr,sampel,dentql,recpetion,kasemnan,xyzzyx,quilstone'.split(',')

/** Adds the owner to the product in this data folder. Call it after the other measurements, because it makes the database larger. */
export async function addLargeOwner(folder: string, contacts: number): Promise<Owner> {
  const opened = await openDatabaseForCommand({ data: { folder, isConfigured: true }, external: undefined, secret: () => '' })
  const pool = openPool(opened.connections.application, 1, console.error)
  const client = new pg.Client(opened.connections.owner)
  await client.connect()
  const largeOwner = await addOwner(client, 'large')
  await addWork(createDatabase(pool), largeOwner.owner, contacts)
  await vacuumAndCheckpoint(client)
  await Promise.all([client.end(), pool.end(), opened.stop()])
  return largeOwner
}

/** Alternates between words, parts of words, phone numbers and words with a typing error. */
export function searchInPalette(url: string, owner: Owner, number: number): Promise<void> {
  const list = number % 3 === 2 ? mistyped : words
  return read(`${url}/api/search?search=${encodeURIComponent(list[Math.floor(number / 3 + (number % 3) * 7) % list.length] ?? '')}`, owner)
}

export const readDashboard = (url: string, owner: Owner): Promise<void> => read(`${url}/api/dashboard`, owner)

async function read(url: string, { token }: Owner): Promise<void> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  if (!response.ok) throw new Error(`${url} returned ${response.status}`)
  await response.arrayBuffer()
}

// One owner with as many records as all others together, all of them of the last twelve weeks: what the palette and the dashboard bear.
import pg from 'pg'
import { createDatabase } from '#server/platform/database/database.ts'
import { openDatabaseForCommand } from '#server/platform/database/open.ts'
import { openPool } from '#server/platform/database/pool.ts'
import { addOwner, addWork, type Owner } from './people.ts'
import { settle } from './tables.ts'

const words = 'a,qu,mül,muller,imara ost,dental,oak,sample,call back,0118,+44 20 7946 0118,018,example,an,qz,zzzz,schwarz,lund q'.split(',')
const mistyped = 'muelxer,mullxr,sampel,dentql,recpetion,kasemnan,xyzzyx,quilstone'.split(',')

/** Fills the product in this data folder with a further owner. To be called when nothing else is measured any more. */
export async function addLargeOwner(folder: string, contacts: number): Promise<Owner> {
  const opened = await openDatabaseForCommand({ data: { folder, named: true }, external: undefined, secret: () => '' })
  const pool = openPool(opened.connections.application, 1, console.error)
  const client = new pg.Client(opened.connections.owner)
  await client.connect()
  const large = await addOwner(client, 'large')
  await addWork(createDatabase(pool), large.owner, contacts)
  await settle(client)
  await Promise.all([client.end(), pool.end(), opened.stop()])
  return large
}

/** In turn words as they are, parts of them, phones, and words with a typo. */
export function askPalette(url: string, owner: Owner, number: number): Promise<void> {
  const list = number % 3 === 2 ? mistyped : words
  return read(`${url}/api/search?search=${encodeURIComponent(list[Math.floor(number / 3 + (number % 3) * 7) % list.length] ?? '')}`, owner)
}

export const askDashboard = (url: string, owner: Owner): Promise<void> => read(`${url}/api/dashboard`, owner)

async function read(url: string, { token }: Owner): Promise<void> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  if (!answer.ok) throw new Error(`${url} was answered with ${answer.status}`)
  await answer.arrayBuffer()
}

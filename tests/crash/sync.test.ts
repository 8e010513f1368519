// The server, the database or both are killed with SIGKILL in the middle of a sync with another CRM. The sync then continues by itself, and
// ends with the same contacts as an undisturbed one, without duplicates.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { createContacts, createOrganisations, startInsightly, type InsightlyServer } from '#server/testing/insightly-server.ts'
import { createRandom } from '#server/testing/random.ts'
import { installProduct, type Product } from '../product.ts'
import { request, signUp } from './writers.ts'

const killTargets = ['server', 'database', 'both'] as const

const seed = Number(process.env['FOYER_SEED'] ?? Date.now() % 1_000_000)
const random = createRandom(seed)
const killCount = process.env['FOYER_FULL'] === '1' ? 20 : 3
const contactCount = killCount * 1200
/** The longest wait between a stored page and a kill. A page takes at least 250 ms, so a sync rarely ends before the last kill. */
const maxKillDelayMs = 400

let crm: InsightlyServer
let product: Product
let tableOwner: pg.Pool
beforeAll(async () => {
  console.log(`sync: FOYER_SEED=${seed}`)
  crm = await startInsightly({ contacts: createContacts(contactCount), organisations: createOrganisations(10) })
  product = await installProduct({ FOYER_ALLOWED_HOSTS: '127.0.0.1' })
  await product.start()
  tableOwner = new pg.Pool({ host: join(product.folder, 'run'), database: 'foyer', user: 'foyer', max: 1 })
  tableOwner.on('error', () => {}) // the database is killed
})
afterAll(async () => {
  await tableOwner.end()
  await product[Symbol.asyncDispose]()
  await crm[Symbol.asyncDispose]()
})

test(`after ${killCount} kills a sync has the same contacts as an undisturbed one`, { timeout: 120_000 + killCount * 60_000 }, async () => {
  onTestFailed(() => console.log(product.log()))
  const [ada, grace] = [await connect('ada'), await connect('grace')]
  await startSync(grace)
  const undisturbed = await waitForEnd(grace)
  expect(undisturbed).toMatchObject({ status: 'done', created: contactCount, updated: 0, failed: 0 })

  await startSync(ada)
  for (let kill = 0; kill < killCount; kill++) {
    const target = killTargets[kill % killTargets.length] ?? 'server'
    const createdBefore = (await readSync(ada))?.created ?? 0
    const hasContinued = async (): Promise<boolean> => {
      const sync = await readSync(ada)
      return sync !== undefined && (sync.created > createdBefore || sync.finished_at !== null)
    }
    await expect.poll(hasContinued, { timeout: 60_000, interval: 100 }).toBe(true)
    await sleep(random.below(maxKillDelayMs))
    console.log(`sync: ${target} killed after ${(await readSync(ada))?.created} contacts`)
    await killAndStart(target)
  }
  const { status, created, updated, unchanged, failed } = await waitForEnd(ada)
  expect({ status, created, updated, unchanged, failed }).toEqual({
    status: 'done',
    created: contactCount,
    updated: 0,
    unchanged: 0,
    failed: 0,
  })
  expect(await readContacts(ada)).toEqual(await readContacts(grace))
})

type Owner = { token: string; connection: string }
type Sync = { status: string; finished_at: string | null; created: number; updated: number; unchanged: number; failed: number }

async function connect(name: string): Promise<Owner> {
  const { token } = await signUp(product.url, name)
  const { id } = await send(token, 'POST', '/api/crm-connections', { api_url: crm.url, api_key: crm.key })
  return { token, connection: id }
}

const startSync = ({ token, connection }: Owner) => send(token, 'POST', '/functions/v1/sync-crm', { connectionId: connection })

/** Reads the sync; undefined while the server is not ready. */
async function readSync({ token, connection }: Owner): Promise<Sync | undefined> {
  const headers = { authorization: `Bearer ${token}` }
  const response = await request(`${product.url}/api/crm-connections/${connection}`, { method: 'GET', headers })
  return response?.status === 200 ? JSON.parse(response.text).last_sync : undefined
}

async function waitForEnd(owner: Owner): Promise<Sync> {
  let sync: Sync | undefined
  const isFinished = async (): Promise<boolean> => {
    sync = await readSync(owner)
    return sync !== undefined && sync.finished_at !== null
  }
  await expect.poll(isFinished, { timeout: 120_000, interval: 200 }).toBe(true)
  if (!sync) throw new Error('The sync was not read')
  return sync
}

async function send(token: string, method: string, path: string, body: object) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await request(product.url + path, { method, headers, body: JSON.stringify(body) })
  expect(response?.status, response?.text).toBeLessThan(300)
  return JSON.parse(response?.text ?? '')
}

/** Kills the target, and starts the server again if it was killed; a running server starts a killed database itself. */
async function killAndStart(target: (typeof killTargets)[number]): Promise<void> {
  if (target !== 'server') process.kill(product.databaseProcessId(), 'SIGKILL')
  if (target === 'database') return
  process.kill(product.serverProcessId(), 'SIGKILL')
  await product.exited()
  await product.start()
}

async function readContacts({ connection }: Owner): Promise<unknown[]> {
  const { rows } = await tableOwner.query(
    `select external_id, name, email, mobile_phone, company, title, tags, raw_data from crm_contacts where crm_connection_id = $1
     order by external_id, id`,
    [connection],
  )
  return rows
}

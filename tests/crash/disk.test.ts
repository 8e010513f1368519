// The disk of the database, or the disk of PostgreSQL's write-ahead log, gets full during writes. The server keeps running and reports the
// full disk, reads still work, and when there is space again, writes work again without a restart. Every confirmed write is stored.
import { spawnSync } from 'node:child_process'
import { cpSync, lchownSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, onTestFailed, test, type TestContext } from 'vitest'
import pg from 'pg'
import { Problem } from '#contract/errors.ts'
import { createRandom } from '#server/testing/random.ts'
import { mountSmallDisk, type SmallDisk } from '#server/testing/small-disk.ts'
import { runUntilEnd } from '#server/testing/start.ts'
import { installProduct, type Product } from '../product.ts'
import { signUpWriters, type Writers } from './writers.ts'

const seed = Number(process.env['FOYER_SEED'] ?? Date.now() % 1_000_000)
const random = createRandom(seed)
const roundCount = process.env['FOYER_FULL'] === '1' ? 6 : 1

let product: Product | undefined
let disk: SmallDisk | undefined
afterEach(async () => {
  await product?.stop()
  disk?.[Symbol.dispose]()
  await product?.[Symbol.asyncDispose]()
  product = disk = undefined
})

/** Turns off Foyer's own limit of free space, so that PostgreSQL itself gets the error of the full disk. */
const settings = { FOYER_MIN_FREE_MB: '0' }

/** Starts the product with its data folder on a disk of 400 MB. Skips the test if this process may not mount a disk. */
async function startOnSmallDisk(context: TestContext): Promise<{ product: Product; disk: SmallDisk }> {
  onTestFailed(() => console.log(`disk: FOYER_SEED=${seed}`, product?.log()))
  product = await installProduct(settings)
  disk = mountSmallDisk({ megabytes: 400, maxNames: 10_000, folder: product.folder })
  if (!disk) return context.skip('only root can make a small disk')
  await product.start()
  return { product, disk }
}

/** Requests `/ready`. Returns "ready", or the error code of the response if the product does not work. */
const readReadiness = async ({ url }: Product): Promise<string> => {
  const response = await fetch(`${url}/ready`)
  return response.ok ? 'ready' : Problem.parse(await response.json()).code
}

/** Repeats the writes that got no response, and expects that all writes are stored and that the server is ready in the same process. */
async function expectNothingLost(writers: Writers, running: Product, serverProcessId: number): Promise<void> {
  const repeated = await writers.repeatUnsaved()
  const expected = writers.getExpected()
  console.log(`disk: ${expected.length} contacts, ${repeated} writes repeated`)
  expect(await writers.readStored()).toEqual(expected)
  await expect.poll(() => readReadiness(running), { timeout: 20_000 }).toBe('ready')
  expect(running.serverProcessId()).toBe(serverProcessId)
  expect(running.isRunning()).toBe(true)
}

test(
  'while the disk of the data is full, writes are refused and reads still work; when there is space again, writes work again',
  { timeout: roundCount * 120_000 },
  async (context) => {
    const { product: running, disk: smallDisk } = await startOnSmallDisk(context)
    // the write-ahead log is moved to another disk, so that only the disk of the data gets full
    await moveLog(running, (log, parent) => {
      moveFolder(log, join(parent, 'log'))
      symlinkSync(join(parent, 'log'), log)
    })
    const writers = await signUpWriters(running.url, random)
    const serverProcessId = running.serverProcessId()
    for (let round = 0; round < roundCount; round++) {
      let remainingResponses = 30
      await writers.sendWrites(() => --remainingResponses <= 0)
      const deleteFiller = smallDisk.fill()
      const databaseProcessId = running.databaseProcessId()
      await writers.sendWrites(() => false) // stops when a write is refused
      expect(await readReadiness(running)).toBe('disk_full')
      // a write without a response may be stored too
      expect((await writers.readStored()).length).toBeGreaterThanOrEqual(writers.getExpected().length)
      expect(running.databaseProcessId()).toBe(databaseProcessId)
      deleteFiller()
      await expectNothingLost(writers, running, serverProcessId)
    }
  },
)

test(
  'when PostgreSQL ends because the disk of its write-ahead log is full, the server starts it again as soon as there is space',
  { timeout: roundCount * 180_000 },
  async (context) => {
    onTestFailed(() => console.log(`disk: FOYER_SEED=${seed}`, product?.log()))
    const running = (product = await installProduct(settings))
    await running.start()
    await moveLog(running, (log, parent) => {
      moveFolder(log, join(parent, 'log'))
      disk = mountSmallDisk({ megabytes: 200, maxNames: 1000, folder: log })
      cpSync(join(parent, 'log'), log, { recursive: true })
      copyOwner(join(parent, 'log'), log)
    })
    const smallDisk = disk
    if (!smallDisk) return context.skip('only root can make a small disk')
    const writers = await signUpWriters(running.url, random)
    const serverProcessId = running.serverProcessId()
    for (let round = 0; round < roundCount; round++) {
      let remainingResponses = 30
      await writers.sendWrites(() => --remainingResponses <= 0)
      const deleteFiller = smallDisk.fill()
      const databaseProcessId = running.databaseProcessId()
      await Promise.all([writers.sendWrites(() => false), writeLogUntilFull(running)])
      expect(readFileSync(join(running.folder, 'postgres.log'), 'utf8')).toMatch(/PANIC: .*No space left on device/)
      // after this error PostgreSQL may recover without a new process; killing it makes sure that the server has to start it again
      spawnSync('kill', ['-KILL', String(databaseProcessId)]) // `process.kill` would throw if it has ended already
      await expect.poll(() => readReadiness(running), { timeout: 20_000 }).toMatch(/not_ready|disk_full/)
      expect(running.isRunning()).toBe(true)
      deleteFiller()
      await expectNothingLost(writers, running, serverProcessId)
      expect(running.databaseProcessId()).not.toBe(databaseProcessId)
    }
  },
)

test(
  'a start on a full disk fails with one sentence; when space was freed, the start succeeds and every write is stored',
  { timeout: 120_000 },
  async (context) => {
    const { product: running, disk: smallDisk } = await startOnSmallDisk(context)
    const writers = await signUpWriters(running.url, random)
    let remainingResponses = 60
    await writers.sendWrites(() => --remainingResponses <= 0)
    const deleteFiller = smallDisk.fill()
    await running.stop()
    const { code, output } = await runUntilEnd({ ...settings, FOYER_DATA: running.folder, PORT: '0' })
    expect(output.trim()).toMatch(/^The disk of \S+ is full \(.+\): free some space, then start again\.$/)
    expect(output.trim().split('\n')).toHaveLength(1)
    expect(code).toBe(1)
    deleteFiller()
    await running.start()
    expect(await writers.repeatUnsaved()).toBe(0)
    expect(await writers.readStored()).toEqual(writers.getExpected())
  },
)

/**
 * Stops the product, moves PostgreSQL's write-ahead log with `move`, and starts the product again. `parent`: the folder that contains the
 * data folder, on the large disk.
 */
async function moveLog(running: Product, move: (log: string, parent: string) => void): Promise<void> {
  await running.stop()
  move(join(running.folder, 'pg/pg_wal'), join(running.folder, '..'))
  await running.start()
}

/** Copies a folder with its owners and deletes the original, because a rename to another disk is not possible. */
function moveFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true })
  copyOwner(from, to)
  rmSync(from, { recursive: true })
}

/** Gives a copied folder and everything in it to the account that owns the original. */
function copyOwner(from: string, to: string): void {
  const { uid, gid } = statSync(from)
  lchownSync(to, uid, gid)
  for (const name of readdirSync(to, { recursive: true })) lchownSync(join(to, String(name)), uid, gid)
}

/** Writes messages that change no data to PostgreSQL's write-ahead log until PostgreSQL ends. */
async function writeLogUntilFull({ folder }: Product): Promise<void> {
  const client = new pg.Client({ host: join(folder, 'run'), database: 'foyer', user: 'postgres' })
  client.on('error', () => {}) // PostgreSQL closes the connection when it ends
  await client.connect()
  let isLost = false
  while (!isLost)
    await client.query(`select pg_logical_emit_message(true, 'test', repeat('x', 1000000))`).catch(() => {
      isLost = true
    })
  await client.end().catch(() => {})
}

// The disk of the data, or of the log, gets full under load. The server stays up and says so, reads go on, and when there is space again it
// works by itself. Every write that got a response is stored.
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
}, 60_000)

/** Without a floor, so that PostgreSQL itself meets the full disk. */
const settings = { FOYER_MIN_FREE_MB: '0' }

/** Installs the product with its data folder on a small disk, and its log outside of it. Skips the test where no disk can be made. */
async function startOnSmallDisk(context: TestContext): Promise<{ product: Product; disk: SmallDisk }> {
  onTestFailed(() => console.log(`disk: FOYER_SEED=${seed}`, product?.log()))
  product = await installProduct(settings)
  disk = mountSmallDisk({ megabytes: 400, maxNames: 10_000, folder: product.folder })
  if (!disk) return context.skip('only root can make a small disk')
  await product.start()
  return { product, disk }
}

const readReady = async ({ url }: Product): Promise<string> => {
  const response = await fetch(`${url}/ready`)
  return response.ok ? 'ready' : Problem.parse(await response.json()).code
}

/** Waits until the product works again, repeats the writes that got no response, and compares all that is stored. */
async function expectNothingLost(writers: Writers, running: Product, server: number): Promise<void> {
  const repeated = await writers.repeatUnanswered()
  const expected = writers.expected()
  console.log(`disk: ${expected.length} contacts, ${repeated} writes repeated`)
  expect(await writers.stored()).toEqual(expected)
  await expect.poll(() => readReady(running), { timeout: 20_000 }).toBe('ready')
  expect(running.serverId()).toBe(server)
  expect(running.isRunning()).toBe(true)
}

test(
  'while the disk of the data is full, writes are refused and reads go on; with space the server works again',
  { timeout: roundCount * 120_000 },
  async (context) => {
    const { product: running, disk: small } = await startOnSmallDisk(context)
    await moveLog(running, (log, home) => {
      renameOrCopy(log, join(home, 'log'))
      symlinkSync(join(home, 'log'), log)
    })
    const writers = await signUpWriters(running.url, random)
    const server = running.serverId()
    for (let round = 0; round < roundCount; round++) {
      let count = 30
      await writers.sendWrites(() => --count <= 0)
      const free = small.fill()
      const database = running.databaseId()
      await writers.sendWrites(() => false)
      expect(await readReady(running)).toBe('disk_full')
      expect((await writers.stored()).length).toBeGreaterThanOrEqual(writers.expected().length)
      expect(running.databaseId()).toBe(database)
      free()
      await expectNothingLost(writers, running, server)
    }
  },
)

test(
  'when PostgreSQL ends because the disk of its log is full, it is started again as soon as there is space',
  { timeout: roundCount * 180_000 },
  async (context) => {
    onTestFailed(() => console.log(`disk: FOYER_SEED=${seed}`, product?.log()))
    const running = (product = await installProduct(settings))
    await running.start()
    await moveLog(running, (log, home) => {
      renameOrCopy(log, join(home, 'log'))
      disk = mountSmallDisk({ megabytes: 200, maxNames: 1000, folder: log })
      cpSync(join(home, 'log'), log, { recursive: true })
      copyOwner(join(home, 'log'), log)
    })
    const small = disk
    if (!small) return context.skip('only root can make a small disk')
    const writers = await signUpWriters(running.url, random)
    const server = running.serverId()
    for (let round = 0; round < roundCount; round++) {
      let count = 30
      await writers.sendWrites(() => --count <= 0)
      const free = small.fill()
      const database = running.databaseId()
      await Promise.all([writers.sendWrites(() => false), writeLogUntilFull(running)])
      expect(readFileSync(join(running.folder, 'postgres.log'), 'utf8')).toMatch(/PANIC: .*No space left on device/)
      // PostgreSQL may recover in its own process until the log is needed; here it has to be started again while the disk is full
      spawnSync('kill', ['-KILL', String(database)]) // it may have ended already
      await expect.poll(() => readReady(running), { timeout: 20_000 }).toMatch(/not_ready|disk_full/)
      expect(running.isRunning()).toBe(true)
      free()
      await expectNothingLost(writers, running, server)
      expect(running.databaseId()).not.toBe(database)
    }
  },
)

test(
  'a start on a full disk is refused in one sentence, and after space was freed nothing is lost',
  { timeout: 120_000 },
  async (context) => {
    const { product: running, disk: small } = await startOnSmallDisk(context)
    const writers = await signUpWriters(running.url, random)
    let count = 60
    await writers.sendWrites(() => --count <= 0)
    const free = small.fill()
    await running.stop()
    const { code, output } = await runUntilEnd({ ...settings, FOYER_DATA: running.folder, PORT: '0' })
    expect(output.trim()).toMatch(/^The disk of \S+ is full \(.+\): free some space, then start again\.$/)
    expect(output.trim().split('\n')).toHaveLength(1)
    expect(code).toBe(1)
    free()
    await running.start()
    expect(await writers.repeatUnanswered()).toBe(0)
    expect(await writers.stored()).toEqual(writers.expected())
  },
)

/** Stops the product, moves PostgreSQL's log with `move`, and starts the product again. */
async function moveLog(running: Product, move: (log: string, home: string) => void): Promise<void> {
  await running.stop()
  move(join(running.folder, 'pg/pg_wal'), join(running.folder, '..'))
  await running.start()
}

function renameOrCopy(from: string, to: string): void {
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

/** Writes to PostgreSQL's log until it ends. */
async function writeLogUntilFull({ folder }: Product): Promise<void> {
  const client = new pg.Client({ host: join(folder, 'run'), database: 'foyer', user: 'postgres' })
  client.on('error', () => {}) // the server ends
  await client.connect()
  let isLost = false
  while (!isLost)
    await client.query(`select pg_logical_emit_message(true, 'test', repeat('x', 1000000))`).catch(() => {
      isLost = true
    })
  await client.end().catch(() => {})
}

import { createHash } from 'node:crypto'
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase } from '#server/testing/app.ts'
import { createEmptyDatabase } from '#server/testing/installations.ts'
import { writeBackup } from './backup.ts'
import type { Installation } from './files.ts'
import { restoreBackup } from './restore.ts'

const mebibyte = 2 ** 20
/** The size of the large file. FOYER_FULL=1 runs tests with larger numbers. */
const largeBytes = (process.env['FOYER_FULL'] === '1' ? 1024 : 64) * mebibyte
/** The memory that buffers may use. It is less than the size of the large file. */
const maxBytesInMemory = 32 * mebibyte
/** The interval in which the memory is measured. */
const sampleMs = 200

let testFolder: string
let source: Installation
let target: Installation
beforeAll(() => {
  testFolder = mkdtempSync(join(tmpdir(), 'foyer-files-'))
  source = createInstallation()
  target = createInstallation()
})
afterAll(() => rmSync(testFolder, { recursive: true, force: true }))

test('files of any name and size are restored without being held in memory as a whole', { timeout: 300_000 }, async () => {
  const names = ['a'.repeat(250), `${'long/'.repeat(60)}name`, 'ünïcødé/文件 📁', 'odd \\ " \' * ?\nname', ' ', '-rf', '..a', 'empty']
  for (const name of names) writeFileSync(createFilePath(source, name), name === 'empty' ? '' : `content of ${name}`)
  await pipeline(Readable.from(generateBlocks(largeBytes)), createWriteStream(createFilePath(source, 'large')))
  const file = join(testFolder, 'foyer.backup')
  const { tableOwner } = await cloneDatabase()
  const emptyDatabase = await createEmptyDatabase()
  const { maxBytes, samples } = await measureBuffers(async () => {
    await writeBackup(tableOwner, source, file)
    await restoreBackup(file, { open: async () => ({ tableOwner: emptyDatabase, stop: async () => {} }), installation: target })
  })
  for (const name of [...names, 'large']) expect(computeHash(target, name), name).toBe(computeHash(source, name))
  expect(samples).toBeGreaterThan(1)
  expect(maxBytes).toBeLessThan(maxBytesInMemory)
})

function createInstallation(): Installation {
  const folder = mkdtempSync(join(testFolder, 'data-'))
  return { folder, keyFile: join(folder, 'secret.key') }
}

function createFilePath({ folder }: Installation, name: string): string {
  const path = join(folder, 'files', name)
  mkdirSync(dirname(path), { recursive: true })
  return path
}

const computeHash = (installation: Installation, name: string): string =>
  createHash('sha256')
    .update(readFileSync(createFilePath(installation, name)))
    .digest('hex')

/** Generates different blocks that compress well. */
function* generateBlocks(bytes: number): Generator<Buffer> {
  for (let at = 0; at < bytes; at += 2 ** 16) yield Buffer.alloc(2 ** 16, `block ${at} `)
}

test('a backup and its restore report the files that were deleted while the backup was written', async () => {
  const installation = createInstallation()
  for (const name of ['kept', 'deleted']) writeFileSync(createFilePath(installation, name), name)
  const { tableOwner } = await cloneDatabase()
  const lockHolder = new pg.Client(tableOwner)
  await lockHolder.connect()
  await lockHolder.query('begin; lock table journal') // the backup waits for this lock before it copies files
  const file = join(testFolder, 'deleted.backup')
  const writing = writeBackup(tableOwner, installation, file)
  await expect
    .poll(async () => (await lockHolder.query(`select from pg_locks where not granted and relation = 'journal'::regclass`)).rowCount)
    .toBe(1)
  rmSync(createFilePath(installation, 'deleted'))
  await lockHolder.query('rollback')
  await lockHolder.end()
  expect(await writing).toMatchObject({ missingFiles: ['files/deleted'] })

  const restored = createInstallation()
  const emptyDatabase = await createEmptyDatabase()
  const restoring = restoreBackup(file, { open: async () => ({ tableOwner: emptyDatabase, stop: async () => {} }), installation: restored })
  expect(await restoring).toMatchObject({ missingFiles: ['files/deleted'] })
  expect(computeHash(restored, 'kept')).toBe(computeHash(installation, 'kept'))
})

test('the measurement of memory finds a file that is held in memory as a whole', async () => {
  const { maxBytes } = await measureBuffers(async (countSamples) => {
    const heldBytes = Buffer.alloc(2 * maxBytesInMemory)
    await expect.poll(countSamples).toBeGreaterThan(0)
    heldBytes.fill(1) // this use keeps the bytes from being collected as garbage earlier
  })
  expect(maxBytes).toBeGreaterThan(maxBytesInMemory)
})

/** Returns the maximum memory in bytes that buffers used during the work, without garbage, and how often it was measured. */
async function measureBuffers(work: (countSamples: () => number) => Promise<void>): Promise<{ maxBytes: number; samples: number }> {
  setFlagsFromString('--expose-gc')
  const collectGarbage: (options: { type: 'major' | 'minor' }) => void = runInNewContext('gc')
  const measure = (type: 'major' | 'minor'): number => {
    collectGarbage({ type })
    collectGarbage({ type }) // waits until another thread has freed the buffers that the first collection found
    return process.memoryUsage().arrayBuffers
  }
  const before = measure('major')
  let maxBytes = 0
  let samples = 0
  const timer = setInterval(() => {
    // a collection of the young objects frees the buffers of streams, unless slow work has let them become old; a collection of all objects
    // takes a second in a process that has run many tests
    let bytes = measure('minor') - before
    if (bytes > maxBytesInMemory) bytes = measure('major') - before
    maxBytes = Math.max(maxBytes, bytes)
    samples++
  }, sampleMs)
  await work(() => samples).finally(() => clearInterval(timer))
  return { maxBytes, samples }
}

// The server, the database or both are killed with SIGKILL during writes. Every write that got a response is stored, writes without a
// response can be repeated, and no process is left running.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { createRandom } from '#server/testing/random.ts'
import { processesOn } from './processes.ts'
import { installProduct, type Product } from '../product.ts'
import { signUpWriters, type Writers } from './writers.ts'

const killTargets = ['server', 'database', 'both'] as const
type KillTarget = (typeof killTargets)[number]

const seed = Number(process.env['FOYER_SEED'] ?? Date.now() % 1_000_000)
const random = createRandom(seed)
const killCount = process.env['FOYER_FULL'] === '1' ? 20 : 3

let product: Product
let writers: Writers
beforeAll(async () => {
  console.log(`crash: FOYER_SEED=${seed}`)
  product = await installProduct()
  await product.start()
  writers = await signUpWriters(product.url, random)
})
afterAll(() => product[Symbol.asyncDispose]())

test(`after each of ${killCount} kills during writes, every write is stored exactly once`, { timeout: killCount * 60_000 }, async () => {
  onTestFailed(() => console.log(product.log()))
  for (const target of planKills()) {
    const before = { server: product.serverProcessId(), database: product.databaseProcessId() }
    const killedAt = await killWhileWriting(target)
    if (target !== 'database') await startAgain(target, before.database)
    const repeated = await writers.repeatUnsaved()
    const outageMs = Math.round(performance.now() - killedAt)
    const expected = writers.getExpected()
    console.log(
      `crash: ${target} killed; ${expected.length} contacts, ${repeated} writes repeated, and all requests were served again after ${outageMs} ms`,
    )
    expect(await writers.readStored()).toEqual(expected)
    expect(listDatabaseProcesses()).toEqual([product.databaseProcessId()])
    expect(product.databaseProcessId()).not.toBe(before.database)
    if (target !== 'database') continue
    // the server is still the same process, and has started the killed database again
    expect(product.serverProcessId()).toBe(before.server)
    expect(outageMs).toBeLessThan(15_000)
  }
})

test('when the server is stopped during writes, it exits with 0 and leaves no process running', { timeout: 120_000 }, async () => {
  onTestFailed(() => console.log(product.log()))
  let stopped: Promise<number | null> | undefined
  await writers.sendWrites(() => {
    stopped ??= product.stop()
    return false // the writers stop when a write gets no response
  })
  expect(await stopped).toBe(0)
  expect(processesOn(product.folder)).toEqual([])
  await product.start()
  await writers.repeatUnsaved()
  expect(await writers.readStored()).toEqual(writers.getExpected())
})

/**
 * Returns the targets in random order, each once in every three kills. The database is not killed more often, because the server stops
 * after six crashes of the database within a minute.
 */
function planKills(): KillTarget[] {
  const kills: KillTarget[] = []
  while (kills.length < killCount) {
    const first = random.below(killTargets.length)
    kills.push(...killTargets.slice(first), ...killTargets.slice(0, first))
  }
  return kills.slice(0, killCount)
}

/** Kills the target during writes, after 30 to 150 responses. Returns the time of the kill. */
async function killWhileWriting(target: KillTarget): Promise<number> {
  let remainingResponses = 30 + random.below(120)
  let killed: Promise<number> | undefined
  await writers.sendWrites(() => {
    if (--remainingResponses <= 0) killed ??= kill(target)
    return false // the writers stop when a write gets no response
  })
  return (await killed) ?? NaN
}

/** Kills the target after at most 20 random milliseconds, so that kills hit all steps of a write. Returns the time of the kill. */
async function kill(target: KillTarget): Promise<number> {
  const server = product.serverProcessId()
  const database = product.databaseProcessId()
  const processIds = { server: [server], database: [database], both: [server, database] }[target]
  await sleep(random.below(20))
  for (const id of random.hasChance(0.5) ? processIds : processIds.toReversed()) process.kill(id, 'SIGKILL')
  return performance.now()
}

/** Starts the product after its server was killed. The database of a killed server runs until the next start. */
async function startAgain(target: KillTarget, databaseProcess: number): Promise<void> {
  await product.exited()
  if (target === 'server') expect(listDatabaseProcesses()).toEqual([databaseProcess])
  await product.start()
}

/** Returns the process ids of the PostgreSQL servers that run on the product's folder, without the ids of their child processes. */
function listDatabaseProcesses(): number[] {
  const servers = processesOn(join(product.folder, 'pg')).filter((line) => line.includes(' -D '))
  return servers.map((line) => parseInt(line))
}

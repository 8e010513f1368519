// Kills the server, the database or both with SIGKILL during writes. Confirmed writes are kept, the others can be repeated, and no process
// is left running.
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
const count = process.env['FOYER_FULL'] === '1' ? 20 : 3

let product: Product
let writers: Writers
beforeAll(async () => {
  console.log(`crash: FOYER_SEED=${seed}`)
  product = await installProduct()
  await product.start()
  writers = await signUpWriters(product.url, random)
}, 60_000)
afterAll(() => product[Symbol.asyncDispose](), 30_000)

test(`${count} kills under load: every write is stored exactly once`, { timeout: count * 60_000 }, async () => {
  onTestFailed(() => console.log(product.log()))
  for (const target of plannedKills()) {
    const before = { server: product.serverId(), database: product.databaseId() }
    const killedAt = await killWhileWriting(target)
    if (target !== 'database') await startAgain(target, before.database)
    const repeated = await writers.repeatUnanswered()
    const silentMs = Math.round(performance.now() - killedAt)
    const expected = writers.expected()
    console.log(`crash: ${target} killed; ${expected.length} contacts, ${repeated} writes repeated, all served again after ${silentMs} ms`)
    expect(await writers.found()).toEqual(expected)
    expect(databases()).toEqual([product.databaseId()])
    expect(product.databaseId()).not.toBe(before.database)
    if (target !== 'database') continue
    expect(product.serverId()).toBe(before.server)
    expect(silentMs).toBeLessThan(15_000)
  }
})

test('a server that is stopped under load exits with 0 and leaves no process running', { timeout: 60_000 }, async () => {
  onTestFailed(() => console.log(product.log()))
  let stopped: Promise<number | null> | undefined
  await writers.write(() => {
    stopped ??= product.stop()
    return false
  })
  expect(await stopped).toBe(0)
  expect(processesOn(product.folder)).toEqual([])
  await product.start()
  await writers.repeatUnanswered()
  expect(await writers.found()).toEqual(writers.expected())
})

/** Returns each target once in every three kills, because the server stops after six crashes of the database within a minute. */
function plannedKills(): KillTarget[] {
  const kills: KillTarget[] = []
  while (kills.length < count) {
    const first = random.below(killTargets.length)
    kills.push(...killTargets.slice(first), ...killTargets.slice(0, first))
  }
  return kills.slice(0, count)
}

/** Kills during writes. Returns the time of the kill. */
async function killWhileWriting(target: KillTarget): Promise<number> {
  let killAfter = 30 + random.below(120)
  let killed: Promise<number> | undefined
  await writers.write(() => {
    if (--killAfter <= 0) killed ??= kill(target)
    return false
  })
  return (await killed) ?? NaN
}

/** Kills after a few random milliseconds, so that many runs interrupt every step of a write. */
async function kill(target: KillTarget): Promise<number> {
  const targets = { server: [product.serverId()], database: [product.databaseId()], both: [product.serverId(), product.databaseId()] }[
    target
  ]
  await sleep(random.below(20))
  for (const id of random.hasChance(0.5) ? targets : targets.toReversed()) process.kill(id, 'SIGKILL')
  return performance.now()
}

/** The database of a killed server keeps running until the next start finds it. */
async function startAgain(target: KillTarget, database: number): Promise<void> {
  await product.exited()
  if (target === 'server') expect(databases()).toEqual([database])
  await product.start()
}

/** Returns the process ids of the databases that run on the product's folder, without their backends. */
function databases(): number[] {
  const found = processesOn(join(product.folder, 'pg')).filter((line) => line.includes(' -D '))
  return found.map((line) => parseInt(line))
}

// Whatever is killed, and whenever: what was answered stays, what was not can be repeated, and nothing is left lying about.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { randomFrom } from '#server/testing/random.ts'
import { processesOn } from './processes.ts'
import { installProduct, type Product } from '../product.ts'
import { signUpWriters, type Writers } from './writers.ts'

const kinds = ['server', 'database', 'both'] as const
type Kind = (typeof kinds)[number]

const seed = Number(process.env['FOYER_SEED'] ?? Date.now() % 1_000_000)
const random = randomFrom(seed)
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

test(`${count} kills under load lose nothing and double nothing`, { timeout: count * 60_000 }, async () => {
  onTestFailed(() => console.log(product.said()))
  for (const kind of plan()) {
    const before = { server: product.serverId(), database: product.databaseId() }
    const killedAt = await killWhileWriting(kind)
    if (kind !== 'database') await startAgain(kind, before.database)
    const repeated = await writers.repeatUnanswered()
    const silentMs = Math.round(performance.now() - killedAt)
    const expected = writers.expected()
    console.log(`crash: ${kind} killed; ${expected.length} contacts, ${repeated} writes repeated, all served again after ${silentMs} ms`)
    expect(await writers.found()).toEqual(expected)
    expect(databases()).toEqual([product.databaseId()])
    expect(product.databaseId()).not.toBe(before.database)
    if (kind !== 'database') continue
    expect(product.serverId()).toBe(before.server)
    expect(silentMs).toBeLessThan(15_000)
  }
})

test('a server that is stopped under load ends in order and leaves no process behind', { timeout: 60_000 }, async () => {
  onTestFailed(() => console.log(product.said()))
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

/** Each kind once in every three, because a database that ends six times within a minute is given up. */
function plan(): Kind[] {
  const kills: Kind[] = []
  while (kills.length < count) {
    const turn = random.below(kinds.length)
    kills.push(...kinds.slice(turn), ...kinds.slice(0, turn))
  }
  return kills.slice(0, count)
}

/** Answers when it was. */
async function killWhileWriting(kind: Kind): Promise<number> {
  let killAfter = 30 + random.below(120)
  let killed: Promise<number> | undefined
  await writers.write(() => {
    if (--killAfter <= 0) killed ??= kill(kind)
    return false
  })
  return (await killed) ?? NaN
}

/** A few milliseconds later, so that every step of a write is hit some time. */
async function kill(kind: Kind): Promise<number> {
  const victims = { server: [product.serverId()], database: [product.databaseId()], both: [product.serverId(), product.databaseId()] }[kind]
  await sleep(random.below(20))
  for (const id of random.chance(0.5) ? victims : victims.toReversed()) process.kill(id, 'SIGKILL')
  return performance.now()
}

/** The database of a killed server lives on until the next start finds it. */
async function startAgain(kind: Kind, database: number): Promise<void> {
  await product.gone()
  if (kind === 'server') expect(databases()).toEqual([database])
  await product.start()
}

/** The ids of the databases that run on the product's folder, without their children. */
function databases(): number[] {
  const found = processesOn(join(product.folder, 'pg')).filter((line) => line.includes(' -D '))
  return found.map((line) => parseInt(line))
}

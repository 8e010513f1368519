// Whatever is killed, and whenever: what was answered stays, what was not can be repeated, and nothing is left lying about.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { randomFrom, type Random } from '#server/testing/random.ts'
import { processesOn } from './processes.ts'
import { installProduct, type Product } from './product.ts'
import { signUpWriters } from './writers.ts'

const kinds = ['server', 'database', 'both'] as const
type Kind = (typeof kinds)[number]

const seed = Number(process.env['FOYER_SEED'] ?? Date.now() % 1_000_000)
const count = process.env['FOYER_FULL'] === '1' ? 20 : 3

test(`${count} kills under load lose nothing and double nothing`, { timeout: 60_000 + count * 30_000 }, async () => {
  const random = randomFrom(seed)
  console.log(`crash: seed ${seed} (FOYER_SEED)`)
  await using product = await installProduct()
  await survive(product, random).catch((error: unknown) => {
    console.log(product.said())
    throw error
  })
  expect(await product.stop()).toBe(0)
  await expect.poll(() => processesOn(product.folder)).toEqual([])
})

async function survive(product: Product, random: Random): Promise<void> {
  await product.start()
  const writers = await signUpWriters(product.url, random)
  for (const kind of plan(random)) {
    const before = { server: product.serverId(), database: product.databaseId() }
    let killAfter = 30 + random.below(120)
    let killed: Promise<number> | undefined
    await writers.writeUntilSilence(() => {
      if (--killAfter <= 0) killed ??= kill(kind, product, random)
    })
    const killedAt = await killed
    if (kind !== 'database') await startAgain(product, before, kind)
    const repeated = await writers.repeatUnanswered()
    const silentMs = Math.round(performance.now() - (killedAt ?? NaN))
    const expected = writers.expected()
    console.log(`crash: ${kind} killed; ${expected.length} contacts, ${repeated} writes repeated, served again after ${silentMs} ms`)
    expect(await writers.found()).toEqual(expected)
    expect(databasesOf(product)).toEqual([product.databaseId()])
    expect(product.databaseId()).not.toBe(before.database)
    if (kind !== 'database') continue
    expect(product.serverId()).toBe(before.server)
    expect(silentMs).toBeLessThan(15_000)
  }
}

/** Each kind once, then as it comes. */
function plan(random: Random): Kind[] {
  const turn = random.below(kinds.length)
  return Array.from({ length: count }, (_, at) => (at < kinds.length ? (kinds[(at + turn) % kinds.length] ?? 'both') : random.pick(kinds)))
}

/** A few milliseconds later, so that every step of a write is hit some time. Answers when it was. */
async function kill(kind: Kind, product: Product, random: Random): Promise<number> {
  const victims = { server: [product.serverId()], database: [product.databaseId()], both: [product.serverId(), product.databaseId()] }[kind]
  await sleep(random.below(20))
  for (const id of random.chance(0.5) ? victims : victims.toReversed()) process.kill(id, 'SIGKILL')
  return performance.now()
}

/** The database of a killed server lives on until the next start finds it. */
async function startAgain(product: Product, before: { database: number }, kind: Kind): Promise<void> {
  await product.gone()
  if (kind === 'server') expect(databasesOf(product)).toEqual([before.database])
  await product.start()
}

/** The ids of the databases that run on the product's folder, without their children. */
function databasesOf({ folder }: Product): number[] {
  const found = processesOn(join(folder, 'pg')).filter((line) => line.includes(' -D '))
  return found.map((line) => parseInt(line))
}

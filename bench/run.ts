// npm run bench [-- --rows N] [-- --seconds N] [-- --only list,search] [-- --json FILE]: what the product costs beside a bare server
// on the same database. The two are asked by turns in rounds of a second, so that whatever else the machine does hits both.
import { writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startProduct } from '../tests/product.ts'
import { compareAnswers } from './compare.ts'
import type { Outcome } from './load.ts'
import { addLargeOwner } from './large.ts'
import { memoryMb } from './memory.ts'
import { operations, type Operation } from './operations.ts'
import { addOwners } from './people.ts'
import { startBare, startLoad } from './programs.ts'
import { format, summarise, type Report, type Result } from './report.ts'
import { measureTimings } from './timings.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '10' },
    only: { type: 'string', default: operations.join() },
    json: { type: 'string' },
  },
})
const contacts = wholeNumber('--rows', values.rows)
const seconds = wholeNumber('--seconds', values.seconds)
const wanted = operations.filter((operation) => values.only.split(',').includes(operation))
if (wanted.length !== values.only.split(',').length) throw new Error(`--only takes some of ${operations.join()}`)

await using opened = new AsyncDisposableStack()
const report = await Promise.race([bench(), interruption()])
console.log(format(report))
if (values.json) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`)

async function bench(): Promise<Report> {
  const product = opened.use(await startProduct())
  const port = Number(new URL(product.url).port)
  await sleep(3000) // what the start leaves behind settles
  const started = memoryMb(product.serverId())
  console.error(`Adding ${contacts} contacts and the work around them ...`)
  const filled = await addOwners(product.folder, contacts)
  const { people, socketFolder } = filled
  const bare = opened.adopt(await startBare(socketFolder), ({ stop }) => stop())
  const load = opened.adopt(startLoad(people), ({ stop }) => stop())
  await compareAnswers(port, bare.port, people)

  const busy = loadavg().slice(0, 1)
  const results: Result[] = []
  let rounds = 0
  const ask = (at: number, operation: Operation): Promise<Outcome> =>
    load.run({ port: at, operation, milliseconds: 1000, first: ++rounds * 100_000 })
  for (const operation of wanted) {
    console.error(`Measuring ${operation} ...`)
    results.push(await measure(operation, ask, port, bare.port))
  }
  console.error(`Adding one owner with ${contacts} contacts more ...`)
  const large = await addLargeOwner(product.folder, contacts)
  const timings = await measureTimings(product.url, { ...filled, large })
  busy.push(...loadavg().slice(0, 1))
  const ended = memoryMb(product.serverId())
  await sleep(25_000)
  const memory = { started, ended, idle: memoryMb(product.serverId()) }
  return { contacts, cores: availableParallelism(), load: busy, memoryMb: memory, results, timings }
}

/** A round each to warm up, then one each for every second; who goes first changes. */
async function measure(
  operation: Operation,
  ask: (port: number, operation: Operation) => Promise<Outcome>,
  product: number,
  bare: number,
): Promise<Result> {
  const outcomes: Record<number, Outcome[]> = { [product]: [], [bare]: [] }
  for (let round = 0; round <= seconds; round++) {
    for (const port of round % 2 === 0 ? [product, bare] : [bare, product]) {
      const outcome = await ask(port, operation)
      if (round > 0) outcomes[port]?.push(outcome)
    }
  }
  return summarise(operation, outcomes[product] ?? [], outcomes[bare] ?? [])
}

/** Ctrl-C ends the programs, and nothing of them stays. */
function interruption(): Promise<never> {
  return new Promise((_resolve, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => reject(new Error('Interrupted')))
  })
}

function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,7}$/.test(text)) throw new Error(`${name} must be a whole number from 1`)
  return Number(text)
}

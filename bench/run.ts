// npm run bench -- [--rows N] [--seconds N] [--mebibytes N] [--only list,search,files,texts,answers,imports,bookings] [--json FILE]
// Compares the product with two minimal servers, which do the same work without the product's code: bare.ts for requests, on the same
// PostgreSQL, and bare-files.ts for uploads and downloads, on the same disk. The product and the bare server get requests in turns of one
// second (a round), so that other load on the machine affects both in the same way.
import { writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startProduct, type Product } from '../tests/product.ts'
import { formatAnswers, measureAnswers, type AnswerReport } from './answers.ts'
import { formatBookings, measureBookings, type BookingReport } from './bookings.ts'
import { compareResponses } from './compare.ts'
import { formatFiles, measureFiles, type FileReport } from './files.ts'
import { formatImports, measureImports, type ImportReport } from './imports.ts'
import { addLargeOwner } from './large-owner.ts'
import { operations, type Operation } from './operations.ts'
import { addOwners } from './owners.ts'
import { readCpuTimes, readMemoryMb } from './process-usage.ts'
import { startBareServer, startLoad } from './programs.ts'
import { format, summarise, type Report, type Result, type Round } from './report.ts'
import { formatTexts, measureTexts, type TextReport } from './texts.ts'
import { measureTimings } from './timings.ts'

/** The time in which the server becomes idle and releases memory. */
const idleMs = 25_000
const measurements = ['files', 'texts', 'answers', 'imports', 'bookings'] as const
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '10' },
    mebibytes: { type: 'string', default: '1024' },
    only: { type: 'string', default: [...operations, ...measurements].join() },
    json: { type: 'string' },
  },
})
const contacts = parseWholeNumber('--rows', values.rows)
const seconds = parseWholeNumber('--seconds', values.seconds)
const mebibytes = parseWholeNumber('--mebibytes', values.mebibytes)
const selected = values.only.split(',')
const selectedOperations = operations.filter((operation) => selected.includes(operation))
const selectedMeasurements = measurements.filter((measurement) => selected.includes(measurement))
if (selectedOperations.length + selectedMeasurements.length !== selected.length)
  throw new Error(`--only must be a list of these: ${[...operations, ...measurements].join()}`)

/** The processes of the request benchmark, which takes longest. They are stopped at the end and on Ctrl-C. */
await using resources = new AsyncDisposableStack()
const report = await Promise.race([runBenchmark(), rejectOnSignal()])
const tables = [
  report.requests && format(report.requests),
  report.files && formatFiles(report.files),
  report.texts && formatTexts(report.texts),
  report.answers && formatAnswers(report.answers),
  report.imports && formatImports(report.imports),
  report.bookings && formatBookings(report.bookings),
]
console.log(tables.filter((table) => table !== undefined).join('\n\n'))
if (values.json) {
  const { requests, ...others } = report // the fields of `requests` are at the top level of the JSON
  writeFileSync(values.json, `${JSON.stringify({ ...requests, ...others }, null, 2)}\n`)
}

type Reports = {
  files: FileReport | undefined
  texts: TextReport | undefined
  answers: AnswerReport | undefined
  imports: ImportReport | undefined
  bookings: BookingReport | undefined
  requests: Report | undefined
}

/** Runs the selected benchmarks. Each of them starts the product with an empty database. */
async function runBenchmark(): Promise<Reports> {
  const files = selected.includes('files') ? await runWithNewProduct((product) => measureFiles(product, mebibytes)) : undefined
  const texts = selected.includes('texts') ? await runWithNewProduct(measureTexts) : undefined
  const answers = selected.includes('answers') ? await measureAnswers() : undefined
  const imports = selected.includes('imports') ? await measureImports(contacts) : undefined
  const bookings = selected.includes('bookings') ? await measureBookings() : undefined
  const requests = selectedOperations.length > 0 ? await runRequestBenchmark() : undefined
  return { files, texts, answers, imports, bookings, requests }
}

/** Starts a product for one measurement and stops it after that. */
async function runWithNewProduct<T>(work: (product: Product) => Promise<T>): Promise<T> {
  await using product = await startProduct()
  return await work(product)
}

async function runRequestBenchmark(): Promise<Report> {
  const product = resources.use(await startProduct())
  const port = Number(new URL(product.url).port)
  await sleep(idleMs)
  const afterStart = readMemoryMb(product.serverProcessId())
  console.error(`Adding ${contacts} contacts with deals, tasks and notes ...`)
  const data = await addOwners(product.folder, contacts)
  const { contactsOfOwners, socketFolder } = data
  const bare = resources.adopt(await startBareServer(socketFolder), ({ stop }) => stop())
  const load = resources.adopt(startLoad(contactsOfOwners), ({ stop }) => stop())
  await compareResponses(port, bare.port, contactsOfOwners)

  const [loadBefore = 0] = loadavg()
  const results: Result[] = []
  let rounds = 0
  const runRound = async (serverPort: number, operation: Operation): Promise<Round> => {
    const readCpu = (): ReturnType<typeof readCpuTimes> => readCpuTimes(product.serverProcessId(), product.databaseProcessId())
    const before = readCpu()
    const firstSequenceNumber = ++rounds * 100_000 // no two rounds use the same numbers: a round sends fewer than 100,000 requests
    const outcome = await load.run({ port: serverPort, operation, milliseconds: 1000, firstSequenceNumber })
    const after = readCpu()
    if (!before || !after) return outcome
    return { ...outcome, cpu: { nodeMs: after.nodeMs - before.nodeMs, postgresMs: after.postgresMs - before.postgresMs } }
  }
  for (const operation of selectedOperations) {
    console.error(`Measuring ${operation} ...`)
    results.push(await measure(operation, runRound, port, bare.port))
  }
  console.error(`Adding one owner with ${contacts} more contacts ...`)
  const largeOwner = await addLargeOwner(product.folder, contacts)
  const timings = await measureTimings(product.url, { ...data, largeOwner })
  const [loadAfter = 0] = loadavg()
  const afterLastRequest = readMemoryMb(product.serverProcessId())
  await sleep(idleMs)
  const memory = { afterStart, afterLastRequest, idle: readMemoryMb(product.serverProcessId()) }
  return {
    contacts,
    cores: availableParallelism(),
    loadAverages: { before: loadBefore, after: loadAfter },
    memoryMb: memory,
    results,
    timings,
  }
}

/** Sends requests to both servers in turns: one warm-up round for each server, then `seconds` rounds of one second for each server. */
async function measure(
  operation: Operation,
  runRound: (port: number, operation: Operation) => Promise<Round>,
  productPort: number,
  barePort: number,
): Promise<Result> {
  const outcomes: Record<number, Round[]> = { [productPort]: [], [barePort]: [] }
  for (let round = 0; round <= seconds; round++) {
    for (const port of round % 2 === 0 ? [productPort, barePort] : [barePort, productPort]) {
      const outcome = await runRound(port, operation)
      if (round > 0) outcomes[port]?.push(outcome) // round 0 is the warm-up
    }
  }
  return summarise(operation, outcomes[productPort] ?? [], outcomes[barePort] ?? [])
}

/** Rejects on Ctrl-C, so that `resources` are disposed of: the processes are stopped and their folders removed. */
function rejectOnSignal(): Promise<never> {
  return new Promise((_resolve, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => reject(new Error('Interrupted')))
  })
}

function parseWholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,7}$/.test(text)) throw new Error(`${name} must be a whole number from 1 to 99,999,999`)
  return Number(text)
}

// Measures answers of the assistant: the delay with which their pieces reach readers, for one answer and for 200 at once, their effect on
// other requests, and the memory of the product. An endpoint in a process of its own sends the pieces.
import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { startProduct, type Product } from '../tests/product.ts'
import { readAnswer, readAnswerOfEndpoint, openEvents, startAnswer } from './answer-client.ts'
import { quantile } from './latency.ts'
import { addOwners, type OwnedContact } from './owners.ts'
import { readCpuTimes, readMemoryMb, readPeakMemoryMb } from './process-usage.ts'
import { startAnswerEndpoint, startLoad } from './programs.ts'

/** The time from the sending of a piece to its arrival. `cpuShare` is the share of a core that the product's Node process used. */
type Delays = {
  name: string
  pieces: number
  p50Ms: number
  p95Ms: number
  maxMs: number
  cpuShare: number | undefined
  goalMs: number | undefined
}
export type AnswerReport = {
  cores: number
  loadAverages: { before: number; after: number }
  delays: Delays[]
  /** Requests per second without answers and beside 200 answers. */
  requestsPerSecond: { alone: number; beside: number }
  /** Resident memory of the product's Node process. */
  memoryMb: { idle: number; afterFirst: number; peak: number; perPausedReader: number }
}

type Endpoint = Pick<Awaited<ReturnType<typeof startAnswerEndpoint>>, 'begin'>
/** Answers with connected readers. `read` makes the endpoint begin, and returns the delays of all pieces. */
type OpenAnswers = { read: (endpoint: Endpoint) => Promise<number[]> }

const answersAtOnce = 200
/** The endpoint sends ten pieces a second. */
const piecesPerAnswer = 100
/** The message to which `answer-endpoint.ts` sends an answer of this many pieces. */
const prompt = `pieces ${piecesPerAnswer}`
const startsAtOnce = 5
const contacts = 10_000
const pausedReaders = 40
/**
 * `oneMs`, `manyMs`: the p95 of the delays of one answer, and of many. `growthMb`: the growth of the memory. `share`: the requests per
 * second beside the answers, divided by the requests per second without answers.
 */
const goals = { oneMs: 10, manyMs: 60, growthMb: 180, share: 1 / 3, pausedReaderMb: 5 }

/** Starts an endpoint and a product that uses this endpoint as its AI, and measures. */
export async function measureAnswers(): Promise<AnswerReport> {
  await using resources = new AsyncDisposableStack()
  const endpoint = resources.adopt(await startAnswerEndpoint(), ({ stop }) => stop())
  const endpointUrl = `http://127.0.0.1:${endpoint.port}/v1`
  const product = resources.use(await startProduct({ AI_URL: endpointUrl, AI_MODEL: 'small' }))
  console.error('Adding owners ...')
  const { contactsOfOwners } = await addOwners(product.folder, contacts)
  const owners = [...new Map(contactsOfOwners.map((contact) => [contact.userId, contact])).values()]
  const load = resources.adopt(startLoad(contactsOfOwners), ({ stop }) => stop())
  const [before = 0] = loadavg()
  const idle = readMemoryMb(product.serverProcessId())

  const open = (count: number): Promise<OpenAnswers> => openAtOnce(product, owners, count)
  await (await open(1)).read(endpoint) // loads the AI SDK
  const afterFirst = readMemoryMb(product.serverProcessId())
  await (await open(20)).read(endpoint) // a warm-up
  const measure = (name: string, answers: Promise<OpenAnswers>, goalMs?: number): Promise<Delays> =>
    measureDelays(product, name, async () => (await answers).read(endpoint), goalMs)
  const delays = [
    await measure('one answer', open(1), goals.oneMs),
    await measure(`${answersAtOnce} answers`, open(answersAtOnce), goals.manyMs),
    { ...(await measure(`${answersAtOnce} without the product`, openOfEndpoint(endpointUrl))), cpuShare: undefined },
  ]
  const peak = readPeakMemoryMb(product.serverProcessId())

  console.error('Measuring other requests ...')
  const sendRequests = async (firstSequenceNumber: number): Promise<number> => {
    const port = Number(new URL(product.url).port)
    const { latenciesMs, elapsedMs } = await load.run({ port, operation: 'list', milliseconds: 5000, firstSequenceNumber })
    return (1000 * latenciesMs.length) / elapsedMs
  }
  await sendRequests(0) // a warm-up
  const alone = await sendRequests(1e6)
  const answers = (await open(answersAtOnce)).read(endpoint)
  await sleep(1000)
  const beside = await sendRequests(2e6)
  await answers
  const perPausedReader = await measurePausedReaders(product, owners, endpoint)
  const [after = 0] = loadavg()
  return {
    cores: availableParallelism(),
    loadAverages: { before, after },
    delays,
    requestsPerSecond: { alone, beside },
    memoryMb: { idle, afterFirst, peak, perPausedReader },
  }
}

/** Starts this number of answers, which belong to the owners in turn, each with one reader. Resolves when all readers are connected. */
async function openAtOnce({ url }: Product, owners: OwnedContact[], count: number): Promise<OpenAnswers> {
  const waiting = Array.from({ length: count }, (_, index) => owners[index % owners.length])
  const remaining = waiting.values() // one iterator for all, so that each answer is started once
  const readers: (() => Promise<number[]>)[] = []
  const openRemaining = async (): Promise<void> => {
    for (const owner of remaining) if (owner) readers.push(await readAnswer(url, owner, prompt))
  }
  await Promise.all(Array.from({ length: startsAtOnce }, openRemaining))
  return toOpenAnswers(readers)
}

/** Does the same as `openAtOnce` without the product in between. */
async function openOfEndpoint(endpointUrl: string): Promise<OpenAnswers> {
  const open = (): Promise<() => Promise<number[]>> => readAnswerOfEndpoint(endpointUrl, prompt)
  return toOpenAnswers(await Promise.all(Array.from({ length: answersAtOnce }, open)))
}

const toOpenAnswers = (readers: readonly (() => Promise<number[]>)[]): OpenAnswers => ({
  read: async ({ begin }) => {
    await sleep(500) // until the endpoint has been asked for all answers
    begin()
    const delays = (await Promise.all(readers.map((read) => read()))).flat()
    const expected = readers.length * piecesPerAnswer
    if (delays.length !== expected) throw new Error(`${delays.length} of ${expected} pieces arrived`)
    return delays
  },
})

async function measureDelays(product: Product, name: string, work: () => Promise<number[]>, goalMs: number | undefined): Promise<Delays> {
  console.error(`Measuring ${name} ...`)
  const readCpu = (): number => readCpuTimes(product.serverProcessId(), product.databaseProcessId())?.nodeMs ?? NaN
  const cpuBefore = readCpu()
  const started = performance.now()
  const delays = await work()
  const cpuShare = (readCpu() - cpuBefore) / (performance.now() - started)
  const [p50Ms, p95Ms, maxMs] = [quantile(delays, 0.5), quantile(delays, 0.95), quantile(delays, 1)]
  return { name, pieces: delays.length, p50Ms, p95Ms, maxMs, cpuShare, goalMs }
}

/** Returns how much more memory the product needs for each reader that opens a large answer and then reads nothing. */
async function measurePausedReaders({ url, serverProcessId }: Product, owners: OwnedContact[], { begin }: Endpoint): Promise<number> {
  console.error('Measuring readers that read nothing ...')
  const [owner] = owners
  if (!owner) return NaN
  const answerId = await startAnswer(url, owner, 'large')
  begin()
  await sleep(5000) // until the whole text has arrived
  const before = readMemoryMb(serverProcessId())
  const readers = await Promise.all(Array.from({ length: pausedReaders }, async () => (await openEvents(url, owner, answerId)).pause()))
  await sleep(5000)
  const after = readMemoryMb(serverProcessId())
  for (const reader of readers) reader.destroy()
  return (after - before) / pausedReaders
}

export function formatAnswers({ cores, loadAverages, delays, requestsPerSecond, memoryMb }: AnswerReport): string {
  const line = (name: string, ...cells: (string | number)[]): string =>
    [name.padEnd(28), ...cells.map((cell) => String(cell).padStart(9))].join(' ')
  const { alone, beside } = requestsPerSecond
  const { idle, afterFirst, peak, perPausedReader } = memoryMb
  return [
    `Answers of 10 pieces a second, ${cores} cores, load ${loadAverages.before.toFixed(1)} to ${loadAverages.after.toFixed(1)}`,
    '',
    line('', 'pieces', 'p50 ms', 'p95 ms', 'goal', 'max ms', 'node cpu'),
    ...delays.map(({ name, pieces: count, p50Ms, p95Ms, maxMs, cpuShare, goalMs }) =>
      line(
        name,
        count,
        p50Ms.toFixed(1),
        p95Ms.toFixed(1),
        goalMs ?? '',
        maxMs.toFixed(0),
        cpuShare === undefined ? '' : `${(100 * cpuShare).toFixed(0)} %`,
      ),
    ),
    '',
    'From the moment at which the endpoint sends a piece until the reader has it. All processes share the cores. Goals are for p95.',
    `Lists of contacts a second: ${alone.toFixed(0)}, beside ${answersAtOnce} answers ${beside.toFixed(0)}; ratio ${(beside / alone).toFixed(2)} (goal: ${goals.share.toFixed(2)})`,
    `Memory of the product's Node process: ${idle} MB before the first answer, ${afterFirst} MB after it, ${peak} MB at most; growth since the first answer ${peak - afterFirst} MB (goal: under ${goals.growthMb} MB)`,
    `A reader that reads nothing: ${perPausedReader.toFixed(1)} MB (goal: under ${goals.pausedReaderMb} MB)`,
  ].join('\n')
}

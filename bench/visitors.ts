// Sends requests of visitors to public pages, and compares their rate with that of a bare server that sends the same bytes.
import { Agent, createServer, request } from 'node:http'
import { quantile } from './latency.ts'
import type { CpuTimes } from './process-usage.ts'

type RatePair = { product: number; bare: number }
/** Requests a second. `ratio` is the median of the ratios of all rounds, and `cpu` is the CPU time of the product for a request in ms. */
export type Rates = RatePair & { ratio: number; cpu: CpuTimes | undefined }

export const connections = 16
const rounds = 5

const agent = new Agent({ keepAlive: true, maxSockets: connections })

/** Sends a request and returns the body. Throws for an error. */
export function send(method: string, url: string, headers: Record<string, string> = {}, body?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.once('error', reject).once('end', () => {
        const text = Buffer.concat(parts).toString()
        if ((response.statusCode ?? 500) < 300) resolve(text)
        else reject(new Error(`${method} ${url} returned ${response.statusCode}: ${text.slice(0, 300)}`))
      })
    })
    outgoing.once('error', reject).end(body)
  })
}

/** Runs work over all connections for a time, and returns how often it was done in a second. `work` returns false when nothing is left. */
export async function measureRate(durationMs: number, work: () => Promise<boolean>): Promise<number> {
  const started = performance.now()
  let count = 0
  const run = async (): Promise<void> => {
    while (performance.now() - started < durationMs && (await work())) count++
  }
  await Promise.all(Array.from({ length: connections }, run))
  return (1000 * count) / (performance.now() - started)
}

/** Returns the network address of the visitor with this number; each visitor has a different address. */
export const toAddress = (number: number): string => `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`

/** Measures requests for a page, in turns with requests to a bare server. `readCpu` reads the CPU times of the product. */
export async function measurePages(url: string, readCpu: () => CpuTimes | undefined): Promise<Rates> {
  const page = await send('GET', url)
  const bareServer = createServer((_incoming, response) => response.setHeader('content-type', 'text/html; charset=utf-8').end(page))
  await new Promise<void>((resolve) => void bareServer.listen(0, '127.0.0.1', resolve))
  const address = bareServer.address()
  const bareUrl = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`
  let visitor = 0
  const view = async (target: string): Promise<boolean> => {
    await send('GET', target, { 'x-forwarded-for': toAddress(visitor++) })
    return true
  }
  const rates = await measureInTurns({ product: () => view(url), bare: () => view(bareUrl), readCpu, roundMs: 2000 })
  bareServer.close()
  return rates
}

type ComparedWork = {
  product: () => Promise<boolean>
  bare: () => Promise<boolean>
  readCpu: () => CpuTimes | undefined
  roundMs: number
}

/** Measures the rates of the product and of a bare server in turns, after a warm-up of both. `product` and `bare`: see `measureRate`. */
export async function measureInTurns({ product, bare, readCpu, roundMs }: ComparedWork): Promise<Rates> {
  await measureRate(roundMs, product)
  await measureRate(roundMs, bare)
  const results: (RatePair & { nodeMs: number; postgresMs: number })[] = []
  for (let round = 0; round < rounds; round++) {
    let requests = 0
    const before = readCpu()
    const rate = await measureRate(roundMs, async () => {
      requests++
      return product()
    })
    const after = readCpu()
    const cpuOf = (name: keyof CpuTimes): number => ((after?.[name] ?? NaN) - (before?.[name] ?? NaN)) / requests
    results.push({ product: rate, bare: await measureRate(roundMs, bare), nodeMs: cpuOf('nodeMs'), postgresMs: cpuOf('postgresMs') })
  }
  const medianOf = (value: (result: (typeof results)[number]) => number): number => quantile(results.map(value), 0.5)
  return {
    product: medianOf((result) => result.product),
    bare: medianOf((result) => result.bare),
    ratio: medianOf((result) => result.product / result.bare),
    // `readCpu` returns undefined on systems without /proc
    cpu: readCpu() && { nodeMs: medianOf(({ nodeMs }) => nodeMs), postgresMs: medianOf(({ postgresMs }) => postgresMs) },
  }
}

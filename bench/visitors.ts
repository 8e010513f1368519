// Sends requests of visitors to public pages, and compares their rate with that of a bare server that sends the same bytes.
import { Agent, createServer, request } from 'node:http'
import { quantile } from './report.ts'
import type { CpuTimes } from './process-usage.ts'

export type Ratio = { product: number; bare: number }
/** Views a second. `ratio` is the median of the rounds, and `cpu` is the CPU time of the product for a view in ms. */
export type PageRates = Ratio & { ratio: number; cpu: CpuTimes | undefined }

export const connections = 16
const rounds = 5
const roundMs = 2000

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

/** An own network address for each visitor. */
export const toAddress = (number: number): string => `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`

/** Measures the views of a page, in turns with those of a bare server. `readCpu` reads the CPU times of the product. */
export async function measurePages(url: string, readCpu: () => CpuTimes | undefined): Promise<PageRates> {
  const page = await send('GET', url)
  const bareServer = createServer((_incoming, response) => response.setHeader('content-type', 'text/html; charset=utf-8').end(page))
  await new Promise<void>((resolve) => void bareServer.listen(0, '127.0.0.1', resolve))
  const address = bareServer.address()
  const bareUrl = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`
  let visitor = 0
  const measure = (target: string): Promise<number> =>
    measureRate(roundMs, async () => {
      await send('GET', target, { 'x-forwarded-for': toAddress(visitor++) })
      return true
    })
  await measure(url) // a warm-up
  await measure(bareUrl)
  const results: (Ratio & { nodeMs: number; postgresMs: number })[] = []
  for (let round = 0; round < rounds; round++) {
    const [before, viewsBefore] = [readCpu(), visitor]
    const product = await measure(url)
    const [after, views] = [readCpu(), visitor - viewsBefore]
    const cpuOf = (name: keyof CpuTimes): number => ((after?.[name] ?? NaN) - (before?.[name] ?? NaN)) / views
    results.push({ product, bare: await measure(bareUrl), nodeMs: cpuOf('nodeMs'), postgresMs: cpuOf('postgresMs') })
  }
  bareServer.close()
  const medianOf = (value: (result: (typeof results)[number]) => number): number => quantile(results.map(value), 0.5)
  return {
    product: medianOf(({ product }) => product),
    bare: medianOf(({ bare }) => bare),
    ratio: medianOf(({ product, bare }) => product / bare),
    cpu: readCpu() && { nodeMs: medianOf(({ nodeMs }) => nodeMs), postgresMs: medianOf(({ postgresMs }) => postgresMs) },
  }
}

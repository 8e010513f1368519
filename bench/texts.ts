// Measures the upload of small files with text, compared with a bare file server, and searches in the texts of many documents.
import { mkdirSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import type { Product } from '../tests/product.ts'
import { waitForJobs } from './file-owner.ts'
import { readCpuTimes, readChildProcessesMs } from './process-usage.ts'
import { startBareFileServer } from './programs.ts'
import { measureSmallFiles, smallFiles, type SmallFileReport } from './small-files.ts'
import { addTextOwner, textCounts } from './text-owner.ts'
import { measureSearches, searchGoalMs, type SearchTiming } from './text-search.ts'

export type TextReport = {
  cores: number
  loadAverages: { before: number; after: number }
  smallFiles: SmallFileReport[]
  searches: SearchTiming[]
}

export async function measureTexts(product: Product): Promise<TextReport> {
  console.error(`Adding ${textCounts.documents} documents ...`)
  const owner = await addTextOwner(product.folder)
  const server = { port: Number(new URL(product.url).port), token: owner.token }
  const [serverProcessId, databaseProcessId] = [product.serverProcessId(), product.databaseProcessId()]
  const readCpu = () => readCpuTimes(serverProcessId, databaseProcessId)
  const readCpuSeconds = (): number => {
    const { nodeMs, postgresMs } = readCpu() ?? { nodeMs: NaN, postgresMs: NaN }
    return (nodeMs + postgresMs + readChildProcessesMs(serverProcessId, databaseProcessId)) / 1000
  }
  const bareFolder = join(product.folder, 'bare')
  mkdirSync(bareFolder)
  const bare = await startBareFileServer(bareFolder, '')
  try {
    const [before = 0] = loadavg()
    const searches = await measureSearches(server, owner, readCpu)
    const reports = await measureSmallFiles({ server, bare, readCpuSeconds, waitForTexts: () => waitForJobs(product.folder, owner) })
    const [after = 0] = loadavg()
    return { cores: availableParallelism(), loadAverages: { before, after }, smallFiles: reports, searches }
  } finally {
    await bare.stop()
  }
}

export function formatTexts({ cores, loadAverages, smallFiles: uploads, searches }: TextReport): string {
  const line = (name: string, ...cells: (string | number)[]): string =>
    [name.padEnd(42), ...cells.map((cell) => String(cell).padStart(9))].join(' ')
  const { documents, bytes, filesWithoutText } = textCounts
  return [
    `${documents.toLocaleString('en')} documents of ${bytes / 1000} kB and ${filesWithoutText.toLocaleString('en')} other files, ${cores} cores, load ${loadAverages.before.toFixed(1)} to ${loadAverages.after.toFixed(1)}`,
    '',
    line('', 'hits', 'p50 ms', 'p95 ms', 'goal', 'cpu ms', 'ratio'),
    ...searches.map(({ name, where, hits, latency, cpuMs, ratio }) =>
      line(`${name}, ${where}`, hits, latency.p50Ms.toFixed(1), latency.p95Ms.toFixed(1), searchGoalMs, cpuMs.toFixed(1), ratio.toFixed(1)),
    ),
    '',
    line('', 'seconds', 'goal', 'bare', 'ratio', 'cpu s', 'read s', 'cpu s'),
    ...uploads.map(({ type, upload, bareSeconds, ratio, read }) =>
      line(
        `${smallFiles.count} ${type} files of ${smallFiles.bytes / 1000} kB`,
        upload.seconds.toFixed(2),
        smallFiles.goalSeconds,
        bareSeconds.toFixed(2),
        ratio.toFixed(2),
        upload.cpuSeconds.toFixed(1),
        read.seconds.toFixed(2),
        read.cpuSeconds.toFixed(1),
      ),
    ),
    '',
    'Searches: latency and CPU time of a single client, and the CPU time divided by that of the list without a search. Goals are for p95.',
    `Uploads: ${smallFiles.parallel} requests at a time, beside the bare server on the same disk. Read: from the first request until no text and no hash waits.`,
  ].join('\n')
}

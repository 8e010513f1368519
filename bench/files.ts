// Measures the product's uploads and downloads and compares them with a bare file server on the same disk. Also measures a zip of small
// files, and the list of a large folder.
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { Zip } from '#contract/fileSelection.ts'
import { File } from '#contract/files.ts'
import { partBytes, Upload } from '#contract/uploads.ts'
import type { Product } from '../tests/product.ts'
import { download, sendJson, sendParts, type Server } from './file-client.ts'
import { measureLists, type ListTiming } from './file-lists.ts'
import { addFileOwner, fileCounts, waitForJobs } from './file-owner.ts'
import { readCpuTimes, readMemoryMb } from './process-usage.ts'
import { startBareFileServer } from './programs.ts'

/** The transfer of one file: its speed in MB (10^6 bytes) per second, and the CPU seconds of Node and PostgreSQL. */
type Transfer = { mbPerSecond: number; cpuSeconds: number }
type Comparison = { name: string; product: Transfer; bare: Transfer; ratio: number; goal: number }
export type FileReport = {
  mebibytes: number
  cores: number
  loadAverages: { before: number; after: number }
  comparisons: Comparison[]
  zip: Transfer & { files: number; seconds: number }
  lists: ListTiming[]
  memoryMb: { before: number; after: number }
}

const rounds = 3
/** The goals for the speed of the product divided by the speed of the bare server. */
const uploadGoal = 0.6
const downloadGoal = 0.7

/** Measures uploads and downloads of a file of this size. Each server gets three rounds of each transfer, in turns. */
export async function measureFiles(product: Product, mebibytes: number): Promise<FileReport> {
  const partCount = Math.max(1, Math.round((mebibytes * 1024 ** 2) / partBytes))
  console.error(`Adding ${fileCounts.large + fileCounts.small} files ...`)
  const owner = await addFileOwner(product.folder)
  const server: Server = { port: Number(new URL(product.url).port), token: owner.token }
  const bareFolder = join(product.folder, 'bare')
  const bareFile = join(bareFolder, 'download')
  mkdirSync(bareFolder)
  for (let number = 0; number < partCount; number++) writeFileSync(bareFile, Buffer.alloc(partBytes, number), { flag: 'a' })
  const bareServer = await startBareFileServer(bareFolder, bareFile)
  const bytes = partCount * partBytes
  const measureProduct = (work: () => Promise<unknown>, size = bytes): Promise<Transfer> =>
    measure(size, product.serverProcessId(), product.databaseProcessId(), work)
  const measureBare = (work: () => Promise<unknown>): Promise<Transfer> => measure(bytes, bareServer.pid, 0, work) // 0: without a database
  try {
    const [before = 0] = loadavg()
    let file = await upload(server, partCount) // a warm-up
    const memoryBefore = readMemoryMb(product.serverProcessId())
    const uploads = await compare('upload', uploadGoal, {
      product: async () => {
        const transfer = await measureProduct(async () => void (file = await upload(server, partCount)))
        await waitForJobs(product.folder, owner) // the job that computes the checksum must not slow down the other server
        return transfer
      },
      bare: () => measureBare(() => sendParts(bareServer, partCount, (number) => `/${number}`)),
    })
    const downloads = await compare('download', downloadGoal, {
      product: () => measureProduct(() => requireBytes(download(server, `/api/files/${file}/content`), bytes)),
      bare: () => measureBare(() => requireBytes(download(bareServer, '/'), bytes)),
    })
    console.error('Measuring a zip ...')
    const zip = await measureZip(server, owner.smallFilesFolder, measureProduct)
    const lists = await measureLists(server, owner.largeFolder)
    const [after = 0] = loadavg()
    return {
      mebibytes: bytes / 1024 ** 2,
      cores: availableParallelism(),
      loadAverages: { before, after },
      comparisons: [uploads, downloads],
      zip,
      lists,
      memoryMb: { before: memoryBefore, after: readMemoryMb(product.serverProcessId()) },
    }
  } finally {
    await bareServer.stop()
  }
}

/** Uploads a file, and returns its id. */
async function upload(server: Server, partCount: number): Promise<string> {
  const newUpload = Upload.parse(
    await sendJson(server, 'POST', '/api/uploads', { file_name: 'Large.bin', file_size: partCount * partBytes }),
  )
  await sendParts(server, partCount, (number) => `/api/uploads/${newUpload.id}/parts/${number}`)
  return File.parse(await sendJson(server, 'POST', `/api/uploads/${newUpload.id}/finish`)).id
}

async function requireBytes(received: Promise<number>, expected: number): Promise<void> {
  const bytes = await received
  if (bytes !== expected) throw new Error(`${bytes} of ${expected} bytes arrived`)
}

/** Measures the time and the CPU time of a transfer of `bytes`. */
async function measure(bytes: number, serverProcessId: number, databaseProcessId: number, work: () => Promise<unknown>): Promise<Transfer> {
  const cpuBefore = readCpuTimes(serverProcessId, databaseProcessId)
  const started = performance.now()
  await work()
  const seconds = (performance.now() - started) / 1000
  const cpuAfter = readCpuTimes(serverProcessId, databaseProcessId)
  const cpuMs = cpuBefore && cpuAfter ? cpuAfter.nodeMs + cpuAfter.postgresMs - cpuBefore.nodeMs - cpuBefore.postgresMs : NaN
  return { mbPerSecond: bytes / 1e6 / seconds, cpuSeconds: cpuMs / 1000 }
}

/** Runs the rounds of both servers in turns; the server that begins alternates. Returns the round with the median ratio of all rounds. */
async function compare(
  name: string,
  goal: number,
  { product, bare }: Record<'product' | 'bare', () => Promise<Transfer>>,
): Promise<Comparison> {
  console.error(`Measuring ${name} ...`)
  const results: { product: Transfer; bare: Transfer }[] = []
  for (let round = 0; round < rounds; round++) {
    const bareFirst = round % 2 === 0 ? await bare() : undefined
    const productTransfer = await product()
    results.push({ product: productTransfer, bare: bareFirst ?? (await bare()) })
  }
  const ratioOf = (result: (typeof results)[number]): number => result.product.mbPerSecond / result.bare.mbPerSecond
  const median = results.toSorted((a, b) => ratioOf(a) - ratioOf(b))[Math.floor(rounds / 2)]
  if (!median) throw new Error('There are no rounds')
  return { name, ...median, ratio: ratioOf(median), goal }
}

async function measureZip(
  server: Server,
  folder: string,
  measureTransfer: (work: () => Promise<unknown>, size: number) => Promise<Transfer>,
): Promise<FileReport['zip']> {
  const { url, size } = Zip.parse(await sendJson(server, 'POST', '/api/files/zip', { folder_ids: [folder] }))
  await requireBytes(download(server, url), size) // a warm-up
  const transfer = await measureTransfer(() => requireBytes(download(server, url), size), size)
  return { ...transfer, files: fileCounts.small, seconds: size / 1e6 / transfer.mbPerSecond }
}

export function formatFiles({ mebibytes, cores, loadAverages, comparisons, zip, lists, memoryMb }: FileReport): string {
  const line = (name: string, ...cells: (string | number)[]): string =>
    [name.padEnd(20), ...cells.map((cell) => String(cell).padStart(10))].join(' ')
  return [
    `A file of ${mebibytes} MiB, ${cores} cores, load ${loadAverages.before.toFixed(1)} to ${loadAverages.after.toFixed(1)}`,
    '',
    line('', 'product', 'cpu s', 'bare', 'cpu s', 'ratio', 'goal'),
    ...comparisons.map(({ name, product, bare, ratio, goal }) =>
      line(
        `${name}, MB/s`,
        product.mbPerSecond.toFixed(0),
        product.cpuSeconds.toFixed(1),
        bare.mbPerSecond.toFixed(0),
        bare.cpuSeconds.toFixed(1),
        ratio.toFixed(2),
        goal.toFixed(2),
      ),
    ),
    '',
    `A zip of ${zip.files.toLocaleString('en')} files of 4 KiB: ${zip.seconds.toFixed(2)} s, ${zip.cpuSeconds.toFixed(1)} s CPU`,
    '',
    line(`${fileCounts.large.toLocaleString('en')} files`, 'first p50', 'first p95', 'middle p50', 'middle p95'),
    ...lists.map(({ sort, order, first, middle }) =>
      line(`${sort} ${order}, ms`, ...[first.p50Ms, first.p95Ms, middle.p50Ms, middle.p95Ms].map((ms) => ms.toFixed(1))),
    ),
    '',
    'Both servers get parts of 8 MiB, three at a time, and flush each to the disk before they respond. The median of three rounds is shown.',
    `Memory of the product's Node process: ${memoryMb.before} MB after a first upload, ${memoryMb.after} MB at the end`,
  ].join('\n')
}

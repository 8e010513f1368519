// Measures the upload of 200 small files to the product and to the bare file server, and the time until the product's jobs have read the
// texts of all files, so that searches find them.
import { createDocx } from '#server/testing/documents.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { sendBodies, type Server } from './file-client.ts'

/** `cpuSeconds` is the CPU time of the server's Node process, of its child processes, and of PostgreSQL. */
type Work = { seconds: number; cpuSeconds: number }
/**
 * `upload` and `read` both begin with the first request. `upload` ends with the last response, `read` when all texts have been read.
 * `ratio` is 0.5 if the upload to the product takes twice as long as the upload to the bare server.
 */
export type SmallFileReport = { type: string; upload: Work; bareSeconds: number; ratio: number; read: Work }

export const smallFiles = { count: 200, bytes: 20_000, parallel: 6, goalSeconds: 5 } as const

type Servers = { server: Server; bare: Server; readCpuSeconds: () => number; waitForTexts: () => Promise<void> }

/** Uploads text files and Word files. */
export async function measureSmallFiles(servers: Servers): Promise<SmallFileReport[]> {
  const reports: SmallFileReport[] = []
  for (const type of ['txt', 'docx'] as const) {
    console.error(`Measuring ${smallFiles.count} small files of the type ${type} ...`)
    await measureUpload(servers, type, 10) // a warm-up
    await servers.waitForTexts()
    reports.push(await measureUpload(servers, type, smallFiles.count))
  }
  return reports
}

async function measureUpload(
  { server, bare, readCpuSeconds, waitForTexts }: Servers,
  type: 'txt' | 'docx',
  count: number,
): Promise<SmallFileReport> {
  const files = Array.from({ length: count }, (_, index) => createFile(type, index))
  const toPath = (index: number): string => {
    const name = `Small file ${index} ${newId()}.${type}`
    const query = new URLSearchParams({ id: newId(), file_name: name, file_size: String(files[index]?.byteLength ?? 0) })
    return `/api/uploads/whole?${query.toString()}`
  }
  const cpuBefore = readCpuSeconds()
  const started = performance.now()
  const workSinceStart = (): Work => ({ seconds: (performance.now() - started) / 1000, cpuSeconds: readCpuSeconds() - cpuBefore })
  await sendBodies(server, 'POST', files, toPath, smallFiles.parallel)
  const uploaded = workSinceStart()
  await waitForTexts()
  const read = workSinceStart()
  const bareStarted = performance.now()
  await sendBodies(bare, 'PUT', files, (index) => `/${type}${index}`, smallFiles.parallel)
  const bareSeconds = (performance.now() - bareStarted) / 1000
  return { type, upload: uploaded, bareSeconds, ratio: bareSeconds / uploaded.seconds, read }
}

/**
 * Creates a file with a text of `smallFiles.bytes` bytes, whose words have five letters or digits each. The words look random, but are the
 * same in every run.
 */
function createFile(type: 'txt' | 'docx', index: number): Buffer {
  const count = Math.ceil((smallFiles.bytes + 1) / 6) // each word takes 6 bytes with the space between two words
  const words = Array.from({ length: count }, (_, place) => ((place * 7919 + index * 104_729) % 46_656).toString(36).padStart(5, 'w'))
  const text = words.join(' ').slice(0, smallFiles.bytes)
  return type === 'txt' ? Buffer.from(text) : createDocx(Array.from({ length: 40 }, (_, part) => text.slice(part * 500, (part + 1) * 500)))
}

// The program that reads one file. A worker thread reads the file, because the main thread must be able to end the reading at any time.
import { createWriteStream } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { TextReason } from '#contract/fileTexts.ts'
import type { ProgramResult } from './request.ts'

const timeoutMs = 12_000
/** The limits of the heap do not count the bytes of images and unpacked files, so the whole process has a limit too. */
const maxProcessBytes = 600 * 1024 * 1024
const memoryCheckMs = 25

const worker = new Worker(new URL('worker.ts', import.meta.url), {
  workerData: JSON.parse(process.argv[2] ?? '{}'),
  env: {},
  stdout: true,
  stderr: true,
  resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
})
worker.once('message', finish)
worker.once('error', (error) => fail(isOutOfMemory(error) ? 'out_of_memory' : 'damaged'))
setTimeout(() => fail('timeout'), timeoutMs)
setInterval(() => {
  if (process.memoryUsage.rss() > maxProcessBytes) fail('out_of_memory')
}, memoryCheckMs)
// the standard input ends when the server ends, also by SIGKILL
process.stdin.on('end', () => process.exit()).on('error', () => process.exit())
process.stdin.resume()

let isFinished = false

function fail(reason: TextReason): void {
  finish({ text: { reason } })
}

/** Writes the result to file descriptor 4, from which the server reads it, and ends the program. */
function finish(result: ProgramResult): void {
  if (isFinished) return
  isFinished = true
  createWriteStream('', { fd: 4 }).end(JSON.stringify(result), () => process.exit())
}

const isOutOfMemory = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'

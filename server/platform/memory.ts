import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** A process that uses less than this fraction of a core is idle. An idle process only polls for jobs and changes. */
const maxIdleCpuShare = 0.02

/**
 * The number of bytes after which young objects are collected. With 8 MiB, a process with a small heap would still collect the whole heap
 * after every 20 MB.
 */
const bytesBetweenCollections = 2 * 1024 ** 2

let transferredBytes = 0
let knownCollector: NodeJS.GCFunction | undefined

/**
 * Counts bytes that pass through the process in buffers of 64 KiB and more. After every 2 MiB it frees the buffers that are no longer used,
 * by a collection of the young objects, which takes 0.2 ms. V8 alone would free them late: it counts only the small objects that hold the
 * buffers, and then collects the whole heap, which takes half of the CPU time of an upload.
 */
export function countTransferredBytes(bytes: number): void {
  transferredBytes += bytes
  if (transferredBytes < bytesBetweenCollections) return
  transferredBytes = 0
  collector()({ type: 'minor', execution: 'sync' })
}

/**
 * Collects garbage once whenever the process becomes idle after work. The collection pauses the process for about 30 ms and returns memory
 * to the operating system. V8 would keep the memory, because its memory reducer does not run in a process that allocates nothing.
 */
export function releaseMemoryWhenIdle({ everyMs = 10_000 } = {}): void {
  let previous = process.cpuUsage()
  let hasWorked = true // the start counts as work
  setInterval(() => {
    const { user, system } = process.cpuUsage(previous)
    previous = process.cpuUsage()
    const isIdle = (user + system) / 1000 < maxIdleCpuShare * everyMs
    if (isIdle && hasWorked) collector()({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    hasWorked = !isIdle
  }, everyMs).unref()
}

/** Returns the garbage collector of V8, which is hidden without the flag `--expose-gc`. */
function collector(): NodeJS.GCFunction {
  if (knownCollector) return knownCollector
  setFlagsFromString('--expose-gc')
  const newCollector: NodeJS.GCFunction = runInNewContext('gc')
  knownCollector = newCollector
  return newCollector
}

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** A process that uses less than this fraction of a core is idle. An idle process only polls for jobs and changes. */
const maxIdleCpuShare = 0.02

/**
 * Collects garbage once whenever the process becomes idle after work. The collection pauses the process for about 30 ms and returns memory
 * to the operating system. V8 would keep the memory, because its memory reducer does not run in a process that allocates nothing.
 */
export function releaseMemoryWhenIdle({ everyMs = 10_000 } = {}): void {
  setFlagsFromString('--expose-gc')
  const collectGarbage: NodeJS.GCFunction = runInNewContext('gc')
  let previous = process.cpuUsage()
  let hasWorked = true // the start counts as work
  setInterval(() => {
    const { user, system } = process.cpuUsage(previous)
    previous = process.cpuUsage()
    const isIdle = (user + system) / 1000 < maxIdleCpuShare * everyMs
    if (isIdle && hasWorked) collectGarbage({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    hasWorked = !isIdle
  }, everyMs).unref()
}

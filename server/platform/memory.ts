import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Up to this part of its time a process counts as idle: looking for jobs and changes is all that it does. */
const idlePart = 0.02

/**
 * Gives memory back to the system when the process becomes idle after work, by a pause of some 30 ms. V8 keeps the pages that a busy
 * hour needed: its own reducer takes a process that allocates nothing for one that allocates a lot.
 */
export function releaseMemoryWhenIdle({ everyMs = 10_000 } = {}): void {
  setFlagsFromString('--expose-gc')
  const collectGarbage: NodeJS.GCFunction = runInNewContext('gc')
  let seen = process.cpuUsage()
  let hasWorked = true // the start was work
  setInterval(() => {
    const { user, system } = process.cpuUsage(seen)
    seen = process.cpuUsage()
    const isIdle = (user + system) / 1000 < idlePart * everyMs
    if (isIdle && hasWorked) collectGarbage({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    hasWorked = !isIdle
  }, everyMs).unref()
}

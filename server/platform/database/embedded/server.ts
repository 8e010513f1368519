import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readLogEnd, runProgram, type Cluster } from './cluster.ts'
import { DiskFullError, findFullDisk, waitForSpace } from './disk-space.ts'
import { createStartError, explainLog, readNewLog, sizeOfLog } from './failure.ts'
import { killProgramsIn } from './orphans.ts'
import { readPostmasterFile } from './postmaster-file.ts'

/**
 * A running database. `crashed` resolves with the reason if the database stays down: it has crashed too often within a minute, or a restart
 * has failed.
 */
export type DatabaseServer = { crashed: Promise<string>; stop: () => Promise<void> }

/** A start is retried for about 5 s. */
const maxRetries = 20
const retryDelayMs = 250
const maxCrashesPerMinute = 5

/**
 * Starts the database on a prepared cluster and restarts it when it crashes. If it crashes because of a full disk, the restart waits until
 * there is space again. Resolves when the database accepts connections. Throws an `OperatorError` with the reason if it does not start.
 */
export async function startServer(cluster: Cluster, settings: Record<string, string | number>): Promise<DatabaseServer> {
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const dataFolder = dirname(cluster.folder)
  const crashed = Promise.withResolvers<string>()
  let child: ChildProcess | undefined
  let isStopping = false
  let crashTimes: number[] = []
  /** The last cleanup, which kills child processes of a database that has ended. */
  let lastCleanup: Promise<void> = Promise.resolve()
  const startCleanup = (): Promise<void> => {
    lastCleanup = killProgramsIn(cluster.folder)
    return lastCleanup
  }

  const start = async (): Promise<void> => {
    for (let attempt = 0; !isStopping; attempt++) {
      const logSize = sizeOfLog(cluster)
      child = runProgram(cluster, 'postgres', options)
      child.unref()
      if (await waitUntilReady(child, cluster)) {
        child.once('exit', restart)
        return
      }
      const log = readNewLog(cluster, logSize)
      const error = explainLog(cluster, log)
      if (error) throw error
      if (attempt === maxRetries) throw createStartError(cluster, log)
      // child processes of a killed database may run a moment longer and hold its shared memory
      await startCleanup()
      await sleep(retryDelayMs)
    }
  }
  /** Starts after a crash. A start that fails because of a full disk is repeated when there is space. */
  const startAgain = async (): Promise<void> => {
    while (!isStopping) {
      await waitForSpace(dataFolder, () => isStopping)
      try {
        return await start()
      } catch (error) {
        if (!(error instanceof DiskFullError) && !findFullDisk(dataFolder)) throw error
      }
    }
  }
  const restart = (): void => {
    if (isStopping) return
    if (findFullDisk(dataFolder)) crashTimes = [] // crashes because of a full disk are not counted
    crashTimes = [...crashTimes.filter((time) => Date.now() - time < 60_000), Date.now()]
    if (crashTimes.length > maxCrashesPerMinute)
      return crashed.resolve(`PostgreSQL ended ${crashTimes.length} times within a minute:\n${readLogEnd(cluster)}`)
    startCleanup()
      .then(startAgain)
      .catch((error: unknown) => crashed.resolve(String(error)))
  }
  // also stops the database if the process ends without calling `stop`, such as after an uncaught error
  const stopOnExit = (): unknown => child?.kill('SIGINT')
  process.once('exit', stopOnExit)
  await start()
  return {
    crashed: crashed.promise,
    stop: async () => {
      isStopping = true
      await lastCleanup.catch(() => {}) // the cleanup must end before `stop` returns, because another process may use the folder afterwards
      if (child) await endDatabase(child)
      process.removeListener('exit', stopOnExit)
    },
  }
}

/**
 * Waits for "ready" in the eighth line of postmaster.pid, as pg_ctl does. Recovery after a crash may take minutes. Returns false if the
 * process has ended.
 */
async function waitUntilReady(child: ChildProcess, { folder }: Cluster): Promise<boolean> {
  let failure: Error | undefined
  child.once('error', (error) => (failure = error))
  while (isRunning(child)) {
    const lines = readPostmasterFile(folder)
    if (Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready') return true
    await sleep(10)
    if (failure) throw failure
  }
  return false
}

/** Requests a fast shutdown. After 20 s it requests an immediate shutdown, after which the next start runs recovery. */
async function endDatabase(child: ChildProcess): Promise<void> {
  child.ref()
  for (const [signal, timeoutMs] of [
    ['SIGINT', 20_000],
    ['SIGQUIT', 5000],
    ['SIGKILL', 5000],
  ] as const) {
    if (!isRunning(child)) return
    const exit = once(child, 'exit')
    child.kill(signal)
    await Promise.race([exit, sleep(timeoutMs, undefined, { ref: false })])
  }
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null
}

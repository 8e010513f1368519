import { readdirSync, readFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'

/** The CPU time in ms that the processes have used since their start. */
export type CpuTimes = { nodeMs: number; postgresMs: number }

/** The unit of the CPU times in /proc: a hundredth of a second on every Linux. */
const tickMs = 10

/**
 * Returns the CPU times of the server's process and of PostgreSQL with all its backend processes, including those that have ended. Returns
 * undefined on systems without /proc.
 */
export function readCpuTimes(serverProcessId: number, postmasterProcessId: number): CpuTimes | undefined {
  if (process.platform !== 'linux') return undefined
  const backends = listProcesses().filter(({ parent }) => parent === postmasterProcessId)
  const postmaster = readProcess(postmasterProcessId)
  const runningMs = [postmaster, ...backends].reduce((sum, usage) => sum + (usage?.ownMs ?? 0), 0)
  const postgresMs = runningMs + (postmaster?.endedChildrenMs ?? 0)
  return { nodeMs: readProcess(serverProcessId)?.ownMs ?? 0, postgresMs }
}

/**
 * Returns the CPU time in ms of the child processes that the server has started, such as those that read the text of files, but not of
 * PostgreSQL. Returns NaN on systems without /proc.
 */
export function readChildProcessesMs(serverProcessId: number, postmasterProcessId: number): number {
  if (process.platform !== 'linux') return NaN
  const running = listProcesses().filter(({ id, parent }) => parent === serverProcessId && id !== postmasterProcessId)
  return running.reduce((sum, { ownMs }) => sum + ownMs, readProcess(serverProcessId)?.endedChildrenMs ?? 0)
}

type ProcessUsage = { id: number; parent: number; ownMs: number; endedChildrenMs: number }

const listProcesses = (): ProcessUsage[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? [])

/**
 * Reads the CPU times of a process; returns undefined when the process has ended. The manual page proc_pid_stat(5) lists the fields. They
 * are counted from the end of the process name, because the name is in parentheses and may contain spaces.
 */
function readProcess(id: number): ProcessUsage | undefined {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8')
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    // 1 is the id of the parent, 11 to 14 are the CPU times of the process and of its ended children
    const [parent = 0, userTicks = 0, systemTicks = 0, childrenUserTicks = 0, childrenSystemTicks = 0] = [1, 11, 12, 13, 14].map(
      (index) => fields[index] ?? 0,
    )
    return { id, parent, ownMs: (userTicks + systemTicks) * tickMs, endedChildrenMs: (childrenUserTicks + childrenSystemTicks) * tickMs }
  } catch {
    return undefined // the process has ended since it was listed
  }
}

/** Returns the resident memory of a process in MB of 2^20 bytes. Memory pages that the process shares with others are included. */
export function readMemoryMb(processId: number): number {
  const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(processId)], { encoding: 'utf8' })
  return Math.round(Number(stdout) / 1024)
}

/** Returns the largest resident memory that a process has had, in MB of 2^20 bytes; on systems without /proc the present one. */
export function readPeakMemoryMb(processId: number): number {
  if (process.platform !== 'linux') return readMemoryMb(processId)
  const kilobytes = readFileSync(`/proc/${processId}/status`, 'utf8').match(/^VmHWM:\s+(\d+)/m)?.[1]
  return Math.round(Number(kilobytes) / 1024)
}

import { readdirSync, readFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'

/** The CPU time that was used so far, in ms. */
export type CpuTimes = { nodeMs: number; postgresMs: number }

/** The length of a tick of the counters in /proc, the same on every Linux. */
const tickMs = 10

/** Returns the CPU times of the server's process and of PostgreSQL with all its backends, also ended ones; undefined without /proc. */
export function cpuTimes(serverId: number, postmasterId: number): CpuTimes | undefined {
  if (process.platform !== 'linux') return undefined
  const backends = allProcesses().filter(({ parent }) => parent === postmasterId)
  const postmaster = readProcess(postmasterId)
  const postgresMs = [postmaster, ...backends].reduce((sum, used) => sum + (used?.ownMs ?? 0), postmaster?.endedChildrenMs ?? 0)
  return { nodeMs: readProcess(serverId)?.ownMs ?? 0, postgresMs }
}

type ProcessUsage = { parent: number; ownMs: number; endedChildrenMs: number }

const allProcesses = (): ProcessUsage[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? [])

/** Returns undefined when the process has ended. The fields of proc_pid_stat(5) are counted after the name, which may contain spaces. */
function readProcess(id: number): ProcessUsage | undefined {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8')
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [parent = 0, userTicks = 0, systemTicks = 0, childrenUserTicks = 0, childrenSystemTicks = 0] = [1, 11, 12, 13, 14].map(
      (index) => fields[index] ?? 0,
    )
    return { parent, ownMs: (userTicks + systemTicks) * tickMs, endedChildrenMs: (childrenUserTicks + childrenSystemTicks) * tickMs }
  } catch {
    return undefined // ended since it was listed
  }
}

/** Returns the resident memory of a process, shared pages included, in MB of 2^20 bytes. */
export function memoryMb(processId: number): number {
  const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(processId)], { encoding: 'utf8' })
  return Math.round(Number(stdout) / 1024)
}

import { spawnSync } from 'node:child_process'

/** What a process holds in memory, shared pages included, in MB of 2^20 bytes. */
export function memoryMb(pid: number): number {
  const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })
  return Math.round(Number(stdout) / 1024)
}

import { readFileSync, writeFileSync } from 'node:fs'

/** Returns the resident memory of a process on Linux in MB: now, or the highest (`VmHWM`). */
export const readMemoryMb = (pid: number, field: 'VmRSS' | 'VmHWM' = 'VmRSS'): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** Returns by how much the resident memory of a process grows at its highest during the work, in MB. */
export async function measureGrowth(pid: number, work: () => Promise<unknown>): Promise<number> {
  writeFileSync(`/proc/${pid}/clear_refs`, '5') // resets VmHWM to the memory that is in use now
  const before = readMemoryMb(pid)
  await work()
  return readMemoryMb(pid, 'VmHWM') - before
}

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, readlinkSync } from 'node:fs'

/** Returns the id and command line of each process whose working directory is in the folder or whose command line contains it. */
export function processesOn(folder: string): string[] {
  if (existsSync('/proc/self/cwd')) return readdirSync('/proc').flatMap((id) => (Number(id) > 0 ? describeProcess(id, folder) : [])) // /proc has other names too
  const { stdout } = spawnSync('ps', ['-axo', 'pid=,args='], { encoding: 'utf8' })
  return stdout.split('\n').filter((line) => line.includes(folder))
}

/** Returns the id and command line in an array, or an empty array when the process has nothing to do with the folder. */
function describeProcess(id: string, folder: string): string[] {
  try {
    const commandLine = readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return readlinkSync(`/proc/${id}/cwd`).startsWith(folder) || commandLine.includes(folder) ? [`${id} ${commandLine}`] : []
  } catch {
    return [] // the process has ended
  }
}

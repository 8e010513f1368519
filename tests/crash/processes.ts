import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, readlinkSync } from 'node:fs'

/** Every living process that stands in a folder or names it, as its id and what it was started with. */
export function processesOn(folder: string): string[] {
  if (existsSync('/proc/self/cwd')) return readdirSync('/proc').flatMap((id) => (Number(id) > 0 ? belonging(id, folder) : []))
  const { stdout } = spawnSync('ps', ['-axo', 'pid=,args='], { encoding: 'utf8' })
  return stdout.split('\n').filter((line) => line.includes(folder))
}

function belonging(id: string, folder: string): string[] {
  try {
    const asked = readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return readlinkSync(`/proc/${id}/cwd`).startsWith(folder) || asked.includes(folder) ? [`${id} ${asked}`] : []
  } catch {
    return [] // it has gone meanwhile
  }
}

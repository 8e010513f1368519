import { execFileSync } from 'node:child_process'

/** Returns the ids of the child processes in which the process `parent` reads the text of files. */
export function findTextPrograms(parent: number): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n')
  const processes = lines.map((line) => /^\s*(\d+)\s+(\d+)\s.*files\/text\/program\/program\.ts/.exec(line))
  return processes.flatMap((match) => (match && Number(match[2]) === parent ? [Number(match[1])] : []))
}

/** Whether a process exists. */
export function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0) // signal 0 only checks
  } catch {
    return false
  }
}

import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { OperatorError } from '../../operator-error.ts'
import { linkLibraries } from './libraries.ts'

/**
 * Copies a folder of programs to `target`, owned by root and open to all, and answers with `target`. A copy that is there already
 * is used only if nobody but root could have made or changed it and it is file for file as large as the original.
 */
export function copyForAll(original: string, target: string): string {
  const shelf = dirname(target)
  if (!existsSync(shelf)) {
    mkdirSync(shelf, { recursive: true })
    chmodSync(shelf, 0o755)
  }
  if (!isRootsAlone(shelf))
    throw new OperatorError(`${shelf} must belong to root alone, because Foyer keeps programs there: remove it or mend its owner and mode.`)
  if (isWholeCopy(original, target)) return target
  const fresh = mkdtempSync(`${target}.`)
  cpSync(original, fresh, { recursive: true, filter: (path) => !lstatSync(path).isSymbolicLink() })
  linkLibraries(fresh)
  openToAll(fresh)
  replace(fresh, target, original)
  return target
}

/** Another start may have put its own copy there in the meantime, and may be running from it. */
function replace(fresh: string, target: string, original: string): void {
  if (existsSync(target) && !isWholeCopy(original, target)) renameSync(target, `${fresh}.old`)
  try {
    renameSync(fresh, target)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    if (!isWholeCopy(original, target)) throw error
  }
  rmSync(`${fresh}.old`, { recursive: true, force: true })
}

function isWholeCopy(original: string, copy: string): boolean {
  return existsSync(copy) && isRootsAlone(copy) && listing(copy, true).join('\n') === listing(original, false).join('\n')
}

/** Every file below a folder with its size; for a copy, whatever others than root may change is marked. */
function listing(folder: string, isCopy: boolean): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isSymbolicLink())
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).toSorted()
  return paths.map((path) => {
    const size = statSync(path).isFile() ? statSync(path).size : 0
    return `${relative(folder, path)} ${size}${isCopy && !isRootsAlone(path) ? ' not of root alone' : ''}`
  })
}

function isRootsAlone(path: string): boolean {
  const { uid, mode } = lstatSync(path)
  return uid === 0 && (mode & 0o022) === 0
}

/** In so many words, because root's umask may have shut everybody out of the original. */
function openToAll(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) chmodSync(path, 0o755)
    if (entry.isFile()) chmodSync(path, (statSync(path).mode & 0o111) > 0 ? 0o755 : 0o644)
  }
}

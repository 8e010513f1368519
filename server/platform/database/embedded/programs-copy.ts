import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { OperatorError } from '../../operator-error.ts'

/**
 * Copies a folder of programs to `target`, owned by root and readable by all system accounts, and returns `target`. An existing copy is
 * used only if no system account except root could have written it and all files have the sizes of the originals.
 */
export function copyForAll(original: string, target: string): string {
  const parent = dirname(target)
  if (!existsSync(parent)) {
    mkdirSync(parent, { recursive: true })
    chmodSync(parent, 0o755)
  }
  if (!isWritableByRootOnly(parent))
    throw new OperatorError(
      `${parent} must be writable only by root, because Foyer keeps programs there: remove it, or correct its owner and mode.`,
    )
  if (isCompleteCopy(original, target)) return target
  const temporaryFolder = mkdtempSync(`${target}.`)
  cpSync(original, temporaryFolder, { recursive: true, filter: (path) => !lstatSync(path).isSymbolicLink() })
  linkLibraries(temporaryFolder)
  makeReadableForAll(temporaryFolder)
  moveIntoPlace(temporaryFolder, target, original)
  return target
}

/** Moves the copy to `target`. Another process may have created its own copy there in the meantime and may be using it. */
function moveIntoPlace(temporaryFolder: string, target: string, original: string): void {
  if (existsSync(target) && !isCompleteCopy(original, target)) renameSync(target, `${temporaryFolder}.old`)
  try {
    renameSync(temporaryFolder, target)
  } catch (error) {
    rmSync(temporaryFolder, { recursive: true, force: true })
    if (!isCompleteCopy(original, target)) throw error
  }
  rmSync(`${temporaryFolder}.old`, { recursive: true, force: true })
}

/** Returns whether the copy has all files with the sizes of the originals, and only root can write them. */
function isCompleteCopy(original: string, copy: string): boolean {
  return (
    existsSync(copy) &&
    isWritableByRootOnly(copy) &&
    listFiles(copy, { marksWritableFiles: true }).join('\n') === listFiles(original).join('\n')
  )
}

/** Lists the files in a folder with their sizes. `marksWritableFiles` marks the files that system accounts other than root can change. */
function listFiles(folder: string, { marksWritableFiles = false } = {}): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isSymbolicLink())
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).toSorted()
  return paths.map((path) => {
    const size = statSync(path).isFile() ? statSync(path).size : 0
    return `${relative(folder, path)} ${size}${marksWritableFiles && !isWritableByRootOnly(path) ? ' writable by others' : ''}`
  })
}

/** Returns true if root owns the file, and neither its group (0o020) nor others (0o002) may write it. */
function isWritableByRootOnly(path: string): boolean {
  const { uid, mode } = lstatSync(path)
  return uid === 0 && (mode & 0o022) === 0
}

/**
 * Lets all accounts read the files, and run those that at least one account could run (0o111). Sets modes explicitly, because with a strict
 * umask of root the original may be readable only by root.
 */
function makeReadableForAll(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) chmodSync(path, 0o755)
    if (entry.isFile()) chmodSync(path, (statSync(path).mode & 0o111) > 0 ? 0o755 : 0o644)
  }
}

/**
 * Creates the symbolic links between the libraries in a folder of programs. npm does not run the package's install script, which would
 * create them.
 */
export function linkLibraries(folder: string): void {
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(join(folder, 'pg-symlinks.json'), 'utf8'))
  const pathOf = (path: string): string => join(folder, relative('native', path))
  for (const { source, target } of links) if (!existsSync(pathOf(target))) createLink(pathOf(source), pathOf(target))
}

/**
 * Creates a relative link, so that the folder can be moved. Renames it into place, because several processes may start at the same time.
 */
function createLink(source: string, path: string): void {
  const temporaryPath = join(dirname(path), `.${basename(path)}.${process.pid}`)
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(relative(dirname(path), source), temporaryPath)
  renameSync(temporaryPath, path)
}

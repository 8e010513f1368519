import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { chooseAccount, type Account } from './account.ts'
import { openPrograms } from './programs.ts'

let home: string
let native: string
let copies: string
let account: Account // undefined for an ordinary user, who runs the programs where they are
let usable: string
beforeEach(() => {
  home = mkdtempSync('/tmp/foyer-test-')
  chmodSync(home, 0o755)
  native = join(home, 'private/native')
  copies = join(home, 'copies')
  for (const folder of ['bin', 'lib']) mkdirSync(join(native, folder), { recursive: true })
  chmodSync(join(home, 'private'), 0o700)
  writeFileSync(join(home, 'private/package.json'), '{"version":"18.9.0"}')
  writeFileSync(join(native, 'pg-symlinks.json'), '[{"source":"native/lib/libpq.so.5","target":"native/lib/libpq.so"}]')
  writeFileSync(join(native, 'lib/libpq.so.5'), 'library')
  writeFileSync(join(native, 'bin/postgres'), '#!/bin/sh\necho postgres', { mode: 0o755 })
  account = chooseAccount(join(home, 'data'))
  usable = account ? join(copies, `18.9.0-${process.platform}-${process.arch}`) : native
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

test('programs that only root can reach are copied once to a folder that all accounts can read', () => {
  expect(openPrograms(account, native, copies)).toBe(usable)
  expect(readFileSync(join(usable, 'lib/libpq.so'), 'utf8')).toBe('library')
  expect(readlinkSync(join(usable, 'lib/libpq.so'))).toBe('libpq.so.5')
  const { ino } = statSync(usable)
  expect(openPrograms(account, native, copies)).toBe(usable)
  expect(statSync(usable).ino).toBe(ino)
})

test('an incomplete copy is replaced', () => {
  openPrograms(account, native, copies)
  writeFileSync(join(usable, 'bin/postgres'), '#!/bin/sh')
  expect(openPrograms(account, native, copies)).toBe(usable)
  expect(statSync(join(usable, 'bin/postgres')).size).toBe(statSync(join(native, 'bin/postgres')).size)
})

test('a copy that other accounts could have changed is replaced', () => {
  openPrograms(account, native, copies)
  chmodSync(join(usable, 'bin/postgres'), 0o777)
  expect(openPrograms(account, native, copies)).toBe(usable)
  expect(statSync(join(usable, 'bin/postgres')).mode & 0o777).toBe(account ? 0o755 : 0o777)
})

test('a folder for copies that other accounts may write to is refused', () => {
  mkdirSync(copies)
  chmodSync(copies, 0o777)
  const answer = attempt(() => openPrograms(account, native, copies))
  expect(answer).toBe(
    account ? `${copies} must belong to root alone, because Foyer keeps programs there: remove it or correct its owner and mode.` : native,
  )
})

test('the error for a machine without programs names the alternative', () => {
  expect(() => openPrograms(account, join(home, 'nothing'), copies)).toThrow('set DATABASE_URL to a server of version 18 or newer')
})

function attempt(task: () => string): string {
  try {
    return task()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

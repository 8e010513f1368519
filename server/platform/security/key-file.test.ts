import fs, { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execFile } from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import { promisify } from 'node:util'
import { beforeAll, expect, test, vi } from 'vitest'
import { openKeyFile } from './key-file.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'foyer-secret-'))
  return () => rmSync(folder, { recursive: true })
})

test('a key is created once, can be read only by its owner, and is found again', () => {
  const file = openKeyFile(join(folder, 'new/secret.key'))
  expect(file.find()).toBeUndefined()
  const key = file.findOrCreate()
  expect(key).toMatch(/^[\w-]{43}$/)
  expect([file.find(), file.findOrCreate()]).toEqual([key, key])
  expect(statSync(file.path).mode & 0o777).toBe(0o600)
  expect(readdirSync(join(folder, 'new'))).toEqual(['secret.key'])
})

test.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP'])(
  'a key is created on a file system without hard links, which refuses them with %s',
  (code) => {
    const link = vi.spyOn(fs, 'linkSync').mockImplementation(() => {
      throw Object.assign(new Error(`${code}: link`), { code, syscall: 'link' })
    })
    syncBuiltinESMExports() // makes the replacement visible to named imports
    try {
      const file = openKeyFile(join(folder, code, 'secret.key'))
      const key = file.findOrCreate()
      expect(key).toMatch(/^[\w-]{43}$/)
      expect([file.find(), file.findOrCreate()]).toEqual([key, key])
      expect(link).toHaveBeenCalledTimes(1)
      expect(statSync(file.path).mode & 0o777).toBe(0o600)
      expect(readdirSync(join(folder, code))).toEqual(['secret.key'])
    } finally {
      link.mockRestore()
      syncBuiltinESMExports()
    }
  },
)

test('a file without a key is refused, and not replaced', () => {
  const path = join(folder, 'short.key')
  writeFileSync(path, 'short')
  for (const read of [openKeyFile(path).find, openKeyFile(path).findOrCreate])
    expect(read).toThrow(`${path} does not contain a key: a key has at least 32 characters.`)
  expect(readFileSync(path, 'utf8')).toBe('short')
})

test('processes that start at the same time create one key', async () => {
  const program = `
    import { openKeyFile } from '${new URL('key-file.ts', import.meta.url).href}'
    const [folder, startAt] = process.argv.slice(1)
    while (Date.now() < Number(startAt));
    console.log(JSON.stringify(Array.from({ length: 100 }, (_, number) => openKeyFile(folder + '/' + number).findOrCreate())))`
  const startAt = String(Date.now() + 300) // all processes wait until this time, so that they create the same files at once
  const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, join(folder, 'race'), startAt])
  const outputs = (await Promise.all([run(), run(), run()])).map(({ stdout }): unknown => JSON.parse(stdout))
  expect(outputs[1]).toEqual(outputs[0])
  expect(outputs[2]).toEqual(outputs[0])
})

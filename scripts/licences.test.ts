import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { check } from './licences.ts'

test.each([
  ['MIT', []], // [] means no complaint
  ['(MIT OR GPL-3.0)', []],
  ['GPL-3.0', ['node_modules/@some/part: GPL-3.0 is neither in the list nor an exception']],
  [
    '(MIT OR GPL-3.0) AND (MIT OR Other)',
    ['node_modules/@some/part: (MIT OR GPL-3.0) AND (MIT OR Other) is neither in the list nor an exception'],
  ],
  ['MIT AND GPL-3.0', ['node_modules/@some/part: MIT AND GPL-3.0 is neither in the list nor an exception']],
  [{ type: 'MIT' }, ['node_modules/@some/part: names no licence']],
  [undefined, ['node_modules/@some/part: names no licence']],
])('the check of a package with the licence %j returns %j', async (license, complaints) => {
  await using folder = await createInstallation({ 'node_modules/@some/part': { license } })
  expect(check(folder.root, {})).toEqual({ packages: 1, complaints })
})

test('an exception allows one licence for one package, and is reported when that package is not in the lockfile', async () => {
  const license = 'OFL-1.1'
  const exceptions = { font: { licence: license, reason: 'a font' }, gone: { licence: license, reason: 'a font' } }
  await using folder = await createInstallation({ 'node_modules/font': { license }, 'node_modules/a/node_modules/part': { license } })
  expect(check(folder.root, exceptions).complaints).toEqual([
    'node_modules/a/node_modules/part: OFL-1.1 is neither in the list nor an exception',
    'gone: the exception is no longer needed',
  ])
  await using changed = await createInstallation({ 'node_modules/font': { license: 'GPL-3.0' }, 'node_modules/gone': { license } })
  expect(check(changed.root, exceptions).complaints).toEqual(['node_modules/font: GPL-3.0 is neither in the list nor an exception'])
})

test('an exception may allow a package that names no licence', async () => {
  await using folder = await createInstallation({ 'node_modules/unlicensed': {}, 'node_modules/part': {} })
  expect(check(folder.root, { unlicensed: { licence: undefined, reason: 'known to be MIT' } }).complaints).toEqual([
    'node_modules/part: names no licence',
  ])
})

test('a package of the lockfile that is not installed is reported, unless it is optional, such as a package for another platform', async () => {
  const absent = { 'node_modules/part-windows': { optional: true }, 'node_modules/part': {} }
  await using folder = await createInstallation({}, absent)
  expect(check(folder.root, {})).toEqual({ packages: 0, complaints: ['node_modules/part: is not installed'] })
})

/** Creates a folder with installed packages and a lockfile. The packages in `absent` are only in the lockfile. */
async function createInstallation(packages: Record<string, { license?: unknown }>, absent: Record<string, { optional?: boolean }> = {}) {
  const root = await mkdtemp(join(tmpdir(), 'foyer-licences-'))
  for (const [place, manifest] of Object.entries(packages)) {
    await mkdir(join(root, place), { recursive: true })
    await writeFile(join(root, place, 'package.json'), JSON.stringify(manifest))
  }
  const places = Object.fromEntries(Object.keys(packages).map((place) => [place, {}]))
  await writeFile(join(root, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...places, ...absent } }))
  return { root, [Symbol.asyncDispose]: () => rm(root, { recursive: true }) }
}

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

// A name in vite.config.ts is the beginning of a file name, so it may stand for several files.
test('vite.config.ts names only files of web/ui that exist', () => {
  const config = readFileSync(join(root, 'vite.config.ts'), 'utf8')
  // finds the names in regular expressions of the configuration such as web[\\/]ui[\\/](FieldConflict|Warning)
  const names = [...config.matchAll(/web\[\\\\\/\]ui\[\\\\\/\]\(?([\w|]+)/g)].flatMap(([, alternatives = '']) => alternatives.split('|'))
  expect(names).toContain('PasswordField')
  const files = readdirSync(join(root, 'web/ui'))
  expect(names.filter((name) => !files.some((file) => file.startsWith(name)))).toEqual([])
})

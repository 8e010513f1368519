import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

test('each name in vite.config.ts that stands for files of web/ui is the beginning of the name of an existing file', () => {
  const config = readFileSync(join(root, 'vite.config.ts'), 'utf8')
  // finds the names in regular expressions of the configuration such as web[\\/]ui[\\/](FieldConflict|Warning)
  const names = [...config.matchAll(/web\[\\\\\/\]ui\[\\\\\/\]\(?([\w|]+)/g)].flatMap(([, alternatives = '']) => alternatives.split('|'))
  expect(names).toContain('PasswordField')
  const files = readdirSync(join(root, 'web/ui'))
  expect(names.filter((name) => !files.some((file) => file.startsWith(name)))).toEqual([])
})

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

test('each name in web/ui by which vite.config.ts assigns files to a chunk is the beginning of the name of a file', () => {
  const config = readFileSync(join(root, 'vite.config.ts'), 'utf8')
  // finds the names in regular expressions of the configuration such as web[\\/]ui[\\/](FieldConflict|Warning)
  const names = [...config.matchAll(/web\[\\\\\/\]ui\[\\\\\/\]\(?([\w|]+)/g)].flatMap(([, alternatives = '']) => alternatives.split('|'))
  expect(names).toContain('PasswordField')
  const files = readdirSync(join(root, 'web/ui'))
  expect(names.filter((name) => !files.some((file) => file.startsWith(name)))).toEqual([])
})

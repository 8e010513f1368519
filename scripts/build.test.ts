import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

test('every file of web that vite.config.ts assigns to a chunk exists', () => {
  const config = readFileSync(join(root, 'vite.config.ts'), 'utf8')
  const names = [...config.matchAll(/web\[\\\\\/\]ui\[\\\\\/\]\(?([\w|]+)/g)].flatMap(([, alternatives = '']) => alternatives.split('|'))
  expect(names).toContain('PasswordField')
  const files = readdirSync(join(root, 'web/ui'))
  expect(names.filter((name) => !files.some((file) => file.startsWith(name)))).toEqual([])
})

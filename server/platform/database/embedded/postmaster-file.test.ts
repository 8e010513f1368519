import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readPostmasterFile } from './postmaster-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foyer-postmaster-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('no lines are returned for a folder in which no PostgreSQL has run', () => {
  expect(readPostmasterFile(folder)).toEqual([])
})

test('the file is read also while another process deletes it and writes it again', async () => {
  const file = join(folder, 'postmaster.pid')
  const script = `const { rmSync, writeFileSync } = require('node:fs')
    console.log('started')
    for (;;) { writeFileSync(process.argv[1], '17'); rmSync(process.argv[1]) }`
  const other = spawn(process.execPath, ['-e', script, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    await once(other.stdout, 'data')
    const lines = new Set<string | undefined>()
    const hasBoth = (): boolean => lines.has(undefined) && lines.has('17')
    for (let count = 0; count < 10_000 || (count < 1_000_000 && !hasBoth()); count++) lines.add(readPostmasterFile(folder)[0])
    expect(hasBoth()).toBe(true)
  } finally {
    other.kill('SIGKILL')
    await once(other, 'exit')
  }
})

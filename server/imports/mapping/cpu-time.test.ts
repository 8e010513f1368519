// A cell may have a megabyte, and other requests wait while it is read, so reading must take linear time.
import { expect, test } from 'vitest'
import { measureCpuMs } from '#server/testing/cpu.ts'
import { createRecordReader } from './read-record.ts'

const length = 200_000
const maxCpuMs = 1500

test.each([
  ['tags', 'apostrophes inside of a tag', `a${"'".repeat(length)}b`],
  ['postal_code_and_city', 'digits', '1'.repeat(length)],
  ['postal_code_and_city', 'a postal code and spaces', `1${' '.repeat(length)}!`],
  ['full_name', 'words', `${'Ada '.repeat(length / 4)}Byron`],
  ['full_name', 'commas', `Byron${', Jr.'.repeat(length / 5)}`],
  ['website', 'short words with dots', `${'a.'.repeat(length / 2)}!`],
])('reading a cell with the field %s that has %s takes less than 1.5 s of CPU time', async (field, _content, cell) => {
  const read = createRecordReader('contact', [{ header: 'Header', field, certainty: 'sure', reason: 'chosen' }])
  expect(await measureCpuMs(() => read([cell]))).toBeLessThan(maxCpuMs)
})

test('reading a full name with a long middle name takes less than 1.5 s of CPU time', async () => {
  const columns = ['full_name', 'middle_name'].map((field) => ({ header: field, field, certainty: 'sure', reason: 'chosen' }) as const)
  const read = createRecordReader('contact', columns)
  const cells = ['a'.repeat(length), `aaaaab${'a'.repeat(length / 2)}`]
  expect(await measureCpuMs(() => read(cells))).toBeLessThan(maxCpuMs)
})

test('reading 1,000 cells of 1,000 letters as emails takes less than 1.5 s of CPU time', async () => {
  const columns = Array.from({ length: 1000 }, () => ({ header: 'Email', field: 'email', certainty: 'sure', reason: 'chosen' }) as const)
  const read = createRecordReader('contact', columns)
  expect(await measureCpuMs(() => read(columns.map(() => 'a'.repeat(1000))))).toBeLessThan(maxCpuMs)
})

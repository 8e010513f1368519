// A row may have a megabyte, and other requests wait while it is read, so reading must take linear time.
import { expect, test } from 'vitest'
import { measureCpuMs } from '#server/testing/cpu.ts'
import { openTable } from './read-table.ts'
import { readFile } from './testing.ts'

const length = 200_000
const maxCpuMs = 3000
const people = 'Name,Email\nAda Byron,ada@example.org\n'
const card = (properties: string): string => `BEGIN:VCARD\nFN:Ada Byron\n${properties}\nEND:VCARD\n`
const lines = (line: string): string => `${line}\n`.repeat(20)

test.each([
  ['a sum without an end', 'people.csv', `${people}total${' '.repeat(length)}!,\n`],
  ['a sum of many words', 'people.csv', `${people}total${' a'.repeat(length / 2)}!,\n`],
  ['a first row of "@"', 'people.csv', `${'@'.repeat(length)},b\nx,y\nx,y\n`],
  ['a first row of "@a."', 'people.csv', `${'@a. '.repeat(length / 4)},b\nx,y\nx,y\n`],
  ['the letter ø of Windows-1252', 'people.csv', Buffer.alloc(length, 0xf8)],
  ['the letter á of Windows-1252', 'people.csv', Buffer.alloc(length, 0xe1)],
  ['a vCard property with many types', 'people.vcf', card(`TEL${';TYPE=a'.repeat(length / 7)}:+44 20 7946 0118`)],
  ['a vCard property with one long list of types', 'people.vcf', card(`TEL;TYPE=${'a,'.repeat(length / 2)}:+44 20 7946 0118`)],
  ['text without addresses', 'people.txt', lines('a '.repeat(length / 2))],
  ['text of one word', 'people.txt', lines('a'.repeat(length))],
  ['text of addresses without an end', 'people.txt', lines('a@a.a.a.'.repeat(length / 8))],
  ['text of brackets after addresses', 'people.txt', `a@example.org ${'('.repeat(900)} x\n`.repeat(length / 100)],
  ['text of labels before "@"', 'people.txt', `E ${'@'.repeat(900)} x\n`.repeat(length / 100)],
])('reading %s takes less than 3 s of CPU time', async (_name, fileName, content) => {
  expect(await measureCpuMs(() => readFile(content, fileName))).toBeLessThan(maxCpuMs)
})

test('describing 50,000 short rows below a header of 1,000 columns takes less than 3 s of CPU time', async () => {
  const header = Array.from({ length: 1000 }, (_, index) => `c${index}`).join(',')
  const content = (async function* () {
    yield Buffer.from(`${header}\n${'a\n'.repeat(50_000)}`)
  })()
  const describe = async (): Promise<void> => {
    const { description, close } = await openTable(content, 'people.csv')
    expect(description.columns).toHaveLength(1000)
    await close()
  }
  expect(await measureCpuMs(describe)).toBeLessThan(3000)
})

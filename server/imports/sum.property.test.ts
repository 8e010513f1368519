// Imports of generated files: every row is accounted for, and no contact is created twice.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ImportRowReason } from '#contract/imports.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { createXlsx } from '#server/testing/documents.ts'
import { importsOf } from '#server/testing/imports.ts'
import { signInAs } from '#server/testing/people.ts'
import { createRandom, type Random } from '#server/testing/random.ts'
import { recordsOf } from '#server/testing/records.ts'
import { encode, type TestEncoding } from './reading/testing.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const fileCount = process.env['FOYER_FULL'] === '1' ? 300 : 15
const seed = Number(process.env['FOYER_SEED'] ?? 20_261_123)
const encodings: TestEncoding[] = ['utf-8', 'utf-8 with mark', 'utf-16le', 'utf-16be', 'windows-1252', 'windows-1250', 'windows-1254']

/** Returns the lines of a file with people, repeated people, rows without a person, broken rows, empty rows and repeated headers. */
function generate(random: Random, separator: string, columnCount: number): string[] {
  const extra = Array.from({ length: columnCount }, (_, index) => `Extra ${index + 1}`)
  const header = ['First name', 'Last name', 'Email', 'Phone', ...extra].join(separator)
  const quote = (text: string): string =>
    random.hasChance(0.3) || /["\n]/.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text
  const filler = (): string => random.pick(['', 'blue', '=1+1', '@home', 'a, b', 'say "hi"', 'first\nsecond', 'x;y', '-2', 'Ünïcödé'])
  const line = (cells: string[]): string => [...cells, ...extra.map(filler)].map(quote).join(separator)
  const lines = [header]
  const rowCount = 5 + random.below(60)
  // the first rows are people, because rows above the first person would be a preamble
  for (let row = 0; row < rowCount; row++) {
    const kind = row < 3 ? 0 : random.below(10)
    if (kind === 1) lines.push(line(['', '', '', '']).replaceAll('blue', '')) // a row without a person
    else if (kind === 2) lines.push(separator.repeat(columnCount + 3)) // an empty row
    else if (kind === 3) lines.push(header)
    else if (kind === 4)
      // a broken row: two cells more than the header
      lines.push([`Zed${row}`, 'Lee', `zed${row}@example.org`, '', ...extra.map(() => 'x'), 'too', 'many'].join(separator))
    else if (kind === 5)
      // often a person of an earlier row
      lines.push(line(['Ann', 'Lee', `ann${random.below(Math.max(1, row))}@example.org`, '']))
    else
      lines.push(
        line([
          random.pick(['Ann', 'Jürgen', 'Zoë']),
          'Lee',
          `ann${row}@example.org`,
          random.hasChance(0.3) ? `020 7946 0${100 + row}` : '',
        ]),
      )
  }
  lines.push(line(['Last', 'Lee', 'last@example.org', ''])) // empty rows at the end would not be counted
  return lines
}

test.each(Array.from({ length: fileCount }, (_, index) => index))(
  'every row of file %i is counted, a second import of the file creates no contact, and undo removes all contacts',
  { timeout: 300_000 },
  async (index) => {
    const random = createRandom(seed + index)
    const separator = random.pick([',', ';', '\t', '|'])
    const columnCount = index % 10 === 9 ? 990 : random.below(12)
    const lines = generate(random, separator, columnCount)
    const lineBreak = random.pick(['\n', '\r\n'])
    const file = encode(lines.join(lineBreak) + random.pick(['', lineBreak]), random.pick(encodings))
    const ada = await signInAs(app, 'ada')
    const imports = importsOf(ada)
    const first = await imports.run(file, { fileName: random.pick(['people.csv', 'people.tsv']) })
    expect(first).toMatchObject({ status: 'finished', problem: '', rows_total: lines.length - 1, rows_done: lines.length - 1 })
    expect(first.created + first.updated + first.skipped + first.failed).toBe(lines.length - 1)
    expect(await imports.rows(first.id, 'failed')).toHaveLength(first.failed)
    const skipped: { reasons: ImportRowReason[] } = (await ada.send({ url: `/api/imports/${first.id}/rows?status=skipped` })).json()
    expect(skipped.reasons.reduce((sum, { count }) => sum + count, 0)).toBe(first.skipped)
    const { rows } = await recordsOf(ada, '/api/contacts').list({ limit: '200' })
    expect(rows).toHaveLength(first.created)
    expect(new Set(rows.map(({ email }) => email)).size).toBe(rows.length)

    const second = await imports.run(file, { fileName: 'people.csv' })
    expect(second).toMatchObject({ created: 0, failed: first.failed, rows_done: lines.length - 1 })
    if (second.undo_id !== null) await imports.undo(second.undo_id) // null if the second import has changed nothing
    await imports.undo(first.undo_id)
    expect((await recordsOf(ada, '/api/contacts').list({})).rows).toEqual([])
  },
)

test('every row of an Excel file is accounted for', async () => {
  const ada = await signInAs(app, 'ada')
  const imports = importsOf(ada)
  const rows = [
    ['Name', 'Email', 'Phone'],
    ['Ann Lee', 'ann@example.org', 1],
    ['', '', ''],
    ['Bob Ray', 'bob@example.org', 2],
    ['', 'nonsense', ''],
  ]
  const uploaded = await imports.upload(createXlsx(rows), { fileName: 'people.xlsx' })
  // the names of the sheets are those of `createXlsx`
  expect(uploaded.table).toMatchObject({ format: 'excel', sheet: 'Offers', sheets: ['Offers', 'Costs'] })
  await imports.start(uploaded.id)
  expect(await imports.waitForEnd(uploaded.id)).toMatchObject({ created: 2, skipped: 1, failed: 1, rows_total: 4 })
  expect(await imports.rows(uploaded.id, 'failed')).toMatchObject([{ column: 'Email', reason: '“nonsense” is not an email.' }])
})

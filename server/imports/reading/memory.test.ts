// A child process reads each large file, so that the memory of other tests is not measured.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import flags from '#server/node-flags.json' with { type: 'json' }
import { createZip } from '#server/testing/create-zip.ts'

const maxGrowthMb = 60
/** How far V8 grows the memory for new objects differs from run to run: with the limit of the server by up to 60 MB. */
const steadyFlags = [...flags, '--max-semi-space-size=8']

const program = (path: string): string => `
  import { createReadStream } from 'node:fs'
  import { openTable } from ${JSON.stringify(new URL('read-table.ts', import.meta.url).href)}
  const warmUp = await openTable((async function* () { yield Buffer.from('Name,City\\nAnn,Rome\\n') })(), 'a.csv')
  for await (const row of warmUp.rows) row
  const before = process.memoryUsage.rss()
  let highest = before
  let records = 0
  let others = 0
  const timer = setInterval(() => (highest = Math.max(highest, process.memoryUsage.rss())), 5)
  const started = performance.now()
  const table = await openTable(createReadStream(${JSON.stringify(path)}), ${JSON.stringify(path)})
  for await (const row of table.rows) {
    if (row.kind === 'record') records++
    else others++
    if (records % 1000 === 0) highest = Math.max(highest, process.memoryUsage.rss())
  }
  await table.close()
  clearInterval(timer)
  console.log(JSON.stringify({ records, others, growthMb: (highest - before) / 2 ** 20, seconds: (performance.now() - started) / 1000 }))`

type Result = { records: number; others: number; growthMb: number }

/** Reads a file in a child process with the flags of the server, except for `steadyFlags`. */
async function measure(name: string, content: Iterable<Buffer>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-test-'))
  try {
    const path = join(folder, name)
    await writeFile(path, content)
    const { stdout } = await promisify(execFile)(process.execPath, [...steadyFlags, '--input-type=module', '-e', program(path)])
    return JSON.parse(stdout)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const cells = (count: number): string => Array.from({ length: count }, (_, index) => `cell ${index} of a row with "" in it`).join('","')

/** The number of rows. FOYER_FULL=1 runs tests with larger numbers. */
const rowCount = process.env['FOYER_FULL'] === '1' ? 100_000 : 40_000

test(`${rowCount} rows with 2 kB of text each are read with 60 MB of memory`, async () => {
  function* create(): Generator<Buffer> {
    yield Buffer.from(`Name,${Array.from({ length: 70 }, (_, index) => `Column ${index}`).join(',')}\n`)
    const rows = Buffer.from(`Ann,"${cells(70)}"\n`.repeat(100))
    for (let count = 0; count < rowCount / 100; count++) yield rows
  }
  const result = await measure('people.csv', create())
  expect(result).toMatchObject({ records: rowCount, others: 0 })
  expect(result.growthMb).toBeLessThan(maxGrowthMb)
}, 120_000)

test(`an Excel file with ${rowCount} rows and ten shared texts per row is read with 60 MB of memory`, async () => {
  const shared = Array.from({ length: rowCount * 10 }, (_, index) => `<si><t>text number ${index}</t></si>`)
  // there are more cells than texts, so the last row has texts 17 to 26 again; with texts 0 to 9 it would be skipped as a repeated header
  const toCell = (index: number): string => `<c t="s"><v>${index % (rowCount * 10 - 17)}</v></c>`
  const toRow = (line: number): string => `<row>${Array.from({ length: 10 }, (_, column) => toCell(line * 10 + column)).join('')}</row>`
  const zip = createZip([
    { name: 'xl/workbook.xml', content: '<workbook xmlns:r="r"><sheets><sheet name="People" r:id="a"/></sheets></workbook>' },
    { name: 'xl/_rels/workbook.xml.rels', content: '<Relationships><Relationship Id="a" Target="worksheets/sheet1.xml"/></Relationships>' },
    { name: 'xl/sharedStrings.xml', content: `<sst>${shared.join('')}</sst>` },
    {
      name: 'xl/worksheets/sheet1.xml',
      content: `<worksheet><sheetData>${Array.from({ length: rowCount + 1 }, (_, line) => toRow(line)).join('')}</sheetData></worksheet>`,
    },
  ])
  const result = await measure('people.xlsx', [zip])
  expect(result).toMatchObject({ records: rowCount, others: 0 })
  expect(result.growthMb).toBeLessThan(maxGrowthMb)
}, 120_000)

import { readdirSync, readlinkSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { toRefusal } from '#server/platform/http/problem.ts'
import { measureCpuMs } from '#server/testing/cpu.ts'
import { createZip, packRepeated } from '#server/testing/create-zip.ts'
import { headersOf, readFile, summarise } from '../testing.ts'
import { copyTo, createTemporaryFile, openPackage } from './package.ts'
import { readSharedTexts } from './shared-texts.ts'

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
type Parts = { workbook?: string; styles?: string; shared?: string | ReturnType<typeof packRepeated>; names?: string[] }
type Content = Parameters<typeof createZip>[0][number]['content']

/** Returns an Excel file with these sheets. */
function createExcel(
  sheets: readonly Content[],
  { workbook = '', styles = '', shared = '', names = ['People', 'Other'] }: Parts = {},
): Buffer {
  const list = sheets.map((_, index) => `<sheet name="${names[index]}" r:id="r${index}"/>`).join('')
  const links = sheets.map((_, index) => `<Relationship Id="r${index}" Target="worksheets/sheet${index}.xml"/>`).join('')
  return createZip([
    { name: 'xl/workbook.xml', content: `${xml}<workbook xmlns:r="r">${workbook}<sheets>${list}</sheets></workbook>` },
    { name: 'xl/_rels/workbook.xml.rels', content: `${xml}<Relationships>${links}</Relationships>` },
    { name: 'xl/styles.xml', content: `${xml}<styleSheet>${styles}</styleSheet>` },
    { name: 'xl/sharedStrings.xml', content: typeof shared === 'string' ? `${xml}<sst>${shared}</sst>` : shared },
    ...sheets.map((content, index) => ({
      name: `xl/worksheets/sheet${index}.xml`,
      content: typeof content === 'string' ? sheetOf(content) : content,
    })),
  ])
}

const sheetOf = (rows: string): string => `${xml}<worksheet><sheetData>${rows}</sheetData></worksheet>`
const text = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`
const row = (...cells: string[]): string => `<row>${cells.join('')}</row>`
const countOpenFiles = (): number =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).includes('foyer-')
    } catch {
      return false // closed since
    }
  }).length

test('cells with shared and own texts, formulas, truth values, errors and references are read', async () => {
  const shared = '<si><t>Name</t></si><si><r><t>Ad</t></r><r><t>a</t></r><rPh><t>spoken</t></rPh></si><si><t>Zoë _x0041_&amp;B</t></si>'
  const cell = (index: number): string => `<c t="s"><v>${index}</v></c>`
  const { description, rows } = await readFile(
    createExcel(
      [
        row(cell(0), text('City'), text('Works'), text('Sum')) +
          row(cell(1), text('London'), '<c t="b"><v>1</v></c>', '<c><f>1+1</f><v>2</v></c>') +
          `<row r="5"><c r="A5" t="s"><v>2</v></c><c r="C5" t="e"><v>#N/A</v></c><c r="D5" t="str"><f>A1</f><v>made</v></c></row>` +
          '<row r="900"><c r="A900" s="1"/></row>',
      ],
      { shared },
    ),
    'people.xlsx',
  )
  expect(description).toMatchObject({ format: 'excel', sheet: 'People', sheets: ['People'], headerLine: 1 })
  expect(description.findings.map(({ code }) => code)).toEqual(['cell_errors'])
  expect(headersOf(description)).toEqual(['Name', 'City', 'Works', 'Sum'])
  expect(summarise(rows)).toEqual([['Ada', 'London', 'TRUE', '2'], '3 empty 2', ['Zoë A&B', '', '', 'made']])
})

test.each([
  ['1900', '', ['2024-02-29', '2024-02-29 18:00:00', '1900-02-28', '12:00:00', '9999-12-31', '2958466']],
  ['1904', '<workbookPr date1904="1"/>', ['2028-03-01', '2028-03-01 18:00:00', '1904-02-29', '1904-01-01 12:00:00', '2958465', '2958466']],
])('numbers are written as their formats show them, with dates from %s', async (_system, workbook, dates) => {
  const styles = `<numFmts><numFmt numFmtId="164" formatCode="[$-409]d/mmm/yyyy\\ h:mm;@"/><numFmt numFmtId="165" formatCode="00000"/>
    <numFmt numFmtId="166" formatCode="&quot;day&quot; 0.00 [Red]"/><numFmt numFmtId="167" formatCode="[h]:mm"/></numFmts>
    <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="9"/><xf numFmtId="166"/><xf numFmtId="167"/><xf numFmtId="46"/></cellXfs>`
  const value = (number: string, style = 0): string => `<c s="${style}"><v>${number}</v></c>`
  const cells = [value('45351', 1), value('45351.75', 2), value('59', 1), value('0.5', 2), value('2958465', 1), value('2958466', 1)]
  const others = [
    value('4.915112345678E12'),
    value('0.30000000000000004'),
    value('1067', 3),
    value('0.15', 4),
    value('7', 5), // its format is no date, because "day" and [Red] are a text and a colour
    value('1.5', 6),
    value('-0.25', 7),
  ]
  const header = Array.from({ length: 13 }, (_, index) => text(`Name ${index}`))
  const { rows } = await readFile(createExcel([row(...header) + row(...cells, ...others)], { workbook, styles }), 'people.xlsx')
  expect(summarise(rows)).toEqual([[...dates, '4915112345678', '0.3', '01067', '15%', '7', '36:00:00', '-6:00:00']])
})

test('the first sheet with data is read, or the chosen one', async () => {
  const people = row(text('Name')) + row(text('Ann'))
  const bytes = createExcel(['', people, row(text('Email')) + row(text('a@b.example'))], { names: ['Empty', 'People', 'Addresses'] })
  const { description, rows } = await readFile(bytes, 'people.xlsx')
  expect(description.sheet).toBe('People')
  expect(description.findings.map(({ code }) => code)).toEqual(['sheet'])
  expect(summarise(rows)).toEqual([['Ann']])
  expect(summarise((await readFile(bytes, 'people.xlsx', { sheet: 'Addresses' })).rows)).toEqual([['a@b.example']])
})

const repeated = (before: string, piece: string, count: number, after: string): Content =>
  packRepeated(`${xml}<worksheet><sheetData>${before}`, piece, count, `${after}</sheetData></worksheet>`)
const spaces = ' '.repeat(1024 * 1024)
/** A row of 100 kB without a value. Many short cells take ten times as long to read as a long one. */
const emptyCells = `<row>${process.env['FOYER_FULL'] === '1' ? '<c s="1"/>'.repeat(10_000) : `<c x="${' '.repeat(100_000)}"/>`}</row>`

test.each<[string, string, () => Buffer]>([
  ['that unpacks to 2 GB', 'too_large', () => createExcel([repeated('', spaces, 2048, '')])],
  ['with one text of 600 MB', 'too_large', () => createExcel([repeated('<row><c><v>', spaces, 600, '</v></c></row>')])],
  [
    'with shared texts of 600 MB',
    'too_large',
    () => createExcel([row(text('Name'))], { shared: packRepeated('<sst><si><t>', spaces, 600, '</t></si></sst>') }),
  ],
  [
    'with 10 million shared texts',
    'too_large',
    () => createExcel([row(text('Name'))], { shared: packRepeated('<sst>', '<si/>'.repeat(10_000), 1000, '</sst>') }),
  ],
  ['of 257 MB', 'too_large', () => Buffer.concat([createExcel([row(text('Name'))]), Buffer.alloc(257 * 1024 * 1024)])],
  ['with 10 million rows', 'too_large', () => createExcel([repeated('', '<row/>'.repeat(10_000), 1000, '')])],
  ['with empty cells of 200 MB', 'too_large', () => createExcel([repeated('', emptyCells, 2000, '')])],
  [
    'with three sheets that have empty cells of 50 MB',
    'too_large',
    () => {
      const sheet = () => repeated('', emptyCells, 500, '')
      return createExcel([sheet(), sheet(), sheet()], { names: ['A', 'B', 'C'] })
    },
  ],
  ['with nested elements', 'damaged', () => createExcel([repeated('', '<row>'.repeat(1000), 10, '')])],
  ['that is cut after 200 bytes', 'damaged', () => createExcel([row(text('Name'))], { shared: '' }).subarray(0, 200)],
  [
    'that defines entities',
    'damaged',
    () => createZip([{ name: 'xl/workbook.xml', content: '<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><workbook>&b;</workbook>' }]),
  ],
  ['without a workbook', 'unsupported', () => createZip([{ name: 'word/document.xml', content: '<d/>' }])],
  ['without data', 'empty', () => createExcel([''])],
])('a file %s is refused with the reason %s', async (_name, reason, create) => {
  const read = () => expect(readFile(create(), 'people.xlsx')).rejects.toMatchObject({ reason })
  expect(await measureCpuMs(read)).toBeLessThan(20_000)
  expect(countOpenFiles()).toBe(0)
})

test('a text of ten million pieces is read in linear time, and its row is too long', async () => {
  const manyPieces = packRepeated('<sst><si>', '<t>a</t>'.repeat(10_000), 1000, '</si></sst>')
  const file = createExcel([row(text('Name')) + row('<c t="s"><v>0</v></c>') + row(text('Ann'))], { shared: manyPieces })
  const read = async () => expect(summarise((await readFile(file, 'people.xlsx')).rows)).toEqual(['2 broken too_long', ['Ann']])
  expect(await measureCpuMs(read)).toBeLessThan(20_000)
})

test.runIf(process.platform === 'linux')('a full temporary disk is not reported as a damaged file', async () => {
  await using file = await createTemporaryFile()
  await using fullDisk = await open('/dev/full', 'r+')
  const longText = `<si><t>${'a'.repeat(200_000)}</t></si>`
  await copyTo(file, Readable.from([createExcel([row(text('Name'))], { shared: longText + longText })]))
  const error = await readSharedTexts(await openPackage(file), fullDisk).catch(toRefusal)
  expect(error).toMatchObject({ code: 'disk_full' })
})

test('the reading of a sheet ends when its signal is aborted', async () => {
  await using file = await createTemporaryFile()
  const zip = createExcel([repeated('', `<row>${'<c s="1"/>'.repeat(10_000)}</row>`, 1000, '')])
  await copyTo(
    file,
    (async function* () {
      yield zip
    })(),
  )
  const controller = new AbortController()
  const { readXml } = await openPackage(file, { signal: controller.signal })
  let pieces = 0
  const readAll = async (): Promise<void> => {
    for await (const _ of readXml('xl/worksheets/sheet0.xml', {})) if (++pieces === 3) controller.abort(new Error('The client left'))
  }
  await expect(readAll()).rejects.toThrow('The client left')
  expect(pieces).toBe(3)
})

test('a document that many sheets name is read once', async () => {
  const names = ['sheet0', 'Sheet0', 'SHEET0', 'sheeT0']
  const sheets = Array.from({ length: 100 }, (_, index) => `<sheet name="${index}" r:id="r${index % names.length}"/>`)
  const links = names.map((name, index) => `<Relationship Id="r${index}" Target="worksheets/${name}.xml"/>`)
  const file = createZip([
    { name: 'xl/workbook.xml', content: `${xml}<workbook xmlns:r="r"><sheets>${sheets.join('')}</sheets></workbook>` },
    { name: 'xl/_rels/workbook.xml.rels', content: `${xml}<Relationships>${links.join('')}</Relationships>` },
    { name: 'xl/worksheets/sheet0.xml', content: repeated('', '<a></a>'.repeat(10_000), 100, '') },
  ])
  const read = () => expect(readFile(file, 'people.xlsx')).rejects.toMatchObject({ reason: 'empty' })
  expect(await measureCpuMs(read)).toBeLessThan(10_000)
})

test('the documents that are read have a maximum size together, and each counts once', async () => {
  await using file = await createTemporaryFile()
  const zip = createZip(['a', 'b', 'c'].map((name) => ({ name, content: 'x'.repeat(1000) })))
  await copyTo(
    file,
    (async function* () {
      yield zip
    })(),
  )
  const { readBytes } = await openPackage(file, { maxBytes: 2500 })
  const countBytes = async (path: string): Promise<number> => {
    let count = 0
    for await (const { length } of readBytes(path)) count += length
    return count
  }
  for (const path of ['a', 'a', 'b', 'a']) expect(await countBytes(path)).toBe(1000)
  await expect(countBytes('c')).rejects.toMatchObject({ reason: 'too_large' })
})

test('a cell that covers several rows has its value in each of them', async () => {
  const rowsWithMerge =
    row(text('Company'), text('Name')) + row(text('Acme'), text('Ann')) + row('<c/>', text('Bob')) + row('<c/>', text('Cem'))
  const sheet = sheetOf(rowsWithMerge).replace(
    '</worksheet>',
    '<mergeCells><mergeCell ref="A2:A3"/><mergeCell ref="A9:B9"/></mergeCells></worksheet>',
  )
  const { description, rows } = await readFile(createExcel([Buffer.from(sheet)]), 'people.xlsx')
  expect(description.findings.map(({ code }) => code)).toEqual(['merged_cells'])
  expect(summarise(rows)).toEqual([
    ['Acme', 'Ann'],
    ['Acme', 'Bob'],
    ['', 'Cem'],
  ])
})

test('a row that is too long with the values of merged cells above it is broken', async () => {
  const long = text('x'.repeat(600_000))
  const sheet = sheetOf(row(text('A'), text('B')) + row(long) + row('<c/>', text('y')) + row('<c/>', long) + row('<c/>', text('z')))
  const merges = '<mergeCells><mergeCell ref="A2:A4"/></mergeCells>'
  const { rows } = await readFile(createExcel([Buffer.from(sheet.replace('</worksheet>', `${merges}</worksheet>`))]), 'people.xlsx')
  expect(
    rows.map((each) =>
      each.kind === 'record' ? each.cells.map((cell) => cell.length) : [each.kind, each.line, 'raw' in each && each.raw.length],
    ),
  ).toEqual([
    [600_000, 0],
    [600_000, 1],
    ['broken', 4, 600_001],
    [0, 1],
  ])
})

test('a million empty rows before a row at the last line that Excel allows are one entry', async () => {
  const sheet = `${row(text('Name'))}<row r="3">${text('Ann')}</row><row r="1048576">${text('Bob')}</row>`
  const { rows } = await readFile(createExcel([sheet]), 'people.xlsx')
  expect(summarise(rows)).toEqual(['2 empty 1', ['Ann'], '4 empty 1048572', ['Bob']])
})

test('a row with too many columns is broken, and a row that is too long is broken', async () => {
  const long = text('x'.repeat(600_000))
  const wide = Array.from({ length: 1001 }, () => text('x')).join('')
  const { rows } = await readFile(
    createExcel([row(text('Name'), text('City')) + row(text('Ann')) + row(wide) + row(long, long)]),
    'people.xlsx',
  )
  expect(summarise(rows)).toEqual([['Ann', ''], '3 broken too_many_cells', '4 broken too_long'])
})

test('a format of 200,000 brackets, which many styles have, is read in less than 3 s of CPU time', async () => {
  const format = `<numFmts><numFmt numFmtId="164" formatCode="${'['.repeat(200_000)}"/></numFmts>`
  const styles = `${format}<cellXfs>${'<xf numFmtId="164"/>'.repeat(10_000)}</cellXfs>`
  const file = createExcel([row(text('Name')) + row(text('Ann'))], { styles })
  expect(await measureCpuMs(() => readFile(file, 'people.xlsx'))).toBeLessThan(3000)
})

import { expect, test } from 'vitest'
import { createRandom, type Random } from '#server/testing/random.ts'
import { openTable } from './read-table.ts'
import { encode, headersOf, readFile, summarise, type TestEncoding } from './testing.ts'

const people: Record<TestEncoding, string> = {
  'utf-8': 'Zoë,Łukasz,東京,Ağa,😀',
  'utf-8 with mark': 'Zoë,Łukasz,東京',
  'utf-16le': 'Zoë,Łukasz,東京',
  'utf-16be': 'Zoë,Łukasz,東京',
  'windows-1250': 'Łukasz,Małgorzata Wiśniewska,Jiří Dvořák,Zażółć gęślą jaźń',
  'windows-1252': 'Zoë,François Müller,Åsa Sjöström,Núria Peña',
  'windows-1254': 'Ayşe Yılmaz,Çağrı Şahin,İbrahim Öztürk,Işıl Doğan',
}
const encodings = ['utf-8', 'utf-8 with mark', 'utf-16le', 'utf-16be', 'windows-1250', 'windows-1252', 'windows-1254'] as const

test.each(encodings)('a file in %s is recognised, and its letters are read', async (encoding) => {
  const names = people[encoding].split(',')
  const { description, rows } = await readFile(encode(`Name;City\n${names.map((name) => `${name};X`).join('\n')}`, encoding))
  expect(description.encoding).toBe(encoding.replace(' with mark', ''))
  expect(description.findings[0]?.code).toBe('encoding')
  expect(headersOf(description)).toEqual(['Name', 'City'])
  expect(summarise(rows)).toEqual(names.map((name) => [name, 'X']))
})

test.each([
  [
    'windows-1250',
    [
      'Dvořák',
      'Wałęsa',
      'Łukasz',
      'Petrović',
      'Kovač Žiga',
      'Erdős Kálmán',
      'Bălţi',
      'Šťastný',
      'Gómez Ćwikła',
      'Świątek',
      'Přemysl, Nováková',
      'Timişoara, Brăila',
    ],
  ],
  [
    'windows-1252',
    [
      'Müller',
      'Søren Kierkegård',
      'João Gonçalves',
      'Nuñez',
      'Björk Guðmundsdóttir',
      'François',
      'Ærø',
      'Simões',
      'Mosè',
      'Françoise Hélène',
      'João, Rua Augusta nº 5',
      'João, 2ºDto',
      'Mª José, Calle Mayor 5, 1ª planta',
      'Jürgen Größl, Käthe Müßig, Søren, José García',
      'Jürgen Größl, Käthe Müßig, Günther Böhm, Lefèvre, Tomáš',
    ],
  ],
  ['windows-1254', ['Yılmaz', 'Çağrı', 'Şahin', 'Işıl Öztürk', 'Gökçe Şimşek']],
] as const)('one name is enough to recognise %s', async (encoding, names) => {
  const wrong: string[] = []
  for (const name of names) {
    const { rows } = await readFile(encode(`Name;City\n${name};X\n`, encoding))
    if (rows[0]?.kind !== 'record' || rows[0].cells[0] !== name) wrong.push(name)
  }
  expect(wrong).toEqual([])
})

test('the first bytes that are not ASCII decide the encoding, also after the first megabyte', async () => {
  const text = `Name,City\n${'Ann,Berlin\n'.repeat(120_000)}`
  for (const encoding of ['utf-8', 'windows-1252'] as const) {
    const { rows } = await readFile(encode(`${text}Zoë Müller,Köln\n`, encoding))
    expect(summarise(rows.slice(-1))).toEqual([['Zoë Müller', 'Köln']])
  }
})

test.each([
  ['the first megabyte', 1024 * 1024],
  ['a later chunk', 1024 * 1024 + 64 * 1024],
])('a letter whose first byte is the last one of %s does not decide the encoding alone', async (_, end) => {
  const rows = `Name,City\n${'Ann,Berlin\n'.repeat(200_000)}`.slice(0, end - 100)
  const before = rows.slice(0, rows.lastIndexOf('\n') + 1)
  const name = 'R'.padEnd(end - 1 - before.length, 'e')
  for (const encoding of ['utf-8', 'windows-1252'] as const) {
    const file = await readFile(encode(`${before}${name}é,Oran\nFrançois Müller,Köln\n`, encoding))
    expect(summarise(file.rows.slice(-2))).toEqual([
      [`${name}é`, 'Oran'],
      ['François Müller', 'Köln'],
    ])
  }
})

test('the encoding does not depend on the sizes of the chunks', async () => {
  const text = `Name,City\n${'Ann,Berlin\n'.repeat(120_000)}René,Köln\n${'Ann,Berlin\n'.repeat(20_000)}François,Nîmes\n`
  for (const chunkBytes of [1000, 65_537, 10_000_000]) {
    const { rows } = await readFile(encode(text, 'windows-1252'), 'people.csv', { chunkBytes })
    expect(rows.flatMap((row) => (row.kind === 'record' && row.cells[0] !== 'Ann' ? [row.cells] : []))).toEqual([
      ['René', 'Köln'],
      ['François', 'Nîmes'],
    ])
  }
})

test.each(['utf-8', 'windows-1252'] as const)('the last byte of a file in %s may be the only one that is not ASCII', async (encoding) => {
  const { description, rows } = await readFile(encode('Name,City\nAnn,Orlé', encoding))
  expect([description.encoding, summarise(rows)]).toEqual([encoding, [['Ann', 'Orlé']]])
})

test('a line "sep=", titles above the header, a repeated header, empty rows and sums below are no records', async () => {
  const text = `sep=;\nContacts of Acme;;\n\nName;Email;City\nAnn;ann@example.com;Rome\nName;Email;City\n;;\nBob;bob@example.com\n\nTotal: 2;;\n`
  const { description, rows } = await readFile(text)
  expect(description).toMatchObject({ separator: ';', headerLine: 4 })
  expect(description.findings.map(({ code }) => code)).toEqual(['encoding', 'separator', 'preamble'])
  expect(description.columns[1]).toEqual({ header: 'Email', samples: ['ann@example.com', 'bob@example.com'] })
  expect(summarise(rows)).toEqual([
    '2 skipped preamble',
    '3 empty 1',
    ['Ann', 'ann@example.com', 'Rome'],
    '6 skipped repeated_header',
    '7 empty 1',
    ['Bob', 'bob@example.com', ''],
    '9 empty 1',
    '10 skipped footer',
  ])
})

test('a row that looks like a sum is a record when others follow', async () => {
  const { rows } = await readFile('Name,Amount\nTotal,5\nAnn,6\n')
  expect(summarise(rows)).toEqual([
    ['Total', '5'],
    ['Ann', '6'],
  ])
})

test('a file without a header has numbered columns, and every row is a record', async () => {
  const { description, rows } = await readFile('Ann,ann@example.com\nBob,bob@example.com\n')
  expect(description.headerLine).toBeNull()
  expect(headersOf(description)).toEqual(['Column 1', 'Column 2'])
  expect(rows).toHaveLength(2)
  const corrected = await readFile('Ann,Berlin\nBob,Paris\n', 'people.csv', { hasHeader: false })
  expect(corrected.rows).toHaveLength(2)
})

test.each([['Şirket;Ünvan'], ['Imię;Wiek'], ['Příjmení;Věk'], ['Téléphone;Âge']])('the header %s is recognised', async (header) => {
  expect((await readFile(`${header}\n`)).description.headerLine).toBe(1)
})

test('headers become unique, and rows with too many cells are broken unless the additional cells are empty', async () => {
  const { description, rows } = await readFile('Email,Email,,Name\na,b,c,d\na,b,c,d,e\na,b,c,d,\na\n')
  expect(headersOf(description)).toEqual(['Email', 'Email (2)', 'Column 3', 'Name'])
  expect(rows[1]).toEqual({ kind: 'broken', line: 3, column: 5, reason: 'too_many_cells', raw: 'a,b,c,d,e' })
  expect(rows.map(({ kind }) => kind)).toEqual(['record', 'broken', 'record', 'record'])
})

test.each([
  ['people.tsv', 'Name\tCity\nAnn, B\tRome\n', '\t'],
  ['people.csv', 'Name|City\nAnn|Rome\nBob, C|Oslo\n', '|'],
  ['people.txt', 'Name;Note\nAnn;one, two\nBob;three, four\n', ';'],
  ['people.csv', 'Name\rAnn\rBob\r', ','], // a file with one column has the default separator
])('the separator of %s is found', async (name, text, separator) => {
  const { description, rows } = await readFile(text, name)
  expect(description.separator).toBe(separator)
  expect(rows.every((row) => row.kind === 'record')).toBe(true)
})

test('NUL bytes are left out, and files that cannot be read have a reason', async () => {
  expect(summarise((await readFile('Name,City\nA\0nn,Rome\n')).rows)).toEqual([['Ann', 'Rome']])
  for (const [content, reason] of [
    ['', 'empty'],
    [' \n\n', 'empty'],
    ['"never closed', 'damaged'],
    ['%PDF-1.4', 'unsupported'],
    [Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'old_excel'],
    [Buffer.concat([Buffer.from('d0cf11e0', 'hex'), Buffer.from('EncryptedPackage', 'utf16le')]), 'encrypted'],
    [Array.from({ length: 1001 }, (_, column) => `c${column}`).join(','), 'too_many_columns'],
    [Buffer.from('PK\x03\x04 no zip'), 'damaged'],
  ] as const)
    await expect(readFile(content), reason).rejects.toMatchObject({ reason })
})

type Case = { encoding: TestEncoding; separator: string; text: string; expected: unknown[] }

/** Creates a file with quoted cells, empty rows, repeated headers and broken rows, and what its rows must be. */
function createCase(random: Random): Case {
  const encoding = random.pick(encodings)
  const separator = random.pick([',', ';', '\t', '|'])
  const lineEnd = random.pick(['\n', '\r\n'])
  const width = random.hasChance(0.1) ? 1000 : 2 + random.below(8)
  const words = [
    ...people[encoding].split(','),
    'Ann',
    'a "b" c',
    'x, y',
    'p; q',
    'm | n',
    't\tu',
    `two${lineEnd}lines`,
    '"',
    ' space ',
    '',
  ]
  const header = Array.from({ length: width }, (_, index) => `Name ${index}`)
  const write = (cell: string): string =>
    /[",;|\t\r\n]|^ | $/.test(cell) || random.hasChance(0.1) ? `"${cell.replaceAll('"', '""')}"` : cell
  let line = 1
  let text = ''
  const expected: Record<string, unknown>[] = []
  const addLine = (source: string): number => {
    const start = line
    text += source + lineEnd
    line += source.split('\n').length
    return start
  }
  addLine(header.join(separator))
  for (let count = 20 + random.below(60); count > 0; count--) {
    const cells = [random.pick(people[encoding].split(',')), ...Array.from({ length: width - 1 }, () => random.pick(words))]
    const source = cells.map(write).join(separator)
    const kind = random.below(20)
    if (kind === 0 && expected.at(-1)?.['kind'] !== 'empty') expected.push({ kind: 'empty', count: 1, line: addLine('') })
    else if (kind === 1) expected.push({ kind: 'skipped', reason: 'repeated_header', line: addLine(header.join(separator)) })
    else if (kind === 2)
      expected.push({ kind: 'broken', reason: 'too_many_cells', column: width + 1, line: addLine(`${source}${separator}more`) })
    else if (kind === 3)
      expected.push({ kind: 'broken', reason: 'unclosed_quote', column: 2, line: addLine(`Ann${separator}"never closed`) })
    else if (kind === 4)
      expected.push({ kind: 'record', line: addLine('Ann'), cells: ['Ann', ...Array.from({ length: width - 1 }, () => '')] })
    else expected.push({ kind: 'record', line: addLine(source), cells })
  }
  // a last row with quotes, so that every quote that is never closed is followed by others
  const last = Array.from({ length: width }, () => 'z')
  expected.push({ kind: 'record', line: addLine(last.map((cell) => `"${cell}"`).join(separator)), cells: last })
  return { encoding, separator, text, expected }
}

/** The number of random files. FOYER_FULL=1 runs tests with larger numbers. */
const fileCount = process.env['FOYER_FULL'] === '1' ? 200 : 60

test(`every row of ${fileCount} random files is read exactly, skipped or broken`, async () => {
  for (let seed = 1; seed <= fileCount; seed++) {
    const random = createRandom(seed)
    const { encoding, separator, text, expected } = createCase(random)
    const chunkBytes = random.pick([500, 5000, 64 * 1024])
    const { description, rows } = await readFile(encode(text, encoding), 'people.csv', { chunkBytes })
    const about = `seed ${seed}, ${encoding}, ${JSON.stringify(separator)}`
    expect(description, about).toMatchObject({ encoding: encoding.replace(' with mark', ''), separator, headerLine: 1 })
    expect(rows, about).toMatchObject(expected)
    expect(rows.length, about).toBe(expected.length)
  }
})

test('the sizes of the chunks do not change how a file is read, and a file that is not read to its end is closed', async () => {
  const lines = Array.from({ length: 40_000 }, (_, index) => `Ann${index},ann${index}@example.org,${index === 30_000 ? 'café' : 'tea'}`)
  const bytes = Buffer.from(`Name,Email,Drink\n${lines.join('\n')}`)
  const results = await Promise.all(
    [1000, 300_000, 5_000_000].map(async (chunkBytes) => {
      const { description, rows } = await readFile(bytes, 'people.csv', { chunkBytes })
      return { description, count: rows.length, rowWithAccent: rows.at(30_000) }
    }),
  )
  expect(results[0]).toMatchObject({ count: 40_000, rowWithAccent: { cells: ['Ann30000', 'ann30000@example.org', 'café'] } })
  expect(results[1]).toEqual(results[0])
  expect(results[2]).toEqual(results[0])

  let isClosed = false
  async function* content() {
    try {
      for (let at = 0; at < bytes.length; at += 300_000) yield bytes.subarray(at, at + 300_000)
    } finally {
      isClosed = true
    }
  }
  await (await openTable(content(), 'people.csv')).close()
  expect(isClosed).toBe(true)
})

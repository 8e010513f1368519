import { expect, test } from 'vitest'
import { measureCpuMs } from '#server/testing/cpu.ts'
import { headersOf, readFile } from './testing.ts'

/** Returns the filled cells of each record by their column, and for each other row its line and the reason, such as "14 unrecognised". */
async function readPeople(text: string) {
  const { description, rows } = await readFile(text, 'people.txt')
  expect(description.format).toBe('free_text')
  const headers = headersOf(description)
  return rows.map((row) =>
    row.kind === 'record'
      ? Object.fromEntries(headers.map((header, index) => [header, row.cells[index]]).filter(([, value]) => value !== ''))
      : `${row.line} ${'reason' in row ? row.reason : row.kind}`,
  )
}

test('signatures and labelled contact details become rows', async () => {
  const text = `Jane Doe\nSales Manager\nAcme GmbH\nHauptstraße 5, 10115 Berlin\nTel: +49 30 1234567\nM +49 170 1234567\njane@acme.com\nwww.acme.com\n\nName: Bob Roe\nE-Mail: bob@example.com\nShoe size: 44\n\nSee you tomorrow!\n`
  expect(await readPeople(text)).toEqual([
    {
      Name: 'Jane Doe',
      Title: 'Sales Manager',
      Company: 'Acme GmbH',
      Address: 'Hauptstraße 5, 10115 Berlin',
      Phone: '+49 30 1234567',
      'Mobile phone': '+49 170 1234567',
      Email: 'jane@acme.com',
      Website: 'www.acme.com',
    },
    { Name: 'Bob Roe', Email: 'bob@example.com', Notes: 'Shoe size: 44' },
    '14 unrecognised',
  ])
})

test('a line of small letters is no name', async () => {
  expect(await readPeople('please call me back\njane@acme.com\n\ndr. Jane van der Doe\njane.doe@acme.com\n')).toEqual([
    { Email: 'jane@acme.com', Notes: 'please call me back' },
    { Name: 'dr. Jane van der Doe', Email: 'jane.doe@acme.com' },
  ])
})

test('lists of addresses become a row for each address', async () => {
  const text = `"Doe, Jane" <jane@acme.com>, Bob Roe <bob@example.com>;\nRoe, Cem <cem@example.com>\ndan@example.com\n`
  expect(await readPeople(text)).toEqual([
    { Name: 'Doe, Jane', Email: 'jane@acme.com' },
    { Name: 'Bob Roe', Email: 'bob@example.com' },
    { Name: 'Roe, Cem', Email: 'cem@example.com' },
    { Email: 'dan@example.com' },
  ])
})

test('addresses with and without names can be in one line, separated by commas, semicolons and line breaks', async () => {
  const text = `Ada Lovelace <ada@x.example>, bob@y.example; "Carl, Dr." <c@z.example>\nbob@x.example, Dan Day <dan@x.example>;\neve@x.example 'Fay Fox' <fay@x.example>,\nTo: gus@x.example, cc: Hal Hay <hal@x.example>\n`
  expect(await readPeople(text)).toEqual([
    { Name: 'Ada Lovelace', Email: 'ada@x.example' },
    { Email: 'bob@y.example' },
    { Name: 'Carl, Dr.', Email: 'c@z.example' },
    { Email: 'bob@x.example' },
    { Name: 'Dan Day', Email: 'dan@x.example' },
    { Email: 'eve@x.example' },
    { Name: 'Fay Fox', Email: 'fay@x.example' },
    { Email: 'gus@x.example' },
    { Name: 'Hal Hay', Email: 'hal@x.example' },
  ])
  expect(await readPeople('ada@x.example,bob@y.example,carl@z.example\n')).toEqual([
    { Email: 'ada@x.example' },
    { Email: 'bob@y.example' },
    { Email: 'carl@z.example' },
  ])
})

test('if each line is a person, each line becomes a row', async () => {
  const text = `Jane Doe, Acme Ltd, jane@acme.com, +44 20 7946 0000\nBob Roe - bob@example.com\nCem Can, cem@example.com\n`
  expect(await readPeople(text)).toEqual([
    { Name: 'Jane Doe', Company: 'Acme Ltd', Email: 'jane@acme.com', Phone: '+44 20 7946 0000' },
    { Name: 'Bob Roe', Email: 'bob@example.com' },
    { Name: 'Cem Can', Email: 'cem@example.com' },
  ])
})

test('between dividers, a signature may have empty lines, and lines such as "Best regards" are left out', async () => {
  const text = `Best regards,\nJane Doe\njane@acme.com\n\n--\nMit freundlichen Grüßen\n\nJürgen Köhler\nGeschäftsführer\n\nKöhler GmbH\nT +49 711 123456 | F +49 711 123457 | M +49 171 1234567\nkoehler@koehler.example\n\n-- \nBob Roe <bob@example.com>\n\nCheers\nCem Can\ncem@example.com\n`
  expect(await readPeople(text)).toEqual([
    { Name: 'Jane Doe', Email: 'jane@acme.com' },
    {
      Name: 'Jürgen Köhler',
      Title: 'Geschäftsführer',
      Company: 'Köhler GmbH',
      Phone: '+49 711 123456',
      Fax: '+49 711 123457',
      'Mobile phone': '+49 171 1234567',
      Email: 'koehler@koehler.example',
    },
    { Name: 'Bob Roe', Email: 'bob@example.com' },
    { Name: 'Cem Can', Email: 'cem@example.com' },
  ])
})

test('a text in which no person is recognised has findings that say so', async () => {
  const { description, rows } = await readFile('Dear all,\nplease come.\n\nBye\n', 'people.txt')
  expect(description.findings.map(({ code }) => code)).toEqual(['encoding', 'free_text', 'unrecognised'])
  expect(description.findings.slice(1).map(({ message }) => message)).toEqual([
    'The file is no table. 0 people were recognised in its text.',
    'In 2 parts of its text no person was recognised.',
  ])
  expect(rows.map(({ kind, line }) => [kind, line])).toEqual([
    ['skipped', 1],
    ['skipped', 4],
  ])
})

test('the findings of a long text say that only its beginning was counted', async () => {
  const person = 'Jane Doe\njane@acme.com\n\n'
  const { description } = await readFile(`${person}${'-'.repeat(70)}\n`.repeat(12_000), 'people.txt')
  expect(description.findings[1]?.message).toMatch(
    /^The file is no table\. \d+ people were recognised in the first megabyte of its text\.$/,
  )
  expect((await readFile(person, 'people.txt')).description.findings[1]?.message).toBe(
    'The file is no table. 1 person was recognised in its text.',
  )
})

test('a line of more than a megabyte is reported as a broken row, and the next person is read', async () => {
  const people = await readPeople(`Jane Doe\njane@acme.com\n${'x'.repeat(2_000_000)}\nBob Roe\nbob@example.com\n`)
  expect(people).toEqual([{ Name: 'Jane Doe', Email: 'jane@acme.com' }, '3 too_long', { Name: 'Bob Roe', Email: 'bob@example.com' }])
})

test('long lines without meaning are read in less than ten seconds of CPU time', async () => {
  const readAll = async (): Promise<void> => {
    for (const piece of ['a', '1', '.', 'A ', '<', 'a@', '"', '+1 ', 'a@a.'])
      await readFile(`${piece.repeat(200_000 / piece.length)}\n\nx\n`, 'people.txt')
  }
  expect(await measureCpuMs(readAll)).toBeLessThan(10_000)
})

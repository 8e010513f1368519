import { expect, test } from 'vitest'
import { createRandom } from '#server/testing/random.ts'
import { formatCsvLine, unescapeFormulas } from './csv.ts'

test.each<[unknown, string]>([
  ['Ada', 'Ada'],
  ['', ''],
  [null, ''],
  [undefined, ''],
  [12.5, '12.5'],
  [-3, '-3'],
  [0, '0'],
  ['say "hello"', '"say ""hello"""'],
  ['one, two', '"one, two"'],
  ['one; two', '"one; two"'],
  ['one\ntwo', '"one\ntwo"'],
  ['one\r\ntwo', '"one\r\ntwo"'],
  [' spaces ', ' spaces '],
  [['Fair 2026', 'VIP'], '"Fair 2026, VIP"'],
  [['VIP'], 'VIP'],
  [[], ''],
  // text that a spreadsheet would run as a formula
  ['=1+1', "'=1+1"],
  ['=HYPERLINK("http://evil.example","x")', `"'=HYPERLINK(""http://evil.example"",""x"")"`],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['+A1', "'+A1"],
  ["-cmd|' /C calc'!A0", "'-cmd|' /C calc'!A0"],
  ['\t=1', `"'\t'=1"`], // the second apostrophe, because a spreadsheet may end a cell at the tab
  ['\r=1', `"'\r'=1"`],
  ['\n=1', `"'\n'=1"`],
  [' =1', "' =1"],
  ['＝1', "'＝1"],
  [['=1', 'x'], `"'=1, x"`],
  // text that becomes a formula if a spreadsheet ends cells at semicolons, tabs or line breaks, also inside of quotes
  ['a;=1', `"a;'=1"`],
  ['a\t@SUM(A1)', `"a\t'@SUM(A1)"`],
  ['a\r\n =1', `"a\r\n '=1"`],
  ['a;+A1', `"a;'+A1"`],
  ['a;"=1"', `"a;""'=1"""`],
  ['a;;＝1', `"a;;'＝1"`],
  ["one\n-cmd|' /C calc'!A0", `"one\n'-cmd|' /C calc'!A0"`],
  ['=1;=2', `"'=1;'=2"`],
  // text that is no formula, such as numbers and phone numbers, is not changed
  ['home; +44 20 7946 0118; -12.5\n+1 555', '"home; +44 20 7946 0118; -12.5\n+1 555"'],
  ['a; b = c', '"a; b = c"'],
  ['+44 20 7946 0118', '+44 20 7946 0118'],
  ['-12.5', '-12.5'],
  ['+(1) 555-0100', '+(1) 555-0100'],
  ['-', '-'],
  ['a=b', 'a=b'],
])('%j is written as %j', (value, expected) => {
  expect(formatCsvLine([value])).toBe(`${expected}\r\n`)
})

test('the text of a written cell is read again unchanged', () => {
  const random = createRandom(26)
  const pieces = ["'", '=', '@', '+', '-', '＝', '1', ' ', ';', '\t', '\n', '"', 'a', ',', '.']
  const texts = Array.from({ length: 100_000 }, () => Array.from({ length: random.below(9) }, () => random.pick(pieces)).join(''))
  const changed = texts.filter((text) => {
    const cell = formatCsvLine([text]).slice(0, -2)
    const unquoted = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell
    return unescapeFormulas(unquoted) !== text
  })
  expect(changed).toEqual([])
})

test('cells are separated by commas', () => {
  expect(formatCsvLine(['a', '', 'b,c', 1])).toBe('a,,"b,c",1\r\n')
})

// a regular expression that backtracks would take minutes for such texts
test.each([';', '\n', '; "', '\n-', '- - -', ";'", "'"])(
  'a text that repeats %j 200,000 times is formatted and read within two seconds',
  (characters) => {
    const text = characters.repeat(200_000)
    const line = formatCsvLine([text])
    expect(line.length).toBeGreaterThan(200_000)
    expect(unescapeFormulas(text).length).toBeLessThanOrEqual(text.length)
  },
  2000,
)

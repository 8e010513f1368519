import { expect, test } from 'vitest'
import { parseCsv } from './csv.ts'

test.each([
  [
    'a,b\n1,2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a;b\r\n"x;y";"say ""hi"""',
    [
      ['a', 'b'],
      ['x;y', 'say "hi"'],
    ],
  ],
  [
    'a\tb\n"two\nlines"\t',
    [
      ['a', 'b'],
      ['two\nlines', ''],
    ],
  ],
  ['"a"b,c', [['ab', 'c']]],
  ['"not closed', [['not closed']]],
  ['a,,c', [['a', '', 'c']]],
  ['', []],
])('%j is read as rows', (text, rows) => {
  expect(parseCsv(text, 10)).toEqual(rows)
})

test('only the first rows are read', () => {
  expect(parseCsv('1\n2\n3\n', 2)).toEqual([['1'], ['2']])
})

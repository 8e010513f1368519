import { expect, test } from 'vitest'
import { measureCpuMs } from '#server/testing/cpu.ts'
import { createRandom } from '#server/testing/random.ts'
import { createTokenizer } from './tokenizer.ts'

const tokenize = (text: string, pieceLength = text.length, maxLength?: number) => {
  const tokenizer = createTokenizer(',', { maxLength })
  const rows = []
  for (let at = 0; at < text.length; at += pieceLength) rows.push(tokenizer.push(text.slice(at, at + pieceLength)))
  return [...rows.flat(), ...tokenizer.end()].map((row) =>
    row.kind === 'row' ? row.cells : `${row.line}:${row.column} ${row.reason} ${row.raw}`,
  )
}

test.each<[string, string, (string[] | string)[]]>([
  [
    'plain rows',
    'a,b\r\nc,\n,d',
    [
      ['a', 'b'],
      ['c', ''],
      ['', 'd'],
    ],
  ],
  ['quoted cells', '"a,b","c\r\nd"," e ""f"""\n', [['a,b', 'c\r\nd', ' e "f"']]],
  [
    'a quote in the middle of a cell',
    'a 5" nail,b\n"a "b" c",d\n',
    [
      ['a 5" nail', 'b'],
      ['a "b" c', 'd'],
    ],
  ],
  ['spaces around quotes', 'a, "b, c" ,d\n', [['a', 'b, c', 'd']]],
  ['an unclosed quote', 'a,b\n1,"x\n2,y\n3,z\n', [['a', 'b'], '2:2 unclosed_quote 1,"x', ['2', 'y'], ['3', 'z']]],
  ['an unclosed quote before closed ones', '1,"x\n2,"y"\n3,"z"\n', ['1:2 unclosed_quote 1,"x', ['2', 'y'], ['3', 'z']]],
  ['an unclosed quote before empty cells', '1,"x\n2,""\n', ['1:2 unclosed_quote 1,"x', ['2', '']]],
  ['an unclosed quote after a cell of two lines', '"a\nb","c\nd,e', ['1:2 unclosed_quote "a\nb","c', ['d', 'e']]],
  ['empty rows', '\n\na', [[''], [''], ['a']]],
])('%s: the rows do not depend on the length of the pieces', (_name, text, rows) => {
  for (const length of [1, 2, 3, 5, 100]) expect(tokenize(text, length), `pieces of ${length}`).toEqual(rows)
})

test('a row that is too long is broken, and the next rows are read', () => {
  const text = `a,b\n${'x'.repeat(50)}\nc,d\n"${'y\n'.repeat(30)}`
  const rows = tokenize(text, 7, 20)
  expect(rows.slice(0, 3)).toEqual([['a', 'b'], `2:1 too_long ${'x'.repeat(20)}`, ['c', 'd']])
  expect(rows[3]).toBe('4:1 unclosed_quote "y')
  expect(rows).toHaveLength(4 + 29) // each of the other 29 lines with "y" is a row
})

test('a file of quotes that are never closed is read in less than 15 seconds of CPU time', async () => {
  const text = '"""abc\n'.repeat(200_000)
  expect(await measureCpuMs(() => expect(tokenize(text, 64 * 1024)).toHaveLength(200_000))).toBeLessThan(15_000)
})

test('random text is never lost, and its rows do not depend on the pieces', () => {
  for (let seed = 1; seed <= 3000; seed++) {
    const random = createRandom(seed)
    const text = Array.from({ length: random.below(60) }, () => random.pick(['a', 'b', ',', '"', '"', '\n', '\r\n', ' '])).join('')
    const tokenizer = createTokenizer(',')
    const rows = [...tokenizer.push(text), ...tokenizer.end()]
    const withoutReturn = (line: string): string => line.replace(/\r$/, '')
    const readLines = rows.flatMap(({ raw }) => raw.split('\n')).map(withoutReturn)
    const lines = text.replace(/\n$/, '').split('\n').map(withoutReturn)
    expect(readLines, `seed ${seed}`).toEqual(text === '' ? [] : lines)
    expect(tokenize(text, 1 + random.below(9)), `seed ${seed}`).toEqual(tokenize(text))
    for (const [index, row] of rows.entries()) {
      const linesBefore = rows.slice(0, index).reduce((sum, { raw }) => sum + raw.split('\n').length, 0)
      expect(row.line, `seed ${seed}`).toBe(linesBefore + 1)
    }
  }
})

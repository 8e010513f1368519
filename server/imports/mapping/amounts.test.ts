// Amounts, percentages and numbers of employees as people and programs write them.
import { expect, test } from 'vitest'
import type { ImportedKind } from './column-mapping.ts'
import { mapColumns } from './map-columns.ts'
import { createRecordReader } from './read-record.ts'

/** Returns the values of the field that a column of these cells has. The first ones are its samples. */
function readColumn(kind: ImportedKind, header: string, field: string, cells: readonly string[], samples = cells) {
  const read = createRecordReader(kind, mapColumns(kind, [{ header, samples }]))
  return cells.map((cell) => read([cell]).fields[field])
}
const readAmounts = (...cells: string[]) => readColumn('deal', 'Amount', 'value', cells)
/** Reads each cell as the only one of its column. */
const readAmount = (cell: string) => {
  const read = createRecordReader('deal', [{ header: 'Amount', field: 'value', certainty: 'sure', reason: 'chosen' }])
  return read([cell]).fields['value']
}

test.each([
  ['12k', 12_000],
  ['$12K', 12_000],
  ['12 k€', 12_000],
  ['12 T€', 12_000],
  ['k€ 12', 12_000],
  ['TEUR 12', 12_000],
  ['12 kEUR', 12_000],
  ['12 tkr', 12_000],
  ['12 Tsd.', 12_000],
  ['12 Tsd. €', 12_000],
  ['1,5 tys. zł', 1500],
  ['12 тыс. руб.', 12_000],
  ['$1.5M', 1_500_000],
  ['1.5M', 1_500_000],
  ['£1.5m', 1_500_000],
  ['2 Mio. €', 2_000_000],
  ['2 Mio EUR', 2_000_000],
  ['2MioEUR', 2_000_000],
  ['1.1 mn USD', 1_100_000],
  ['4,35 mln zł', 4_350_000],
  ['5 Mkr', 5_000_000],
  ['5 MSEK', 5_000_000],
  ['2 млн руб.', 2_000_000],
  ['1,2 Mrd. €', 1_200_000_000],
  ['$2bn', 2_000_000_000],
  ['$2B', 2_000_000_000],
  ['100万円', 1_000_000],
  ['1000円', 1000],
  ['5 lakh', 500_000],
  ['1 200,50 EUR', 1200.5],
  ['usd 40', 40],
  ['40 USD', 40],
  ['US$ 1,200.50', 1200.5],
  ['1 200 kr', 1200],
  ['1 200,- kr.', 1200],
  ['1 200 zł', 1200],
  ['Fr. 1200.-', 1200],
  ["1'200.50 Fr.", 1200.5],
  ['CHF 1’200.–', 1200],
  ['1 200 Kč', 1200],
  ['Rs. 500', 500],
  ['500 Rs', 500],
  ['500 lei', 500],
  ['500 Ft', 500],
  ['500 дин', 500],
  ['500 руб.', 500],
  ['500 ₽', 500],
  ['500 € HT', 500],
  ['500 euro', 500],
  ['K 500', 500],
  ['500 KM', 500],
])('the amount %j is read as %j', (cell, value) => {
  expect(readAmount(cell)).toBe(value)
})

test.each(['2 m', '2 m€', '2 mEUR', '$2 m 3', '2 mil', '12 x', '3 Stk', '12 h', '5 cr', '1.500k', '2 T', '12 kg', '5 K M', '1 2 3 abc'])(
  'the amount %j is not read, because its letters have no certain meaning',
  (cell) => {
    expect(readAmount(cell)).toBeUndefined()
  },
)

test('an amount in thousands has the decimal separator of its column', () => {
  expect(readAmounts('1.5k', '1.125k')).toEqual([1500, 1125])
  expect(readAmounts('1,5 Mio. €', '1.125 Tsd. €')).toEqual([1_500_000, 1_125_000])
})

test.each([
  [
    ['1.234,50', '2500,-', 'CHF 300', '$1,200.00', '12.50', '1,200,000', '1,200'],
    [1234.5, 2500, 300, 1200, 12.5, 1_200_000, 1.2],
  ],
  [
    ['1,234.50', '1.200,00 €', '1.200.000 €', '1.200'],
    [1234.5, 1200, 1_200_000, 1.2],
  ],
])('the decimal separator of a column does not change amounts that have only one meaning: %j', (cells, amounts) => {
  expect(readAmounts(...cells)).toEqual(amounts)
})

test('a company has the number of employees with its unit or in thousands', () => {
  expect(readColumn('company', 'Employees', 'employees_count', ['1.2k', '12 FTE', '12 people'])).toEqual([1200, 12, undefined])
})

test.each([
  [
    ['0.4', '1', '0.2', '0'],
    [40, 100, 20, 0],
  ],
  [
    ['0,4', '1,0', '40 %'],
    [40, 100, 40],
  ],
  [
    ['0.4', '40', '1'],
    [0, 40, 1],
  ],
  [
    ['1', '0'],
    [1, 0],
  ],
])('the probabilities %j of a column are read as %j', (cells, probabilities) => {
  expect(readColumn('deal', 'Probability', 'probability', cells)).toEqual(probabilities)
})

test('a probability after a column of zeros and ones is a fraction if it is less than one', () => {
  expect(readColumn('deal', 'Probability', 'probability', ['0.4'], ['1', '0'])).toEqual([40])
})

test.each([
  ['1234.125', 1234.13],
  ['1234,125', 1234.13],
  ['0.125', 0.13],
  ['0,125 €', 0.13],
  ['12.375', 12_375],
  ['1.234.567', 1_234_567],
])('%j, alone in its column, is read as %j', (cell, value) => {
  expect(readAmounts(cell)).toEqual([value])
})

import { maxColumns } from '../table.ts'
import type { ExcelPackage } from './package.ts'

/** A cell that covers several rows. Columns count from 1. */
export type Merge = { column: number; firstLine: number; lastLine: number }

const maxMerges = 10_000
/** Matches `<mergeCell ref="A2:A5"/>`. */
const pattern = /<(?:\w{1,20}:)?mergeCell ref="([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})"/g
/** The number of characters that are searched again with the next chunk, because an element may be in two chunks. No element is longer. */
const overlap = 100

/**
 * Returns the cells of a sheet that cover several rows, by their first row. The document has them after all rows, so it is searched without
 * parsing it.
 */
export async function readMerges(excel: ExcelPackage, path: string): Promise<Map<number, Merge[]>> {
  const merges = new Map<number, Merge[]>()
  let count = 0
  let before = ''
  for await (const chunk of excel.readBytes(path)) {
    const text = before + chunk.toString('latin1')
    before = text.slice(-overlap)
    if (!text.includes('mergeCell ')) continue
    for (const { 0: found, 1: letters = '', 2: first, 3: last, index } of text.matchAll(pattern)) {
      before = text.slice(Math.max(text.length - overlap, index + found.length)) // so that nothing is found twice
      const merge = { column: readColumn(letters), firstLine: Number(first), lastLine: Number(last) }
      if (merge.lastLine <= merge.firstLine || merge.column > maxColumns || ++count > maxMerges) continue
      const beginningHere = merges.get(merge.firstLine)
      if (beginningHere) beginningHere.push(merge)
      else merges.set(merge.firstLine, [merge])
    }
  }
  return merges
}

/** Returns the number of a column with these letters, such as 28 for "AB". */
export const readColumn = (letters: string): number => Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)

/** Returns a function that writes the values of merged cells into the rows that they cover. Rows must come in their order. */
export function createMergeFiller(merges: ReadonlyMap<number, readonly Merge[]>): (cells: string[], line: number) => void {
  const valueOf = new Map<number, { value: string; lastLine: number }>() // by column
  return (cells, line) => {
    for (const [column, { value, lastLine }] of valueOf) {
      if (lastLine < line) valueOf.delete(column)
      else if (!cells[column - 1]) {
        while (cells.length < column) cells.push('')
        cells[column - 1] = value
      }
    }
    for (const { column, lastLine } of merges.get(line) ?? []) {
      const value = cells[column - 1]
      if (value) valueOf.set(column, { value, lastLine })
    }
  }
}

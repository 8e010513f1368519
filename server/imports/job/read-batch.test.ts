import { expect, test, vi } from 'vitest'
import type { ColumnMapping } from '../mapping/column-mapping.ts'
import { createRecordReader } from '../mapping/read-record.ts'
import type { TableRow } from '../reading/table.ts'
import { createBatchReader } from './read-batch.ts'

test('an unexpected error fails only its row, and is reported once', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
  const mapping: ColumnMapping[] = [{ header: 'Name', field: 'full_name', certainty: 'sure', reason: 'header' }]
  const read = createRecordReader('contact', mapping)
  const error = new RangeError('Maximum call stack size exceeded')
  const readBatch = createBatchReader({ kind: 'contact', mapping, found: { columns: [], separator: ',' } }, (cells) => {
    if (cells[0]?.startsWith('Bob')) throw error
    return read(cells)
  })
  const rows = ['Ann Lee', 'Bob Roe', 'Bob Lee', 'Cem Can'].map((name, index): TableRow => ({
    kind: 'record',
    line: index + 2,
    cells: [name],
  }))
  const batch = await readBatch(rows, 1)
  const failed = { outcome: { status: 'failed', column: '', reason: 'This row cannot be read.' } }
  expect(batch).toMatchObject([
    { number: 1, line: 2, record: { fields: { first_name: 'Ann' } } },
    { number: 2, line: 3, cells: ['Bob Roe'], ...failed },
    { number: 3, line: 4, cells: ['Bob Lee'], ...failed },
    { number: 4, line: 5, record: { fields: { first_name: 'Cem' } } },
  ])
  expect(warn.mock.calls).toEqual([[error]])
  warn.mockRestore()
})

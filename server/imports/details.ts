import type { ImportDetails, ImportKind, ImportTable } from '#contract/imports.ts'
import { findProblem, findRemarks } from './check-record.ts'
import type { StoredImport } from './imports.store.ts'
import { hasHeader, shorten, type FoundTable } from './inspect.ts'
import type { ColumnMapping } from './mapping/column-mapping.ts'
import { createRecordReader, type ReadRecord } from './mapping/read-record.ts'

/**
 * Returns an import as the contract describes it, with a preview of the records that the first rows become. After the start it has no
 * preview and no samples, because clients read it often while the job runs.
 */
export function toDetails({ found, mapping, ...stored }: StoredImport): ImportDetails {
  const isWaiting = stored.status === 'uploaded'
  return {
    ...stored,
    table: {
      ...found,
      has_header: hasHeader(found),
      columns: found.columns.map(({ header, samples }, index) => ({
        header,
        samples: isWaiting ? samples : [],
        ...describeMapping(mapping[index]),
      })),
      preview: isWaiting ? previewRows(stored.kind, found, mapping) : [],
    },
  }
}

const describeMapping = ({ field, certainty, reason }: ColumnMapping = unmapped) => ({ field, certainty, reason })
const unmapped: ColumnMapping = { header: null, field: null, certainty: 'unsure', reason: 'unknown' }

function previewRows(kind: ImportKind, { preview }: FoundTable, mapping: readonly ColumnMapping[]): ImportTable['preview'] {
  const read = createRecordReader(kind, mapping)
  return preview.map(({ line, cells }) => ({ line, cells, record: describeRecord(kind, read(cells), mapping, cells) }))
}

function describeRecord(kind: ImportKind, record: ReadRecord, mapping: readonly ColumnMapping[], cells: readonly string[]) {
  const { fields, links, notes, raw_data } = record
  const problem = findProblem(kind, record, mapping, cells)?.reason ?? ''
  const remarks = problem === '' ? findRemarks(kind, record, mapping, cells) : []
  return { fields, links, notes: shorten(notes), raw_data, problem, remarks }
}

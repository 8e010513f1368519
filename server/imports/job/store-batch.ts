// Stores a batch of rows in one transaction: the records, the rows that failed or were skipped, the counts and the position in the file.
import { sql } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { errorCode } from '#server/platform/error-code.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { forgetFailures } from '#server/platform/jobs/enqueue.ts'
import { GroupFinished, inGroup } from '#server/platform/journal/groups.ts'
import { readSummary, type StoredImport } from '../imports.store.ts'
import type { RowOutcome } from '../records/outcome.ts'
import { importJob } from './import-job.ts'
import { storeRecords, type BatchRow } from './read-batch.ts'
import { keepFirstCells } from './row-texts.ts'

/**
 * Stores the rows as a part of the change group. If the database refuses a value that the checks have accepted, stores the halves of the
 * batch separately, so that only the wrong row fails. Throws `GroupFinished` if the import was ended.
 */
export async function storeBatch(context: AppContext, caller: Caller, stored: StoredImport, rows: readonly BatchRow[]): Promise<void> {
  const [first] = rows
  if (!first || stored.change_id === null) return
  const group = { group: stored.change_id, label: 'Imported rows', steps: rows.reduce((sum, { count }) => sum + count, 0), isLarge: true }
  try {
    await inGroup(context.database, caller, group, async () => {
      const outcomes = await storeRecords(context, caller.owner, stored, rows)
      await Promise.all([
        addToCounts(caller.owner, stored.id, rows, outcomes),
        insertRows(caller.owner, stored.id, rows, outcomes),
        forgetFailures(importJob, group.group),
      ])
    })
  } catch (error) {
    if (!isRefusedValue(error)) throw error
    if (rows.length === 1 && !first.record) throw error // the row is stored without a record already, so no further split can help
    const middle = Math.ceil(rows.length / 2)
    const parts = rows.length === 1 ? [[toFailed(first)]] : [rows.slice(0, middle), rows.slice(middle)]
    for (const part of parts) await storeBatch(context, caller, stored, part)
  }
}

/** The classes of PostgreSQL's errors about values: data exceptions, violated constraints, and limits such as the size of an index row. */
const isRefusedValue = (error: unknown): boolean => /^(22|23|54)/.test(errorCode(error))

const toFailed = ({ number, line, count, cells }: BatchRow): BatchRow => ({
  number,
  line,
  count,
  cells,
  outcome: { status: 'failed', column: '', reason: 'The database cannot store this row.' },
})

/**
 * Adds the outcomes to the counts. Throws `GroupFinished` if the import was ended, and an error if another process has stored these rows.
 */
async function addToCounts(owner: string, id: string, rows: readonly BatchRow[], outcomes: readonly RowOutcome[]): Promise<void> {
  const position = (rows[0]?.number ?? 1) - 1
  const count = (status?: RowOutcome['status']): number =>
    rows.reduce((sum, row, index) => (status === undefined || outcomes[index]?.status === status ? sum + row.count : sum), 0)
  const withRemarks = outcomes.filter((outcome) => 'remarks' in outcome && outcome.remarks.length > 0).length
  const updated = await sql(
    `update imports set created_count = created_count + $4, updated_count = updated_count + $5, skipped_count = skipped_count + $6,
       failed_count = failed_count + $7, rows_done = rows_done + $8, with_remarks_count = with_remarks_count + $9
     where user_id = $1 and id = $2 and rows_done = $3 and status = 'running' returning id`,
    [owner, id, position, count('created'), count('updated'), count('skipped'), count('failed'), count(), withRemarks],
  )
  if (updated.length > 0) return
  const { status } = await readSummary(owner, id)
  if (status !== 'running') throw new GroupFinished('The import was ended')
  // a process that has lost its lease may still run the job; only the process that has the lease may end the import
  throw new Error('Another process has stored these rows')
}

/** The number of cells that are kept with a remark, to recognise the row. Every row of a file can have remarks. */
const maxCellsOfRemark = 3

async function insertRows(owner: string, id: string, rows: readonly BatchRow[], outcomes: readonly RowOutcome[]): Promise<void> {
  const reported = rows.flatMap(({ number, line, count, cells }, index) => {
    const outcome = outcomes[index]
    const row = { number, line, row_count: count }
    if (outcome?.status === 'failed')
      return [{ id: newId(), ...row, status: 'failed', column_header: outcome.column, reason: outcome.reason, cells }]
    if (outcome?.status === 'skipped')
      return [{ id: newId(), ...row, status: 'skipped', column_header: '', reason: outcome.reason, cells: keepFirstCells(cells) }]
    if (outcome?.status !== 'created' && outcome?.status !== 'updated') return []
    return outcome.remarks.map(({ column, reason }) => {
      return { id: newId(), ...row, status: 'remark', column_header: column, reason, cells: keepFirstCells(cells, maxCellsOfRemark) }
    })
  })
  if (reported.length === 0) return
  await sql(
    `insert into import_rows (user_id, import_id, id, number, line, row_count, status, column_header, reason, cells)
     select $1, $2, id, number, line, row_count, status, column_header, reason, cells from json_populate_recordset(null::import_rows, $3)`,
    [owner, id, JSON.stringify(reported)],
  )
}

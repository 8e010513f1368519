// Runs imports: reads the stored file again and stores its rows in batches. After a restart, and when it has let the imports of others go
// first, it continues after the last stored batch.
import type pg from 'pg'
import type { ErrorCode } from '#contract/errors.ts'
import { openObject } from '#server/files/files.ts'
import { sql } from '#server/platform/database/database.ts'
import { createStatisticsUpdater } from '#server/platform/database/statistics.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { toRefusal } from '#server/platform/http/problem.ts'
import { GroupFinished } from '#server/platform/journal/groups.ts'
import { enqueue } from '#server/platform/jobs/enqueue.ts'
import { createJobHandler, type JobHandler } from '#server/platform/jobs/handler.ts'
import { hasOtherOwnerWaiting } from '#server/platform/jobs/store.ts'
import { StorageError } from '#server/platform/storage/storage.ts'
import { endImport, type EndOfImport } from '../end-import.ts'
import { readImport, readSummary, type StoredImport } from '../imports.store.ts'
import { unreadableSentences } from '../inspect.ts'
import { openTable } from '../reading/read-table.ts'
import { UnreadableTable, type TableRow } from '../reading/table.ts'
import { countOf, countRows, toBatches } from './batches.ts'
import { importCaller, importJob } from './import-job.ts'
import { linkManagers } from './link-managers.ts'
import { createBatchReader } from './read-batch.ts'
import { storeBatch } from './store-batch.ts'

/**
 * After this time an import gives its slot to the waiting import of another owner. It keeps the slot while none waits, because later it must
 * read its file from the beginning.
 */
const maxTurnMs = 20_000

export const createImportJobHandler = (context: AppContext, tableOwner: pg.Pool): JobHandler =>
  createJobHandler(importJob, async ({ owner, payload: { import: id } }, signal) => {
    const caller = importCaller(owner, id)
    const stored = await context.database.read(caller, () => readImport(owner, id)).catch(ignoreMissing)
    if (stored?.status !== 'running') return
    try {
      const isComplete = await importRows(context, tableOwner, caller, stored, signal)
      if (isComplete) await endImport(context.database, caller, id, { status: 'finished' })
      // the next run of the job comes after those of the owners that wait now
      else await context.database.transaction(caller, '', () => enqueue(importJob, { import: id }, { key: stored.change_id ?? id }))
    } catch (error) {
      if (signal.aborted) throw error
      const end = toEnd(error)
      // reading fails if the import was stopped, because its file is deleted then
      const isRunning = await context.database
        .read(caller, () => readSummary(owner, id))
        .then(
          ({ status }) => status === 'running',
          () => true, // the status is unknown, so the error decides
        )
      if (!isRunning) return
      if (!end) throw error
      await endImport(context.database, caller, id, end)
    }
  })

const ignoreMissing = (error: unknown): undefined => {
  if (toRefusal(error).code !== 'not_found') throw error
}

/**
 * Imports the rows that are not stored yet. Returns false if the import has given up its slot before all were stored; it does so only after
 * a part of its work that need not be repeated.
 */
async function importRows(
  context: AppContext,
  tableOwner: pg.Pool,
  caller: Caller,
  stored: StoredImport,
  signal: AbortSignal,
): Promise<boolean> {
  if (stored.object_id === null) throw new StorageError('missing', 'The import has no file')
  const read = await openObject(context, caller, stored.object_id)
  const rowsOf = () => readTable(read, stored, signal)
  const requireRunning = async (): Promise<void> => {
    const { status } = await context.database.read(caller, () => readSummary(caller.owner, stored.id))
    if (status !== 'running') throw new GroupFinished('The import was ended')
  }
  const startTurn = (): (() => Promise<boolean>) => {
    const endsAt = context.now().getTime() + maxTurnMs
    return async () => context.now().getTime() >= endsAt && (await hasOtherOwnerWaiting(tableOwner, importJob, caller.owner))
  }
  if (stored.rows_total === null) {
    const isTurnOver = startTurn()
    await storeTotal(context, caller, stored.id, await countRows(rowsOf(), requireRunning))
    if (await isTurnOver()) return false
  }
  const readBatch = createBatchReader(stored)
  const tables = context.kinds.filter(({ singular }) => singular === stored.kind).map(({ table }) => table)
  const updateStatistics = createStatisticsUpdater(tableOwner, [...tables, 'notes'])
  let position = stored.rows_done
  let isTurnOver: (() => Promise<boolean>) | undefined // the time of reading the rows that are stored already does not count
  for await (const rows of stored.rows_done === stored.rows_total ? [] : toBatches(rowsOf(), stored.rows_done)) {
    signal.throwIfAborted()
    isTurnOver ??= startTurn()
    await storeBatch(context, caller, stored, await readBatch(rows, position + 1))
    position += rows.reduce((sum, row) => sum + countOf(row), 0)
    await updateStatistics(position)
    if (await isTurnOver()) return false
  }
  return linkManagers(context, caller, stored, signal, isTurnOver ?? startTurn())
}

async function* readTable(
  read: () => AsyncIterable<Uint8Array>,
  { file_name: fileName, options }: StoredImport,
  signal: AbortSignal,
): AsyncGenerator<TableRow> {
  const table = await openTable(read(), fileName, options, signal)
  try {
    for await (const row of table.rows) {
      if (signal.aborted) signal.throwIfAborted()
      yield row
    }
  } finally {
    await table.close()
  }
}

const storeTotal = ({ database }: AppContext, caller: Caller, id: string, total: number): Promise<unknown> =>
  database.transaction(caller, '', () =>
    sql('update imports set rows_total = $3 where user_id = $1 and id = $2', [caller.owner, id, total]),
  )

/** The sentences for failures after which another attempt cannot succeed. */
const problems: Partial<Record<ErrorCode, string>> = {
  record_quota_exceeded: 'Your records and their history need more space than this server gives to an account.',
  disk_low: 'The server is short of disk space. Ask its operator.',
  disk_full: 'The server has no disk space left. Ask its operator.',
  not_found: 'The file of this import no longer exists. Upload it again.',
}

/** Returns how an import ends after an error; undefined if the job should be tried again. */
function toEnd(error: unknown): EndOfImport | undefined {
  if (error instanceof GroupFinished) return { status: 'stopped' }
  if (error instanceof UnreadableTable) return { status: 'failed', problem: unreadableSentences[error.reason] }
  const isLost = error instanceof StorageError && ['missing', 'wrong_size'].includes(error.reason)
  const problem = problems[isLost ? 'not_found' : toRefusal(error).code]
  return problem === undefined ? undefined : { status: 'failed', problem }
}

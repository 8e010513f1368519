import { ImportKind, type Import, type ImportRow, type ImportRowReason, type ImportRowStatus } from '#contract/imports.ts'
import { recordKinds } from '#contract/kinds.ts'
import { undoDays } from '#contract/changes.ts'
import { readCursor, writeCursor } from '#server/platform/database/cursor.ts'
import { sql } from '#server/platform/database/database.ts'
import { countKeptSql, isUndoneSql, newestReversalSql } from '#server/platform/journal/history.ts'
import { Refusal } from '#server/platform/refusal.ts'
import type { FoundTable, Inspected } from './inspect.ts'
import { describeEmptyRows } from './job/row-texts.ts'
import type { ColumnMapping } from './mapping/column-mapping.ts'
import type { TableOptions } from './reading/read-table.ts'

/** An import as it is stored. */
export type StoredImport = Import & { object_id: string | null; options: TableOptions; found: FoundTable; mapping: ColumnMapping[] }

const countKeptOfKind = ImportKind.options
  .map((kind) => `when '${kind}' then ${countKeptSql('i.change_id', recordKinds[kind].table)}`)
  .join(' ')

type Page<Row> = { rows: Row[]; next: string | null }

/**
 * The columns of an import in the history. `undo_id`: the change that Undo reverts, which is the import or its newest redo. `redo_id`: the
 * undo that Redo reverts.
 */
const summaryColumns = `i.id, i.created_at, i.kind, i.file_name, i.file_size, i.status, i.mode, i.created_count as created,
  i.updated_count as updated, i.skipped_count as skipped, i.failed_count as failed, i.with_remarks_count as with_remarks, i.rows_done, i.rows_total, i.problem, i.started_at,
  i.finished_at, i.change_id, i.change_id is not null and ${isUndoneSql('i.change_id')} as undone,
  case when i.created_count + i.updated_count > 0 and i.started_at > now() - interval '${undoDays} days'
      and exists (select from changesets c where c.user_id = $1 and c.id = i.change_id) and not ${isUndoneSql('i.change_id')}
    then coalesce(${newestReversalSql('i.change_id')}, i.change_id) end as undo_id,
  case when i.change_id is not null and ${isUndoneSql('i.change_id')} then ${newestReversalSql('i.change_id')} end as redo_id,
  case when i.change_id is not null and ${isUndoneSql('i.change_id')} then case i.kind ${countKeptOfKind} end else 0 end as kept`

/** Reads a page of the imports, newest first. */
export async function readImports(owner: string, { after, limit }: { after?: string | undefined; limit: number }): Promise<Page<Import>> {
  const cursor = readCursor(after)
  const found = await sql<Import>(
    `select ${summaryColumns} from imports i where i.user_id = $1 and ($2::uuid is null or i.id < $2) order by i.id desc limit $3`,
    [owner, cursor?.[1] ?? null, limit + 1],
  )
  return toPage(found, limit, () => '')
}

/** Returns the page with the first rows. `count`: the number of rows that were read, if `found` has only some of them. */
function toPage<Row extends { id: string }>(
  found: readonly Row[],
  limit: number,
  keyOf: (row: Row) => string,
  count = found.length,
): Page<Row> {
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return { rows, next: last && count > rows.length ? writeCursor([keyOf(last), last.id]) : null }
}

/** Reads an import. Throws `not_found`. */
export async function readImport(owner: string, id: string): Promise<StoredImport> {
  const [found] = await sql<StoredImport>(
    `select ${summaryColumns}, i.object_id, i.options, i.found, i.mapping from imports i where i.user_id = $1 and i.id = $2`,
    [owner, id],
  )
  if (!found) throw new Refusal('not_found')
  return found
}

/** Reads an import without its columns and preview. Throws `not_found`. */
export async function readSummary(owner: string, id: string): Promise<Import> {
  const [found] = await sql<Import>(`select ${summaryColumns} from imports i where i.user_id = $1 and i.id = $2`, [owner, id])
  if (!found) throw new Refusal('not_found')
  return found
}

/** Locks an import until the end of the transaction. Throws `not_found`. */
export async function lockImport(owner: string, id: string): Promise<Pick<StoredImport, 'status' | 'object_id' | 'change_id'>> {
  const [found] = await sql<Pick<StoredImport, 'status' | 'object_id' | 'change_id'>>(
    'select status, object_id, change_id from imports where user_id = $1 and id = $2 for update',
    [owner, id],
  )
  if (!found) throw new Refusal('not_found')
  return found
}

type NewImport = Pick<Import, 'id' | 'kind' | 'file_name' | 'file_size'> & Inspected & { object_id: string }

export const insertImport = (owner: string, { id, kind, file_name, file_size, object_id, found, mapping }: NewImport): Promise<unknown> =>
  sql(`insert into imports (user_id, id, kind, file_name, file_size, object_id, found, mapping) values ($1, $2, $3, $4, $5, $6, $7, $8)`, [
    owner,
    id,
    kind,
    file_name,
    file_size,
    object_id,
    JSON.stringify(found),
    JSON.stringify(mapping),
  ])

/** Stores how a file that waits for its import is read. Throws `import_started` if it does not wait any more. */
export async function updateTable(
  owner: string,
  id: string,
  { options, found, mapping }: Inspected & { options: TableOptions },
): Promise<void> {
  const rows = await sql(
    `update imports set options = $3, found = $4, mapping = $5 where user_id = $1 and id = $2 and status = 'uploaded' returning id`,
    [owner, id, JSON.stringify(options), JSON.stringify(found), JSON.stringify(mapping)],
  )
  if (rows.length === 0) throw new Refusal('import_started')
}

/** A page of rows ends after this length of their cells, in bytes, because one row may have a megabyte. */
const maxPageBytes = 2_000_000

/**
 * Reads a page of the rows that failed or were skipped, or of the remarks on imported rows. It may have fewer rows than `limit` although
 * there are more.
 */
export async function readRows(
  owner: string,
  id: string,
  { status, after, limit }: { status: ImportRowStatus; after?: string | undefined; limit: number },
): Promise<Page<ImportRow>> {
  const [position, rowId] = readCursor(after) ?? ['0', undefined]
  if (!/^\d{1,9}$/.test(position)) throw new Refusal('invalid', { fields: { after: 'This is not a valid page cursor' } })
  const found = await sql<ImportRow & { number: number; row_count: number; count: number }>(
    `select id, number, line, row_count, column_header as "column", reason, cells, count from (
       select *, count(*) over ()::int as count,
         sum(octet_length(array_to_string(cells, ''))) over (order by number, id rows between unbounded preceding and 1 preceding) as bytes_before
       from (
         select * from import_rows where user_id = $1 and import_id = $2 and status = $3 and ($5::uuid is null or (number, id) > ($4::int, $5))
         order by number, id limit $6
       ) first_rows
     ) sized where bytes_before is null or bytes_before < ${maxPageBytes} order by number, id`,
    [owner, id, status, Number(position), rowId ?? null, limit + 1],
  )
  const rows = found.map((row) => (row.row_count > 1 ? { ...row, reason: describeEmptyRows(row.row_count) } : row))
  return toPage(rows, limit, ({ number }) => String(number), found[0]?.count)
}

/** The maximum number of reasons. Those with the fewest rows are left out. */
const maxReasons = 20

/** Counts the failed or skipped rows, or the remarks, for each reason. Reasons that differ only in the value of the cell count as one. */
export const readReasons = (owner: string, id: string, status: ImportRowStatus): Promise<ImportRowReason[]> =>
  sql<ImportRowReason>(
    `select column_header as "column", regexp_replace(reason, '“.*”', '“…”') as reason, sum(row_count)::int as count
     from import_rows where user_id = $1 and import_id = $2 and status = $3 group by 1, 2 order by count desc, 1, 2 limit ${maxReasons}`,
    [owner, id, status],
  )

import type { TakeoutSize } from '#contract/takeout.ts'
import { sql } from '#server/platform/database/database.ts'
import { lowestId } from '#server/platform/database/uuid.ts'
import type { TakeoutTable } from '#server/platform/feature/context.ts'

/** Counts the files in the download of everything, and their bytes: those of the owner, of submissions of forms, and of the AI's answers. */
export async function readSize(owner: string): Promise<TakeoutSize> {
  const [size] = await sql<TakeoutSize>(
    `select count(*) as file_count, coalesce(sum(file_size), 0)::bigint as file_bytes from (
       select file_size from files where user_id = $1
       union all
       select f.file_size from form_submission_files f join form_submissions s on s.user_id = f.user_id and s.id = f.submission_id
       where f.user_id = $1
       union all
       select f.file_size from message_files f join messages m on m.user_id = f.user_id and m.id = f.message_id
         join conversations c on c.user_id = m.user_id and c.id = m.conversation_id
       where f.user_id = $1
     ) listed`,
    [owner],
  )
  return size ?? { file_count: 0, file_bytes: 0 }
}

/** Returns the names of the columns of each table, in their order, without generated columns and without the owner. */
export async function readColumns(tables: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
  const rows = await sql<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relname = any($1) and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
       and a.attname <> 'user_id'
     group by c.relname`,
    [tables],
  )
  return new Map(rows.map(({ name, columns }) => [name, columns]))
}

export type TakeoutRow = { id: string; json: string } & Record<string, unknown>

const maxPageRows = 500
/** A page ends after this length of its JSON, in bytes, because one row may have several megabytes. */
const maxPageBytes = 2_000_000

/**
 * Reads the next page of rows after this id, each with its values for the CSV file and with its line of the JSON file. The page is empty
 * after the last row. `csvColumns` has the SQL of each CSV column by name, in which `c` is the table. `jsonColumns` has names of columns.
 */
export const readPage = (
  owner: string,
  { table, ownerColumn }: TakeoutTable,
  { csvColumns, jsonColumns }: { csvColumns: ReadonlyMap<string, string>; jsonColumns: readonly string[] },
  after: string = lowestId,
): Promise<TakeoutRow[]> => {
  const selectedColumns = [...csvColumns].map(([name, column]) => `${column} as "${name}"`)
  const json = jsonColumns.map((name) => `c.${name}`).join(', ')
  const selectFirstAfter = (id: string): string =>
    `select ${selectedColumns.join(', ')}, (select row_to_json(r) from (select ${json}) r)::text as json
     from ${table} c where c.${ownerColumn ?? 'user_id'} = $1 and c.id > ${id} order by c.id limit 1`
  // reads row by row, so that no row is read whose values do not belong to the page: reading 500 large ones takes seconds
  return sql<TakeoutRow>(
    `with recursive page as (
       select 1 as page_rows, octet_length(first.json)::bigint as page_bytes, first.* from (${selectFirstAfter('$2')}) first
       union all
       select page_rows + 1, page_bytes + octet_length(next.json), next.*
       from page cross join lateral (${selectFirstAfter('page.id')}) next
       where page_rows < ${maxPageRows} and page_bytes < ${maxPageBytes}
     ) select * from page order by page_rows`,
    [owner, after],
    { customPlan: true },
  )
}

import { sql } from '#server/platform/database/database.ts'

/** Rows of `table` that `field` links to those of the table `to`. Only updates of the columns in `timelineFields` stand in the timeline of the linked record. */
export type Link = { table: string; field: string; to: string; timelineFields: readonly string[] }

/** A row that is linked to a record, or was when it was deleted. `timelineFields`: its columns, separated by commas. */
export type Linked = { id: string; table: string; timelineFields: string }

/** Only the newest linked rows are read, for a bounded time. */
const maxLinked = 200
const newest = `order by id desc limit ${maxLinked}`

/** The rows that are linked to a record. */
export async function findLinked(owner: string, record: string, links: readonly Link[]): Promise<Linked[]> {
  const tables = await sql<{ name: string }>('select distinct table_name as name from journal where user_id = $1 and row_id = $2', [
    owner,
    record,
  ])
  const leading = links.filter(({ to }) => tables.some(({ name }) => name === to))
  if (leading.length === 0) return []
  return sql<Linked>(`select distinct * from (${leading.flatMap(branchesOf).join(' union all ')}) linked ${newest}`, [owner, record])
}

/** Living and deleted rows, each found by an index of the field. */
function branchesOf({ table, field, timelineFields }: Link): string[] {
  const shown = `'${table}' as "table", '${[...timelineFields, field].join(',')}' as "timelineFields"`
  return [
    `(select id, ${shown} from ${table} where user_id = $1 and ${field} = $2 ${newest})`,
    `(select row_id as id, ${shown} from deleted_rows where user_id = $1 and before ->> '${field}' = $2::text
      and before ->> '${field}' is not null and table_name = '${table}' ${newest})`,
  ]
}

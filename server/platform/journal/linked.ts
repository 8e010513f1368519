import { sql } from '#server/platform/database/database.ts'

/** Rows of `table` that `field` links to those of the table `to`. Of their updates only those of the columns in `told` are told there. */
export type Link = { table: string; field: string; to: string; told: readonly string[] }

/** A row that is linked to a record, or was when it was deleted. `told`: its columns, with a comma between them. */
export type Linked = { id: string; table: string; told: string }

/** Most linked rows whose history is looked through: the newest. */
const mostLinked = 200
const newest = `order by id desc limit ${mostLinked}`

/** What is linked to a record. */
export async function findLinked(owner: string, record: string, links: readonly Link[]): Promise<Linked[]> {
  const tables = await sql<{ name: string }>('select distinct table_name as name from journal where user_id = $1 and row_id = $2', [
    owner,
    record,
  ])
  const leading = links.filter(({ to }) => tables.some(({ name }) => name === to))
  if (leading.length === 0) return []
  return sql<Linked>(`select distinct * from (${leading.flatMap(branchesOf).join(' union all ')}) linked ${newest}`, [owner, record])
}

/** Those that are there, and those that were deleted, each by an index of the field. */
function branchesOf({ table, field, told }: Link): string[] {
  const shown = `'${table}' as "table", '${[...told, field].join(',')}' as told`
  return [
    `(select id, ${shown} from ${table} where user_id = $1 and ${field} = $2 ${newest})`,
    `(select row_id as id, ${shown} from deleted_rows where user_id = $1 and before ->> '${field}' = $2::text
      and before ->> '${field}' is not null and table_name = '${table}' ${newest})`,
  ]
}

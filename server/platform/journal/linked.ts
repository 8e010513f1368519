import { sql } from '#server/platform/database/database.ts'

/**
 * A foreign key: the column `field` of `table` refers to the table `to`. The timeline of the referenced record shows only updates of
 * `field` and of the columns in `timelineFields`.
 */
export type Link = { table: string; field: string; to: string; timelineFields: readonly string[] }

/**
 * A row that is linked to a record, or was linked when it was deleted. `timelineFields`: the columns of `Link.timelineFields` and its
 * column `field`, separated by commas.
 */
export type LinkedRow = { id: string; table: string; timelineFields: string }

/** Only the newest linked rows are read, to limit the time of a query. */
const maxLinked = 200
const newest = `order by id desc limit ${maxLinked}`

/** Returns the newest rows that are linked to a record. */
export async function findLinked(owner: string, recordId: string, links: readonly Link[]): Promise<LinkedRow[]> {
  const linkedTables = [...new Set(links.map(({ to }) => to))]
  // an existing record has no line in the journal after its history was erased, and a deleted one has only lines
  const tablesSql = [
    'select table_name as name from journal where user_id = $1 and row_id = $2',
    ...linkedTables.map((table) => `select '${table}' from ${table} where user_id = $1 and id = $2`),
  ].join(' union ')
  const tables = await sql<{ name: string }>(tablesSql, [owner, recordId])
  const linksToRecord = links.filter(({ to }) => tables.some(({ name }) => name === to))
  if (linksToRecord.length === 0) return []
  return sql<LinkedRow>(`select distinct * from (${linksToRecord.flatMap(toLinkedRowsSql).join(' union all ')}) linked ${newest}`, [
    owner,
    recordId,
  ])
}

/**
 * Returns two queries, for existing and for deleted rows, because each can use an index on the field. `is not null` is the condition of the
 * index on deleted rows.
 */
function toLinkedRowsSql({ table, field, timelineFields }: Link): string[] {
  const selectList = `'${table}' as "table", '${[...timelineFields, field].join(',')}' as "timelineFields"`
  return [
    `(select id, ${selectList} from ${table} where user_id = $1 and ${field} = $2 ${newest})`,
    `(select row_id as id, ${selectList} from deleted_rows where user_id = $1 and before ->> '${field}' = $2::text
      and before ->> '${field}' is not null and table_name = '${table}' ${newest})`,
  ]
}

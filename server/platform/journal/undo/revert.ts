import { sql } from '#server/platform/database/database.ts'
import { isNotReverted, systemColumns, isLivingRow, literal, livingOf, names, currentImage, quoted, isUnchanged } from './fragments.ts'
import { skippedColumns, skipRows, sqlOfNet, type Plan } from './plan.ts'
import type { OwnedTable } from './tables.ts'

/** Sets columns of updated rows to their old values if they were not edited since: either the links to other rows or all other columns. */
export async function revertColumns(plan: Plan, part: 'links' | 'values'): Promise<void> {
  for (const table of plan.tables) {
    const isLink = (column: string): boolean => table.links.some((link) => link.column === column)
    const columns = table.columns.filter((column) => !systemColumns.includes(column) && isLink(column) === (part === 'links'))
    if (columns.length === 0 || !plan.has(table, 'U')) continue
    if (part === 'links') await skipLostLinks(plan, table, columns)
    const [attempt] = await sql<{ succeeded: boolean }>('select app.attempt($1, $2) as succeeded', [update(table, columns), columns])
    if (!attempt?.succeeded) await replay(plan, table, columns)
  }
}

/** FROM clause of the columns `b` of current rows `r` that can be reverted. */
const revertible = (table: OwnedTable, net?: string): string =>
  `from ${livingOf(table, 'U', net)}, ${currentImage}, jsonb_each(n.before) b where b.key = any ($1) and ${isUnchanged} and ${isNotReverted}`

async function skipLostLinks(plan: Plan, table: OwnedTable, columns: string[]): Promise<void> {
  const text = `select ${skippedColumns({ id: 'n.row_id', columns: 'array_agg(b.key)' })} ${revertible(table)} and ${isLostLink(table)} group by n.row_id`
  await skipRows(plan, table, 'parent_gone', text, [columns])
}

/** True if `b` is a link to a row that does not exist and is not restored by this undo. */
function isLostLink(table: OwnedTable): string {
  const lost = table.links.map(({ column, parent }) => {
    const target = `(b.value #>> '{}')::uuid`
    return `(b.key = ${literal(column)} and b.value <> 'null'
      and not exists (select from ${quoted(parent)} p where p.user_id = n.user_id and p.id = ${target})
      and not exists (select from undo_net d where d.table_name = ${literal(parent)} and d.operation = 'D' and d.why is null and d.row_id = ${target}))`
  })
  return `(${lost.join(' or ') || 'false'})`
}

function update(table: OwnedTable, columns: string[], net?: string): string {
  const values = columns.map((column) => `v.${quoted(column)}`).join(', ')
  return `with wanted as materialized (
      select n.user_id, n.row_id, jsonb_object_agg(b.key, b.value) as columns ${revertible(table, net)} and not ${isLostLink(table)} group by 1, 2
    )
    update ${quoted(table.name)} r set (${names(columns)}) = (select ${values} from jsonb_populate_record(r, n.columns) v)
    from wanted n where ${isLivingRow}`
}

/** Reverts one journal line at a time, newest first. Needed if values with a unique constraint moved between rows. */
async function replay(plan: Plan, table: OwnedTable, columns: string[]): Promise<void> {
  const lines = await sql<{ step: number; line: number }>(
    `select step, line from journal j where change = $1 and table_name = $2 and operation = 'U'
       and exists (select from undo_net n where n.table_name = $2 and n.operation = 'U' and n.row_id = j.row_id)
     order by step desc, line desc`,
    [plan.source, table.name],
    { customPlan: true },
  )
  const one = `(select table_name, 'U' as operation, row_id, user_id, app.image_now(change, table_name, before) as before,
    app.image_now(change, table_name, after) as after from journal where change = $2 and step = $3 and line = $4)`
  for (const { step, line } of lines) await sqlOfNet(update(table, columns, one), [columns, plan.source, step, line])
  await sqlOfNet(update(table, columns), [columns]) // rows that the change set deleted and inserted again
}

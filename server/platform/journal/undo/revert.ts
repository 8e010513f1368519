import { sql } from '#server/platform/database/database.ts'
import { away, systemColumns, here, literal, livingOf, names, present, quoted, untouched } from './fragments.ts'
import { keep, sqlOfNet, type Plan } from './plan.ts'
import type { OwnedTable } from './tables.ts'

/** Gives updated rows their columns back, as far as nobody has touched them since: the links to other rows, or everything else. */
export async function revertColumns(plan: Plan, part: 'links' | 'values'): Promise<void> {
  for (const table of plan.tables) {
    const isLink = (column: string): boolean => table.links.some((link) => link.column === column)
    const columns = table.columns.filter((column) => !systemColumns.includes(column) && isLink(column) === (part === 'links'))
    if (columns.length === 0 || !plan.has(table, 'U')) continue
    if (part === 'links') await noteLostLinks(plan, table, columns)
    const [tried] = await sql<{ held: boolean }>('select app.attempt($1, $2) as held', [update(table, columns), columns])
    if (!tried?.held) await replay(plan, table, columns)
  }
}

/** The columns `b` of living rows `r` that can go back. */
const wanted = (table: OwnedTable, net?: string): string =>
  `from ${livingOf(table, 'U', net)}, ${present}, jsonb_each(n.before) b where b.key = any ($1) and ${untouched} and ${away}`

async function noteLostLinks(plan: Plan, table: OwnedTable, columns: string[]): Promise<void> {
  const text = `select n.row_id as id, array_agg(b.key) as columns ${wanted(table)} and ${lostLink(table)} group by n.row_id`
  await keep(plan, table, 'parent_gone', text, [columns])
}

/** A link whose target is gone, and does not come back in this undo, stays as it is. */
function lostLink(table: OwnedTable): string {
  const lost = table.links.map(({ column, parent }) => {
    const target = `(b.value #>> '{}')::uuid`
    return `(b.key = ${literal(column)} and b.value <> 'null'
      and not exists (select from ${quoted(parent)} p where p.user_id = n.user_id and p.id = ${target})
      and not exists (select from undo_net d where d.table_name = ${literal(parent)} and d.kind = 'D' and d.why is null and d.row_id = ${target}))`
  })
  return `(${lost.join(' or ') || 'false'})`
}

function update(table: OwnedTable, columns: string[], net?: string): string {
  const values = columns.map((column) => `v.${quoted(column)}`).join(', ')
  return `with wanted as materialized (
      select n.user_id, n.row_id, jsonb_object_agg(b.key, b.value) as columns ${wanted(table, net)} and not ${lostLink(table)} group by 1, 2
    )
    update ${quoted(table.name)} r set (${names(columns)}) = (select ${values} from jsonb_populate_record(r, n.columns) v)
    from wanted n where ${here}`
}

/** Values that moved under a unique key go back through the states that there were: line by line, the last first. */
async function replay(plan: Plan, table: OwnedTable, columns: string[]): Promise<void> {
  const lines = await sql<{ step: number; line: number }>(
    `select step, line from journal j where change = $1 and table_name = $2 and operation = 'U'
       and exists (select from undo_net n where n.table_name = $2 and n.kind = 'U' and n.row_id = j.row_id)
     order by step desc, line desc`,
    [plan.source, table.name],
    { fresh: true },
  )
  const one = `(select table_name, 'U' as kind, row_id, user_id, app.image_now(change, table_name, before) as before,
    app.image_now(change, table_name, after) as after from journal where change = $2 and step = $3 and line = $4)`
  for (const { step, line } of lines) await sqlOfNet(update(table, columns, one), [columns, plan.source, step, line])
  await sqlOfNet(update(table, columns), [columns]) // rows that were deleted and made again in the change set
}

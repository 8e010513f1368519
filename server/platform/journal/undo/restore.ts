import { isLivingRow, literal, livingOf, names, netOf, quoted } from './fragments.ts'
import { skippedColumns, skipRows, sqlOfNet, type Plan } from './plan.ts'
import type { OwnedTable } from './tables.ts'

type Link = OwnedTable['links'][number]

/** Skips the deleted rows whose required parent does not exist and is not restored by this undo. */
export async function skipWithoutParent(plan: Plan): Promise<void> {
  for (const table of plan.tables) {
    const required = table.links.filter((link) => link.required)
    if (required.length === 0 || !plan.has(table, 'D')) continue
    const missing = required.map((link) => isMissing(link)).join(' or ')
    const mark = `update undo_net n set why = 'parent_gone'
      where n.table_name = ${literal(table.name)} and n.operation = 'D' and n.why is null and (${missing}) returning ${skippedColumns({ id: 'n.row_id' })}`
    while ((await skipRows(plan, table, 'parent_gone', mark)) > 0); // repeats, because rows of this table may require a skipped row
  }
}

/**
 * Inserts the rows that the change set deleted with their old ids, parents first. Skips rows that exist already. A row whose optional
 * parent does not exist is restored without the link, which is listed as skipped. The version increases, so that an edit of the old row
 * cannot overwrite the new one.
 */
export async function restoreRows(plan: Plan): Promise<void> {
  for (const table of plan.tables) {
    if (!plan.has(table, 'D')) continue
    await skipRows(plan, table, 'exists', `select ${skippedColumns({ id: 'r.id' })} from ${livingOf(table, 'D')}`)
    for (const link of table.links.filter(({ required }) => !required)) await skipRows(plan, table, 'parent_gone', unlink(link))
    await sqlOfNet(insert(table))
  }
}

const unlink = (link: Link): string => `update undo_net n set before = n.before - ${literal(link.column)}
  where n.table_name = ${literal(link.child)} and n.operation = 'D' and n.why is null and ${isMissing(link)}
    and not exists (select from ${quoted(link.child)} r where ${isLivingRow})
  returning ${skippedColumns({ id: 'n.row_id', columns: `array[${literal(link.column)}]` })}`

/** True if the row had a parent that does not exist and is not restored by this undo. */
function isMissing({ column, parent }: Link): string {
  const target = `(n.before ->> ${literal(column)})::uuid`
  return `(n.before ->> ${literal(column)} is not null
    and not exists (select from ${quoted(parent)} p where p.user_id = n.user_id and p.id = ${target})
    and not exists (select from undo_net d where d.table_name = ${literal(parent)} and d.operation = 'D' and d.why is null and d.row_id = ${target}))`
}

function insert(table: OwnedTable): string {
  const values = table.columns.map((column) => `v.${quoted(column)}`).join(', ')
  const image = `n.before || jsonb_build_object('version', (n.before ->> 'version')::int + 1, 'updated_at', now())`
  return `insert into ${quoted(table.name)} (${names(table.columns)})
    select ${values} from (select * from ${netOf(table, 'D')} and n.why is null) n,
      jsonb_populate_record(null::${quoted(table.name)}, ${image}) v
    where not exists (select from ${quoted(table.name)} r where ${isLivingRow})`
}

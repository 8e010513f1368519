import { systemColumns, isLivingRow, literal, livingOf, netOf, currentImage, quoted, isUnchanged } from './fragments.ts'
import { skippedColumns, skipRows, sqlOfNet, type Plan } from './plan.ts'
import type { OwnedTable } from './tables.ts'

/**
 * Deletes the rows that the change set inserted, children first. Skips rows that were edited since or that other rows refer to, and the
 * parents of skipped rows: an undo never deletes or unlinks other rows by cascade.
 */
export async function removeRows(plan: Plan): Promise<void> {
  for (const table of plan.tables.toReversed()) {
    if (!plan.has(table, 'I')) continue
    const columns = table.columns.filter((column) => !systemColumns.includes(column))
    await sqlOfNet(mark(table, 'edited', editedSince), [columns])
    const inUse = table.canDelete ? isInUse(table) : 'true'
    while ((await sqlOfNet(mark(table, 'in_use', inUse))).length > 0); // repeats, because a skipped row may refer to another row
    if (table.canDelete) {
      await sqlOfNet(`delete from ${quoted(table.name)} r using ${netOf(table, 'I')} and n.why is null and ${isLivingRow}`)
    }
    await skipRows(
      plan,
      table,
      'in_use',
      `select ${skippedColumns({ id: 'n.row_id', why: 'n.why' })} from ${livingOf(table, 'I')} and n.why is not null`,
    )
  }
}

const mark = (table: OwnedTable, why: 'edited' | 'in_use', condition: string): string =>
  `update undo_net marked set why = '${why}' from ${livingOf(table, 'I')}
    where marked.table_name = n.table_name and marked.row_id = n.row_id and marked.operation = n.operation and n.why is null and ${condition}
    returning n.row_id`

const editedSince = `exists (select from jsonb_each(n.after) b, ${currentImage} where b.key = any ($1) and not ${isUnchanged})`

/** True if another row refers to `r`. Ignores rows of the same table that are deleted too; children in other tables are deleted already. */
function isInUse(table: OwnedTable): string {
  const references = table.references.map(({ child, column }) => {
    const isDeletedToo = `exists (select from undo_net g where g.table_name = ${literal(table.name)} and g.operation = 'I' and g.why is null and g.row_id = c.id)`
    return `exists (select from ${quoted(child)} c where c.user_id = r.user_id and c.${quoted(column)} = r.id
      ${child === table.name ? `and not ${isDeletedToo}` : ''})`
  })
  return `(${references.join(' or ') || 'false'})`
}

import { systemColumns, here, literal, livingOf, netOf, present, quoted, untouched } from './fragments.ts'
import { keep, sqlOfNet, type Plan } from './plan.ts'
import type { OwnedTable } from './tables.ts'

/**
 * Removes the rows that the change set made, children first. A row that was edited since, or that a row outside of this undo refers to,
 * stays and is listed; so do its own parents. Nothing cascades out of an undo, nothing is unlinked by it.
 */
export async function removeRows(plan: Plan): Promise<void> {
  for (const table of plan.tables.toReversed()) {
    if (!plan.has(table, 'I')) continue
    const columns = table.columns.filter((column) => !systemColumns.includes(column))
    await sqlOfNet(mark(table, 'edited', editedSince), [columns])
    const inUse = table.canDelete ? usedBy(table) : 'true'
    while ((await sqlOfNet(mark(table, 'in_use', inUse))).length > 0); // one that stays may be the use of another
    if (table.canDelete) {
      await sqlOfNet(`delete from ${quoted(table.name)} r using ${netOf(table, 'I')} and n.why is null and ${here}`)
    }
    await keep(plan, table, 'in_use', `select n.row_id as id, n.why from ${livingOf(table, 'I')} and n.why is not null`)
  }
}

const mark = (table: OwnedTable, why: 'edited' | 'in_use', condition: string): string =>
  `update undo_net marked set why = '${why}' from ${livingOf(table, 'I')}
    where marked.table_name = n.table_name and marked.row_id = n.row_id and marked.kind = n.kind and n.why is null and ${condition}
    returning n.row_id`

const editedSince = `exists (select from jsonb_each(n.after) b, ${present} where b.key = any ($1) and not ${untouched})`

/** Rows of the same table that go too are no use; children that go are gone already. */
function usedBy(table: OwnedTable): string {
  const uses = table.uses.map(({ child, column }) => {
    const goes = `exists (select from undo_net g where g.table_name = ${literal(table.name)} and g.kind = 'I' and g.why is null and g.row_id = c.id)`
    return `exists (select from ${quoted(child)} c where c.user_id = r.user_id and c.${quoted(column)} = r.id
      ${child === table.name ? `and not ${goes}` : ''})`
  })
  return `(${uses.join(' or ') || 'false'})`
}

import { isNotReverted, isLivingRow, livingOf, netOf, currentImage, quoted, isUnchanged } from './fragments.ts'
import { skippedColumns, skipRows, sqlOfNet, type Plan } from './plan.ts'

/** Locks the rows against edits and new references, in the order of their ids, so that two undos cannot deadlock. */
export async function lockRows(plan: Plan): Promise<void> {
  for (const table of plan.tables) {
    for (const operation of ['I', 'U'] as const) {
      if (!plan.has(table, operation)) continue
      await sqlOfNet(`select count(*) from (select from ${livingOf(table, operation)} order by r.id for update of r) locked`)
    }
  }
}

/** Lists as skipped: updated rows that were deleted since, and columns that were edited since or no longer exist. */
export async function skipEdited(plan: Plan): Promise<void> {
  for (const table of plan.tables) {
    if (!plan.has(table, 'U')) continue
    const why = `(case when r.id is null then 'deleted' when e.gone then 'column_gone' else 'edited' end)`
    const edited = `select array_agg(b.key) as columns, bool_and(not b.key = any ($1)) as gone
      from jsonb_each(n.before) b, ${currentImage}
      where r.id is not null and (not b.key = any ($1) or (not ${isUnchanged} and ${isNotReverted}))`
    const text = `select ${skippedColumns({ id: 'n.row_id', why, columns: 'e.columns' })}
      from (select * from ${netOf(table, 'U')}) n left join ${quoted(table.name)} r on ${isLivingRow} left join lateral (${edited}) e on true
      where r.id is null or e.columns is not null`
    await skipRows(plan, table, 'edited', text, [table.columns])
  }
}

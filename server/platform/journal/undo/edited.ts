import { away, here, livingOf, netOf, present, quoted, untouched } from './fragments.ts'
import { keep, sqlOfNet, type Plan } from './plan.ts'

/** Nobody may edit or refer to the rows while they are compared. In the order of their ids, so that two undos never wait for each other. */
export async function lockRows(plan: Plan): Promise<void> {
  for (const table of plan.tables) {
    for (const kind of ['I', 'U'] as const) {
      if (!plan.has(table, kind)) continue
      await sqlOfNet(`select count(*) from (select from ${livingOf(table, kind)} order by r.id for update of r) locked`)
    }
  }
}

/** Lists updated rows that are gone, and columns of them that were edited since or are no more. */
export async function noteEdited(plan: Plan): Promise<void> {
  for (const table of plan.tables) {
    if (!plan.has(table, 'U')) continue
    const edited = `select array_agg(b.key) as columns, bool_and(not b.key = any ($1)) as gone
      from jsonb_each(n.before) b, ${present}
      where r.id is not null and (not b.key = any ($1) or (not ${untouched} and ${away}))`
    const text = `select n.row_id as id, case when r.id is null then 'deleted' when e.gone then 'column_gone' else 'edited' end as why, e.columns
      from (select * from ${netOf(table, 'U')}) n left join ${quoted(table.name)} r on ${here} left join lateral (${edited}) e on true
      where r.id is null or e.columns is not null`
    await keep(plan, table, 'edited', text, [table.columns])
  }
}

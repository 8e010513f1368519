import type { StageTotal } from '#contract/deals.ts'
import { stages, type Stage } from '#contract/stages.ts'
import { sql } from '#server/platform/database/database.ts'
import { toSqlConditions, type Criteria } from '#server/platform/records/conditions.ts'
import { deals } from './kind.ts'

/** Reads the totals of every stage, in the order of the stages. */
export async function totalStages(owner: string, criteria: Criteria): Promise<StageTotal[]> {
  const values: unknown[] = [owner]
  const conditions = toSqlConditions(deals.filters, criteria, (value) => `$${values.push(value)}`)
  const customPlan = conditions.length > 0
  return sumStages(stages, `${customPlan ? 'deals_find' : 'deals'} where ${['user_id = $1', ...conditions].join(' and ')}`, values, {
    customPlan,
  })
}

/** Reads the totals of some stages. `from` is the SQL of the table and the conditions. */
export async function sumStages(
  shown: readonly Stage[],
  from: string,
  values: unknown[],
  options?: { customPlan: boolean },
): Promise<StageTotal[]> {
  const totals = await sql<StageTotal>(
    `select stage, count(*) as count, coalesce(sum(value), 0) as value, round(coalesce(sum(value * weight), 0) / 100, 2) as forecast
     from ${from} group by stage`,
    values,
    options,
  )
  return shown.map((stage) => totals.find((total) => total.stage === stage) ?? { stage, count: 0, value: 0, forecast: 0 })
}

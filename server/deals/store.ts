import { stages, type Stage, type StageTotal } from '#contract/deals.ts'
import { sql } from '#server/platform/database/database.ts'
import { conditionsOf, type Narrowing } from '#server/platform/records/conditions.ts'
import { deals } from './kind.ts'

/** What the deals of each stage come to, every stage in its order. */
export async function totalStages(owner: string, narrowing: Narrowing): Promise<StageTotal[]> {
  const values: unknown[] = [owner]
  const conditions = conditionsOf(deals.filters, narrowing, (value) => `$${values.push(value)}`)
  const customPlan = conditions.length > 0
  return sumStages(stages, `${customPlan ? 'deals_find' : 'deals'} where ${['user_id = $1', ...conditions].join(' and ')}`, values, {
    customPlan,
  })
}

/** The same of some deals: `summed` names the table and the conditions. */
export async function sumStages(
  shown: readonly Stage[],
  summed: string,
  values: unknown[],
  options?: { customPlan: boolean },
): Promise<StageTotal[]> {
  const found = await sql<StageTotal>(
    `select stage, count(*) as count, coalesce(sum(value), 0) as value, round(coalesce(sum(value * weight), 0) / 100, 2) as forecast
     from ${summed} group by stage`,
    values,
    options,
  )
  return shown.map((stage) => found.find((total) => total.stage === stage) ?? { stage, count: 0, value: 0, forecast: 0 })
}

import { stages, type StageTotal } from '#contract/deals.ts'
import { sql } from '#server/platform/database/database.ts'
import { conditionsOf, type Narrowing } from '#server/platform/records/conditions.ts'
import { deals } from './kind.ts'

/** What the deals of each stage come to, every stage in its order. */
export async function totalStages(owner: string, narrowing: Narrowing): Promise<StageTotal[]> {
  const values: unknown[] = [owner]
  const conditions = conditionsOf(deals.filters, narrowing, (value) => `$${values.push(value)}`)
  const found = await sql<StageTotal>(
    `select stage, count(*) as count, coalesce(sum(value), 0) as value, round(coalesce(sum(value * weight), 0) / 100, 2) as forecast
     from ${conditions.length === 0 ? 'deals' : 'deals_find'} where ${['user_id = $1', ...conditions].join(' and ')} group by stage`,
    values,
    { fresh: conditions.length > 0 },
  )
  return stages.map((stage) => found.find((total) => total.stage === stage) ?? { stage, count: 0, value: 0, forecast: 0 })
}

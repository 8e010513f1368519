import type { StageTotal } from '#contract/deals.ts'
import { stages, type Stage } from '#contract/stages.ts'
import { sql } from '#server/platform/database/database.ts'
import { resolveCriteria, toSqlConditions, type Criteria } from '#server/platform/records/conditions.ts'
import { deals } from './kind.ts'

/** Reads the totals of the deals that match, for every stage in the order of the stages. */
export async function readTotalsOfStages(owner: string, criteria: Criteria): Promise<StageTotal[]> {
  const values: unknown[] = [owner]
  const resolvedCriteria = await resolveCriteria(deals, owner, criteria)
  const conditions = toSqlConditions(deals, resolvedCriteria, (value) => `$${values.push(value)}`)
  const hasConditions = conditions.length > 0
  const table = hasConditions ? 'deals_find' : 'deals' // searches can use indexes only through the find view
  const where = ['user_id = $1', ...conditions].join(' and ')
  return sumStages(stages, `${table} where ${where}`, values, { customPlan: hasConditions })
}

/**
 * Reads the totals of these stages, in their order. `from` is the SQL after `from`: the table and the conditions. The column `weight` is
 * the probability of a deal in percent, or that of its stage if the deal has none.
 */
export async function sumStages(
  requestedStages: readonly Stage[],
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
  return requestedStages.map((stage) => totals.find((total) => total.stage === stage) ?? { stage, count: 0, value: 0, forecast: 0 })
}

import { sql } from '#server/platform/database/database.ts'
import { resolveCriteria, toSqlConditions, type Criteria } from './conditions.ts'
import type { RecordKind } from './kind.ts'

/** The sum of a field over the records of a group; `group` is null without groups. */
type Sum = {
  group: string | null
  count: number
  with_value: number
  sum: number
  average: number | null
  smallest: number | null
  largest: number | null
}

/**
 * `field` is summed and has a filter of the type `number`. The records are grouped by `group_by`, which has a filter of the type `choice`.
 */
type SumRequest = Criteria & { field: string; group_by?: string | undefined }

/** Sums a field of the records that match. Without `group_by` returns one row; with it a row for each group, the largest sum first. */
export async function sumRows(kind: RecordKind, owner: string, { field, group_by: groupBy, ...criteria }: SumRequest): Promise<Sum[]> {
  const { filters, findView, table } = kind
  // the names become part of the statement, so only fields with a filter are accepted
  if (filters[field] !== 'number' || (groupBy !== undefined && filters[groupBy] !== 'choice'))
    throw new Error('A sum names a field that has no filter')
  const values: unknown[] = [owner]
  const resolved = await resolveCriteria(kind, owner, criteria)
  const conditions = toSqlConditions(kind, resolved, (value) => `$${values.push(value)}`)
  const from = `${conditions.length > 0 ? findView : table} where ${['user_id = $1', ...conditions].join(' and ')}`
  return sql<Sum>(
    `select ${groupBy ?? 'null::text'} as "group", count(*) as count, count(${field}) as with_value, coalesce(sum(${field}), 0)::numeric as sum,
       round(avg(${field}), 2) as average, min(${field})::numeric as smallest, max(${field})::numeric as largest
     from ${from} ${groupBy === undefined ? '' : `group by ${groupBy} order by sum desc, 1`}`,
    values,
    { customPlan: conditions.length > 0 },
  )
}

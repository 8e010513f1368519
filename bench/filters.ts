/** The SQL conditions for the filters in `operations.ts`. They are written by hand and fit only these filters. */
const statements: Record<string, string> = {
  contacts: `lead_source = $2 and app.fold(mailing_city) like app.fold($3) and created_at >= $4::date::timestamp at time zone 'Europe/London'
    and created_at < ($5::date + 1)::timestamp at time zone 'Europe/London'`,
  deals: 'stage = any($2) and app.fold(title) like app.fold($3) and value >= $4::numeric and value <= $5::numeric',
  tasks: 'status = any($2) and priority = $3 and due_date >= $4::date and due_date <= $5::date',
}

type Condition = { has?: string; is?: string[]; from?: unknown; to?: unknown }

/**
 * Returns the SQL condition for a filter from `operations.ts`, and its values, which begin at the parameter `$2`; `$1` is the owner. `name`
 * is the first part of the name of the prepared statement; its second part is the table.
 */
export function handwrittenFilter(plural: string, filter: string): { name: string; where: string; values: unknown[] } {
  const conditions: Condition[] = JSON.parse(filter)
  const values = conditions.flatMap(({ has, is, from, to }) => {
    if (has !== undefined) return [`%${has}%`]
    if (is !== undefined) return is.length === 1 ? is : [is] // several choices are one array parameter, for `any($2)`
    return [from, to]
  })
  return { name: 'filtered', where: statements[plural] ?? '', values }
}

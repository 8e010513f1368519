/** The filters that are asked for, as somebody would write them by hand for these alone. */
const statements: Record<string, string> = {
  contacts: `lead_source = $2 and app.fold(mailing_city) like app.fold($3) and created_at >= $4::date::timestamp at time zone 'Europe/London'
    and created_at < ($5::date + 1)::timestamp at time zone 'Europe/London'`,
  deals: 'stage = any($2) and app.fold(title) like app.fold($3) and value >= $4::numeric and value <= $5::numeric',
  tasks: 'status = any($2) and priority = $3 and due_date >= $4::date and due_date <= $5::date',
}

type Asked = { has?: string; is?: string[]; from?: unknown; to?: unknown }

/** The condition behind the owner for a filter of `operations.ts`, and its values from `$2` on. */
export function filteredOf(many: string, filter: string): { name: string; where: string; values: unknown[] } {
  const conditions: Asked[] = JSON.parse(filter)
  const values = conditions.flatMap(({ has, is, from, to }) => {
    if (has !== undefined) return [`%${has}%`]
    if (is !== undefined) return is.length === 1 ? is : [is]
    return [from, to]
  })
  return { name: 'filtered', where: statements[many] ?? '', values }
}

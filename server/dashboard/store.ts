import { leadSources } from '#contract/contacts.ts'
import type { Dashboard } from '#contract/dashboard.ts'
import type { TaskRow } from '#contract/tasks.ts'
import { sql } from '#server/platform/database/database.ts'
import type { RecordKind } from '#server/platform/records/kind.ts'
import { addDays, toFirstInstant, toLocalTime, weekdayOf } from '#server/platform/time/local-time.ts'
import { readTimezone, readToday } from '#server/platform/time/owner-timezone.ts'
import { taskRowColumns } from '#server/tasks/tasks.ts'
import { hasRowsSql } from './first-steps.store.ts'

const maxTasks = 5
const weekCount = 12
/** The number of lead sources that are counted one by one. The others are counted together. */
const maxSources = 200

/** Whether the owner has no records of any kind. */
export async function isEmpty(owner: string, kinds: readonly RecordKind[]): Promise<boolean> {
  const conditions = kinds.map(({ table }) => hasRowsSql(table))
  const [row] = await sql<{ hasRecords: boolean }>(`select ${conditions.join(' or ')} as "hasRecords"`, [owner])
  return row?.hasRecords !== true
}

/**
 * Reads the first open tasks that are due today or overdue in the owner's time zone. `due` counts all open tasks that are due today, and
 * `overdue` counts all that were due earlier.
 */
export async function readDueTasks(owner: string, now: Date): Promise<Dashboard['tasks']> {
  const dueOrOverdueCondition = `user_id = $1 and status <> 'completed' and due_date <= $2`
  const values = [owner, await readToday(owner, now)]
  const [rows, [counts]] = await Promise.all([
    sql<TaskRow>(`select ${taskRowColumns} from tasks c where ${dueOrOverdueCondition} order by due_date, id limit ${maxTasks}`, values),
    sql<{ due: number; overdue: number }>(
      `select count(*) filter (where due_date = $2) as due, count(*) filter (where due_date < $2) as overdue from tasks where ${dueOrOverdueCondition}`,
      values,
    ),
  ])
  return { rows, due: counts?.due ?? 0, overdue: counts?.overdue ?? 0 }
}

/**
 * Counts the new contacts of the last weeks by lead source. Weeks begin on Monday at midnight in the owner's time zone. The query first
 * reads the distinct lead sources from an index, by looking for the next larger source again and again (a loose index scan), and then
 * counts each source in each week. In measurements this took half as long as `group by`. An import may have mapped a column with another
 * value in each row to the lead source, so only the first sources are counted in this way, and those of the contact form. `rest` counts
 * the contacts of all other sources at once. `c` is a contact and `s` a lead source.
 */
export async function countNewContacts(owner: string, now: Date): Promise<Dashboard['new_contacts']> {
  const weeks = listWeeks(await readTimezone(owner), now)
  return sql<Dashboard['new_contacts'][number]>(
    `with recursive first_sources as (
       (select lead_source, 1 as place from crm_contacts where user_id = $1 order by lead_source limit 1)
       union all
       select (select c.lead_source from crm_contacts c where c.user_id = $1 and c.lead_source > s.lead_source order by c.lead_source limit 1),
         place + 1
       from first_sources s where s.lead_source is not null and place < ${maxSources}
     ), last_source as (
       select lead_source from first_sources where place = ${maxSources}
     ), sources as (
       select lead_source from first_sources where lead_source is not null
       union all
       select s.lead_source from unnest($5::text[]) s (lead_source), last_source where s.lead_source > last_source.lead_source
     ), rest as materialized (
       select width_bucket(created_at, $3::timestamptz[]) as week_place, count(*) from crm_contacts
       where user_id = $1 and lead_source > (select lead_source from last_source) and lead_source <> all ($5)
         and created_at >= ($3::timestamptz[])[1] and created_at < ($4::timestamptz[])[${weekCount}]
       group by 1
     )
     select monday, (
       select coalesce(jsonb_object_agg(lead_source, count) filter (where count > 0), '{}')
       from sources s cross join lateral (
         select count(*) from crm_contacts c where c.user_id = $1 and c.lead_source = s.lead_source
           and c.created_at >= begins_at and c.created_at < ends_at
       ) counted
     ) as sources, coalesce((select count from rest where week_place = week.place), 0) as others
     from unnest($2::date[], $3::timestamptz[], $4::timestamptz[]) with ordinality as week (monday, begins_at, ends_at, place)
     order by monday`,
    [owner, weeks.map(({ monday }) => monday), weeks.map(({ beginsAt }) => beginsAt), weeks.map(({ endsAt }) => endsAt), leadSources],
  )
}

/** Returns the last weeks in the time zone, up to the week of `now`. */
function listWeeks(timezone: string, now: Date) {
  const today = toLocalTime(timezone, now.getTime()).date
  const thisMonday = addDays(today, -((weekdayOf(today) + 6) % 7))
  const toInstant = (day: string): string => new Date(toFirstInstant(timezone, day, 0)).toISOString()
  return Array.from({ length: weekCount }, (_, index) => {
    const monday = addDays(thisMonday, 7 * (index + 1 - weekCount))
    return { monday, beginsAt: toInstant(monday), endsAt: toInstant(addDays(monday, 7)) }
  })
}

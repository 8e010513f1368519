import type { Dashboard } from '#contract/dashboard.ts'
import type { TaskRow } from '#contract/tasks.ts'
import { sql } from '#server/platform/database/database.ts'
import type { RecordKind } from '#server/platform/records/kind.ts'
import { taskRowColumns } from '#server/tasks/tasks.ts'

const shownTasks = 5
const shownWeeks = 12

export async function isEmpty(owner: string, kinds: readonly RecordKind[]): Promise<boolean> {
  const [found] = await sql<{ any: boolean }>(
    `select ${kinds.map(({ table }) => `exists (select from ${table} where user_id = $1)`).join(' or ')} as any`,
    [owner],
  )
  return found?.any !== true
}

/** Reads open tasks that are due today or overdue in the owner's time zone. */
export async function readDueTasks(owner: string, now: Date): Promise<Dashboard['tasks']> {
  const today = `($2::timestamptz at time zone (select timezone from profiles where user_id = $1))::date`
  const open = `user_id = $1 and status <> 'completed' and due_date <= ${today}`
  const [rows, [counted]] = await Promise.all([
    sql<TaskRow>(`select ${taskRowColumns} from tasks c where ${open} order by due_date, id limit ${shownTasks}`, [
      owner,
      now.toISOString(),
    ]),
    sql<{ due: number; overdue: number }>(
      `select count(*) filter (where due_date = ${today}) as due, count(*) filter (where due_date < ${today}) as overdue from tasks where ${open}`,
      [owner, now.toISOString()],
    ),
  ])
  return { rows, due: counted?.due ?? 0, overdue: counted?.overdue ?? 0 }
}

/**
 * Counts new contacts of the last weeks by source. Weeks begin on Monday at midnight in the owner's time zone. Reading each source from the
 * index (a loose index scan), and then each source by week, takes half as long as grouping the rows.
 */
export const countNewContacts = (owner: string, now: Date): Promise<Dashboard['new_contacts']> =>
  sql<Dashboard['new_contacts'][number]>(
    `with recursive sources as (
       (select lead_source from crm_contacts where user_id = $1 order by lead_source limit 1)
       union all
       select (select c.lead_source from crm_contacts c where c.user_id = $1 and c.lead_source > s.lead_source order by c.lead_source limit 1)
       from sources s where s.lead_source is not null
     )
     select monday::date as monday, (
       select coalesce(jsonb_object_agg(lead_source, count) filter (where count > 0), '{}')
       from sources s cross join lateral (
         select count(*) from crm_contacts c where c.user_id = $1 and c.lead_source = s.lead_source
           and c.created_at >= monday at time zone timezone and c.created_at < (monday + interval '7 days') at time zone timezone
       ) counted
       where lead_source is not null
     ) as sources
     from profiles cross join date_trunc('week', $2::timestamptz at time zone timezone) as this_monday
     cross join generate_series(this_monday - interval '${shownWeeks - 1} weeks', this_monday, interval '7 days') as monday
     where user_id = $1 order by monday`,
    [owner, now.toISOString()],
  )

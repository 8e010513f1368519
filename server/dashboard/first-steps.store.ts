import { firstStepNames, type FirstStepName } from '#contract/dashboard.ts'
import { sql } from '#server/platform/database/database.ts'

/**
 * The condition in SQL under which the owner $1 has rows in a table. With `order by` PostgreSQL reads one entry of the primary key. With
 * `exists` it might read rows of other owners first.
 */
export const hasRowsSql = (table: string): string => `(select id from ${table} where user_id = $1 order by id limit 1) is not null`

/** The condition in SQL under which a step of the owner $1 is done. */
const doneConditions: Readonly<Record<FirstStepName, string>> = {
  contact: hasRowsSql('crm_contacts'),
  company: hasRowsSql('companies'),
  deal: hasRowsSql('deals'),
  task: hasRowsSql('tasks'),
  region: '(select region_confirmed from profiles where user_id = $1)',
}

/** Returns the names of the first steps that the owner has done. */
export async function readDoneSteps(owner: string): Promise<FirstStepName[]> {
  const columns = firstStepNames.map((name) => `${doneConditions[name]} as ${name}`)
  const [row] = await sql<Record<FirstStepName, boolean>>(`select ${columns.join(', ')}`, [owner])
  return firstStepNames.filter((name) => row?.[name] === true)
}

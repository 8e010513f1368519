// Adds deals, tasks and notes to the demo account. In the lists of this file, an empty text means that a record does not have the value,
// and a value that occurs more often is used for more records.
import type { Stage } from '#contract/stages.ts'
import type { TaskPriority, TaskStatus } from '#contract/tasks.ts'
import { sql, type Database } from '#server/platform/database/database.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { addRows, pick, secondsAgo } from './demo-rows.ts'

type Contact = { id: string; company_id: string | null; company: string; last_name: string }
type Deal = { id: string; contact_id: string }

// The factors of `index`, the number of a row, such as 7 and 7919, have no meaning: they only make the values look random. Calls with the
// same counts always create the same records.

/** For the titles of deals. */
const furniture =
  'Reception desk,Waiting room benches,Oak counter,Shelving wall,Treatment room cabinets,Breakfast bar,Window seats,Sample set in ash,Display cases,Meeting table,Staircase panels,Cloakroom lockers,Library ladders,Stage boxes,Sliding doors,Bench for the yard'.split(
    ',',
  )
const stages: Stage[] = [
  'lead',
  'qualified',
  'proposal',
  'lead',
  'negotiation',
  'closed-won',
  'proposal',
  'closed-lost',
  'qualified',
  'closed-won',
]
/** The descriptions of deals. */
const wishes =
  'Delivery in two parts.,The floor is uneven; measure again.,Wants the same finish as in the first branch.,,Compare with the offer of last spring.,'.split(
    ',',
  )
const dealTags = ['', 'Oak', '', 'Rush', 'Ash', '', 'Second branch']
/** The titles of tasks. */
const chores =
  'Call back about the quote,Send the oak samples,Measure the entrance,Draw the revised plan,Ask for the deposit,Confirm the delivery date,Order the hinges,Photograph the finished room,Thank for the referral,Check the invoice,Book the van,Answer the question about the finish'.split(
    ',',
  )
const statuses: TaskStatus[] = ['pending', 'in-progress', 'pending', 'completed', 'pending', 'completed']
const priorities: TaskPriority[] = ['medium', 'high', 'medium', 'low', 'medium']
/** The first and the second sentence of notes. */
const openings =
  'Met at the trade evening.,Called this morning.,Wrote after the visit.,Came by the workshop.,Asked by email.,Spoke with the site manager.'.split(
    ',',
  )
const remarks =
  'Wants the oak sample by Friday.,The budget is agreed; the colour is not.,Prefers ash to oak since the last project.,Will decide after the holidays.,Needs drawings as PDF for the architect.,Liked the curved edge a lot.,Deposit paid and delivery planned for next month.,Asked whether we also do the lighting.,The lift is too small for the counter; bring it in two parts.'.split(
    ',',
  )
/** At most this many of the newest contacts get deals, tasks and notes, and at most this many of the newest deals get tasks. */
const maxLinkedRecords = 5000

/** Adds deals in every stage, linked to contacts and to their companies. */
export async function addDeals(database: Database, owner: string, count: number): Promise<void> {
  const contacts = await readContacts(database, owner)
  await addRows(database, owner, {
    plural: 'deals',
    count,
    createRow: (index) => createDeal(index, count, contacts[(index * 7) % contacts.length]),
    statement: `
      insert into deals (user_id, id, created_at, updated_at, title, description, value, stage, probability, expected_close_date, contact_id, company_id, tags)
      select $1, uuidv7(-ago), now() - ago, now() - ago * edit_age, title, description, value, stage, probability, current_date + days, contact_id,
        company_id, tags
      from json_to_recordset($2) p (seconds_ago int, edit_age float, title text, description text, value numeric, stage text, probability int, days int,
        contact_id uuid, company_id uuid, tags text[])
      cross join make_interval(secs => seconds_ago) ago
      order by seconds_ago desc`,
  })
}

/** Adds tasks of contacts and deals. Some are overdue, some are due today, some are completed. */
export async function addTasks(database: Database, owner: string, count: number): Promise<void> {
  const contacts = await readContacts(database, owner)
  const deals = await readDeals(database, owner)
  await addRows(database, owner, {
    plural: 'tasks',
    count,
    createRow: (index) => createTask(index, count, contacts[(index * 3) % contacts.length], deals[(index * 5) % deals.length]),
    statement: `
      insert into tasks (user_id, id, created_at, title, status, priority, due_date, completed_at, contact_id, deal_id)
      select $1, uuidv7(-ago), now() - ago, title, status, priority, current_date + days, case when status = 'completed' then now() - ago / 2 end,
        contact_id, deal_id
      from json_to_recordset($2) p (seconds_ago int, title text, status text, priority text, days int, contact_id uuid, deal_id uuid)
      cross join make_interval(secs => seconds_ago) ago
      order by seconds_ago desc`,
  })
}

/** Adds notes on contacts. */
export async function addNotes(database: Database, owner: string, count: number): Promise<void> {
  const contacts = await readContacts(database, owner)
  await addRows(database, owner, {
    plural: 'notes',
    count,
    createRow: (index) => {
      const firstLine = `${pick(openings, index, { step: 5 })} ${pick(remarks, index, { step: 2 })}`
      return {
        seconds_ago: secondsAgo(index, count),
        contact_id: contacts[(index * 5) % contacts.length]?.id,
        content: index % 3 === 0 ? `${firstLine}\n${pick(remarks, index + 3, { step: 2 })}` : firstLine,
      }
    },
    statement: `
      insert into notes (user_id, id, created_at, contact_id, content)
      select $1, uuidv7(-ago), now() - ago, contact_id, content
      from json_to_recordset($2) p (seconds_ago int, contact_id uuid, content text)
      cross join make_interval(secs => seconds_ago) ago
      order by seconds_ago desc`,
  })
}

/**
 * Returns the values of a deal. `edit_age`: the age of the last edit divided by the age of the deal, from 0 (edited now) to 1 (never
 * edited). `days`: the number of days from today to the expected close date.
 */
function createDeal(index: number, count: number, contact: Contact | undefined) {
  const stage = pick(stages, index, { step: 3 })
  const isClosed = stage.startsWith('closed')
  const tag = pick(dealTags, index, { step: 2 })
  return {
    seconds_ago: secondsAgo(index, count),
    edit_age: (index % 10) / 10,
    title: `${pick(furniture, index, { step: 5 })} for ${contact?.company || contact?.last_name}`,
    description: pick(wishes, index, { step: 1 }),
    value: index % 11 === 6 ? null : 450 + ((index * 7919) % 950) * 50,
    stage,
    probability: index % 4 === 1 && !isClosed ? 20 + ((index * 15) % 75) : null,
    days: daysUntilClose(index, isClosed),
    contact_id: contact?.id,
    company_id: contact?.company_id,
    tags: tag === '' ? [] : [tag],
  }
}

/**
 * Returns the number of days from today to the expected close date. One deal in nine has no such date (null); the date of a closed deal is
 * in the past or today.
 */
function daysUntilClose(index: number, isClosed: boolean): number | null {
  if (index % 9 === 8) return null
  return isClosed ? -(index % 60) : -6 + ((index * 13) % 90)
}

/** Every third task belongs to the deal, the others to the contact. `days` are counted from today to the due date. */
function createTask(index: number, count: number, contact: Contact | undefined, deal: Deal | undefined) {
  const linkedDeal = index % 3 === 0 ? deal : undefined
  return {
    seconds_ago: secondsAgo(index, count),
    title: pick(chores, index, { step: 5 }),
    status: pick(statuses, index, { step: 1 }),
    priority: pick(priorities, index, { step: 2 }),
    days: daysUntilDue(index),
    contact_id: linkedDeal ? linkedDeal.contact_id : contact?.id,
    deal_id: linkedDeal?.id ?? null,
  }
}

/** Returns the number of days from today to the due date. One task in ten has no due date (null), and one in five is due today. */
function daysUntilDue(index: number): number | null {
  if (index % 10 === 9) return null
  return index % 5 === 2 ? 0 : -8 + ((index * 7) % 40)
}

const readContacts = (database: Database, owner: string): Promise<Contact[]> =>
  database.read(callerFor(owner), () =>
    sql<Contact>('select id, company_id, company, last_name from crm_contacts where user_id = $1 order by id desc limit $2', [
      owner,
      maxLinkedRecords,
    ]),
  )

const readDeals = (database: Database, owner: string): Promise<Deal[]> =>
  database.read(callerFor(owner), () =>
    sql<Deal>('select id, contact_id from deals where user_id = $1 order by id desc limit $2', [owner, maxLinkedRecords]),
  )

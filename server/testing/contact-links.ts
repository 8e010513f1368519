// Rows that refer to a contact, one for each foreign key to contacts.
import { randomUUID } from 'node:crypto'
import type { TestApp } from './app.ts'
import type { Person } from './people.ts'

/** Returns the columns of all foreign keys to contacts, from the catalogue of the database. */
export async function readContactLinks({ tableOwner }: TestApp): Promise<{ table: string; column: string; isJournaled: boolean }[]> {
  const { rows } = await tableOwner.query<{ table: string; column: string; isJournaled: boolean }>(
    `select k.conrelid::regclass::text as "table", a.attname as "column",
       exists (select from app.journaled_tables t where t.oid = k.conrelid) as "isJournaled"
     from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey) and a.attname <> 'user_id'
     where k.contype = 'f' and k.confrelid = 'crm_contacts'::regclass order by 1, 2`,
  )
  return rows
}

/**
 * The statements that add a row which refers to the contact `$2` of the owner `$1`, by the column of the link. `$3` is a text that is new
 * each time. A new foreign key to contacts needs a statement here.
 */
const statements: Readonly<Record<string, string>> = {
  'bookings.contact_id': `insert into bookings (user_id, contact_id, title, start_time, end_time, status)
    values ($1, $2, $3, now(), now() + interval '1 hour', 'cancelled')`,
  'crm_contacts.reports_to_id': 'insert into crm_contacts (user_id, first_name, reports_to_id) values ($1, $3, $2)',
  'deals.contact_id': 'insert into deals (user_id, contact_id, title) values ($1, $2, $3)',
  'distinct_contacts.contact_id': `with third as (insert into crm_contacts (user_id, first_name) values ($1, $3) returning id)
    insert into distinct_contacts (user_id, contact_id, other_id) select $1, $2, id from third`,
  'distinct_contacts.other_id': `with third as (insert into crm_contacts (user_id, first_name) values ($1, $3) returning id)
    insert into distinct_contacts (user_id, contact_id, other_id) select $1, id, $2 from third`,
  'files.contact_id': `with object as (insert into stored_objects (user_id, storage_path, file_size) values ($1, $3, 1) returning id)
    insert into files (user_id, contact_id, object_id, file_name, file_size, storage_path) select $1, $2, id, 'Offer.txt', 1, $3 from object`,
  'form_submissions.contact_id': `with form as (insert into lead_forms (user_id, title, slug) values ($1, 'Offer', $3) returning id)
    insert into form_submissions (user_id, form_id, contact_id, submission_data, name) select $1, id, $2, '{}', 'Ada' from form`,
  'notes.contact_id': 'insert into notes (user_id, contact_id, content) values ($1, $2, $3)',
  'tasks.contact_id': 'insert into tasks (user_id, contact_id, title) values ($1, $2, $3)',
}

/** Adds a row that refers to the contact by this column, such as `deals.contact_id`. */
export async function addLinkedRow({ tableOwner }: TestApp, { id: owner }: Person, contact: string, link: string): Promise<void> {
  const statement = statements[link]
  if (statement === undefined) throw new Error(`There is no statement for the link ${link}`)
  await tableOwner.query(statement, [owner, contact, randomUUID()])
}

import type { LeadForm } from '#contract/leadForms.ts'
import type { Database } from '#server/platform/database/database.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'

/** A form as its visitors need it. `version_id`: the version of its fields; null if it has only the fixed fields. */
export type PublicForm = Pick<
  LeadForm,
  'id' | 'title' | 'slug' | 'description' | 'success_message' | 'is_active' | 'redirect_url' | 'form_fields'
> & { version_id: string | null; is_closed: boolean }

/** Returns the owner and the id of the form at a public address; undefined if there is none. */
export async function findFormBySlug(
  database: Database,
  visitor: Caller,
  slug: string,
): Promise<{ owner: string; id: string } | undefined> {
  const [found] = await database.read(visitor, () =>
    sql<{ owner: string; id: string }>('select owner, id from app.lead_form_by_slug($1)', [slug]),
  )
  return found
}

const isFullSql = `f.max_submissions is not null and f.max_submissions <=
  (select count(*) from form_submissions s where s.user_id = f.user_id and s.form_id = f.id and not s.is_spam)`

/** Returns the form; undefined if it was deleted. */
export async function findPublicForm(owner: string, id: string, now: Date): Promise<PublicForm | undefined> {
  const [form] = await sql<PublicForm>(
    `select f.id, f.title, f.slug, f.description, f.success_message, f.is_active, f.redirect_url, f.form_fields, v.id as version_id,
       coalesce(f.closes_at <= $3, false) or (${isFullSql}) as is_closed
     from lead_forms f left join form_versions v on v.user_id = f.user_id and v.form_id = f.id and v.fields_key = md5(f.form_fields::text)
     where f.user_id = $1 and f.id = $2`,
    [owner, id, now],
  )
  return form
}

/**
 * Locks a form until the end of the open transaction, and returns whether it takes a submission. Submissions of a form with a maximum
 * number wait for each other, so that they cannot exceed it.
 */
export async function lockOpenForm(owner: string, id: string, now: Date): Promise<boolean> {
  const [limit] = await sql<{ max_submissions: number | null }>(
    'select max_submissions from lead_forms where user_id = $1 and id = $2 for key share',
    [owner, id],
  )
  if (limit?.max_submissions != null) await sql('select from lead_forms where user_id = $1 and id = $2 for no key update', [owner, id])
  const [form] = await sql<{ is_open: boolean }>(
    `select f.is_active and (f.closes_at is null or f.closes_at > $3) and not (${isFullSql}) as is_open from lead_forms f
     where f.user_id = $1 and f.id = $2`,
    [owner, id, now],
  )
  return form?.is_open ?? false
}

/** The columns of a new submission, except those that every record has. */
export type SubmissionColumns = {
  form_id: string
  contact_id: string | null
  form_version_id: string | null
  submission_data: object
  name: string
  email: string
  summary: string
  source: object
  is_spam: boolean
  spam_reason: string
}

/** Inserts a submission, in the open transaction. */
export async function insertSubmission(owner: string, id: string, columns: SubmissionColumns): Promise<void> {
  const names = Object.keys(columns)
  const values = Object.values(columns).map((value) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value))
  await sql(
    `insert into form_submissions (user_id, id, ${names.join(', ')}) values ($1, $2, ${names.map((_name, index) => `$${index + 3}`).join(', ')})`,
    [owner, id, ...values],
  )
}

// The submissions of forms, as their owner reads them.
import type { FullSubmission, Submission } from '#contract/submissions.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { readPage, type Page } from '#server/platform/records/page.ts'
import { readRecord } from '#server/platform/records/rows.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { storeContactOf } from './contact.ts'
import { readFiles } from './files.ts'
import { submissions } from './kind.ts'
import { findVersion } from './versions.store.ts'

type ListQuery = {
  form_id?: string | undefined
  contact_id?: string | undefined
  spam: 'true' | 'false'
  search: string
  after?: string | undefined
  limit: number
}

/** Returns a page of the submissions. Throws `not_found` if the form or the contact does not exist. */
export function listSubmissions({ database, now }: AppContext, caller: Caller, query: ListQuery): Promise<Page<Submission>> {
  const { form_id, contact_id, spam, ...page } = query
  const links = Object.entries({ form_id, contact_id }).flatMap(([field, id]) => (id === undefined ? [] : [{ field, is: [id] }]))
  const filter = [...links, { field: 'is_spam', is: [spam] }]
  return database.read(caller, async () => {
    const [found] = await Promise.all([
      // the sort `newest` ignores `order`
      readPage<Submission>(submissions, caller.owner, { ...page, filter, sort: 'newest', order: 'asc', now: now() }),
      form_id && requireRow('lead_forms', caller.owner, form_id),
      contact_id && requireRow('crm_contacts', caller.owner, contact_id),
    ])
    return found
  })
}

async function requireRow(table: 'lead_forms' | 'crm_contacts', owner: string, id: string): Promise<void> {
  const rows = await sql(`select from ${table} where user_id = $1 and id = $2`, [owner, id])
  if (rows.length === 0) throw new Refusal('not_found')
}

/** Returns a submission with the fields that its visitor saw. Throws `not_found`. */
export async function readSubmission(owner: string, id: string): Promise<FullSubmission> {
  const [submission, files, [version]] = await Promise.all([
    readRecord<Submission>(submissions, owner, id),
    readFiles(owner, id),
    sql<{ form_version_id: string | null }>('select form_version_id from form_submissions where user_id = $1 and id = $2', [owner, id]),
  ])
  const fields = version?.form_version_id ? await findVersion(owner, submission.form_id, version.form_version_id) : []
  return { ...submission, version_fields: fields ?? [], files }
}

/**
 * Moves a submission into the spam folder or out of it, as one change. A submission that leaves the folder gets a contact, which is found
 * or added. A submission that enters it loses the link to its contact, and the contact stays. Throws `not_found`.
 */
export const setSpam = ({ database }: AppContext, caller: Caller, id: string, isSpam: boolean): Promise<FullSubmission> =>
  database.transaction(caller, isSpam ? 'Marked submission as spam' : 'Marked submission as not spam', () =>
    writeSpam(caller.owner, id, isSpam),
  )

/** Does the same as `setSpam` with several submissions, as one change. Throws `not_found` and changes nothing if one does not exist. */
export async function setSpamOfMany({ database }: AppContext, caller: Caller, ids: readonly string[], isSpam: boolean): Promise<void> {
  await database.transaction(caller, isSpam ? 'Marked submissions as spam' : 'Marked submissions as not spam', async () => {
    // sorted, so that two such requests cannot deadlock; one after the other, because two submissions may have the same contact
    for (const id of [...new Set(ids)].toSorted()) await writeSpam(caller.owner, id, isSpam)
  })
}

async function writeSpam(owner: string, id: string, isSpam: boolean): Promise<FullSubmission> {
  const [current] = await sql<{ is_spam: boolean }>(
    'select is_spam from form_submissions where user_id = $1 and id = $2 for no key update',
    [owner, id],
  )
  if (!current) throw new Refusal('not_found')
  const submission = await readSubmission(owner, id)
  if (current.is_spam === isSpam) return submission
  const contactId = isSpam ? null : await storeContactOf(owner, submission.version_fields, submission.submission_data)
  await sql('update form_submissions set is_spam = $3, spam_reason = $4, contact_id = $5 where user_id = $1 and id = $2', [
    owner,
    id,
    isSpam,
    isSpam ? 'by_hand' : '',
    contactId,
  ])
  return readSubmission(owner, id)
}

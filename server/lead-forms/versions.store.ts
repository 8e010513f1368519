import type { FormField } from '#contract/formFields.ts'
import { sql } from '#server/platform/database/database.ts'

/** Stores the fields of the forms as versions, unless the forms have had the same fields before. */
export async function addVersions(ids: readonly string[], fields: readonly FormField[]): Promise<void> {
  if (fields.length === 0) return
  await sql(
    `insert into form_versions (form_id, fields) select f.id, $2 from lead_forms f where f.user_id = app.owner() and f.id = any($1)
     on conflict do nothing`,
    [ids, JSON.stringify(fields)],
  )
}

/** Returns the fields of a version; undefined if the form has no such version. */
export async function findVersion(owner: string, formId: string, versionId: string): Promise<FormField[] | undefined> {
  const [row] = await sql<{ fields: FormField[] }>('select fields from form_versions where user_id = $1 and form_id = $2 and id = $3', [
    owner,
    formId,
    versionId,
  ])
  return row?.fields
}

export type Version = { id: string; fields: FormField[] }

/** Returns the versions of submissions that have one, by the ids of the submissions. */
export async function readVersionIds(owner: string, submissionIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await sql<{ id: string; form_version_id: string }>(
    'select id, form_version_id from form_submissions where user_id = $1 and id = any($2::uuid[]) and form_version_id is not null',
    [owner, submissionIds],
  )
  return new Map(rows.map(({ id, form_version_id: version }) => [id, version]))
}

/** Returns the fields of all versions of a form that submissions refer to, newest version first. */
export async function readUsedVersions(owner: string, formId: string): Promise<Version[]> {
  return sql(
    `select v.id, v.fields from form_versions v where v.user_id = $1 and v.form_id = $2
       and exists (select from form_submissions s where s.user_id = $1 and s.form_id = $2 and s.form_version_id = v.id) order by v.id desc`,
    [owner, formId],
  )
}

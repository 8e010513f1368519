import { fixedFieldNames, formatAnswer, type FormField } from '#contract/formFields.ts'
import type { NamedFile } from '#contract/route.ts'
import type { LeadForm } from '#contract/leadForms.ts'
import type { Submission } from '#contract/submissions.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { byteOrderMark, formatCsvLine } from '#server/platform/records/csv.ts'
import { readRecord } from '#server/platform/records/rows.ts'
import { readFileNames, type FileName } from './files.ts'
import { forms } from './kind.ts'
import { listSubmissions } from './submissions.ts'
import { readUsedVersions, readVersionIds, type Version } from './versions.store.ts'

/** A column with the answers to a field; `label` is its newest one. `names` has the name of the field in each version. */
type Column = { label: string; names: Map<string, string> }

/** Returns the submissions of a form as CSV, with a column for each field that the form has or had. Throws `not_found`. */
export async function exportSubmissions(context: AppContext, caller: Caller, id: string, isSpam: boolean): Promise<NamedFile> {
  const { owner } = caller
  const [form, versions] = await context.database.read(caller, () =>
    Promise.all([readRecord<LeadForm>(forms, owner, id), readUsedVersions(owner, id)]),
  )
  const columns = listColumns(form.form_fields, versions)
  return {
    name: `${form.slug}.csv`,
    chunks: readLines(context, caller, { id, isSpam, columns, versions: new Set(versions.map((version) => version.id)) }),
  }
}

/**
 * Returns a column for each field of the form and of its earlier versions. A field is known by its id: its name may have belonged to
 * another field in another version.
 */
function listColumns(currentFields: readonly FormField[], versions: readonly Version[]): Column[] {
  const columns = new Map<string, Column>()
  for (const version of [{ id: '', fields: currentFields }, ...versions])
    for (const { id, field_type: type, field_name: name, field_label: label } of version.fields) {
      if (type === 'heading') continue
      const column = columns.get(id) ?? { label, names: new Map() }
      columns.set(id, column)
      column.names.set(version.id, name)
    }
  return [...columns.values()]
}

async function* readLines(
  context: AppContext,
  caller: Caller,
  { id, isSpam, columns, versions }: { id: string; isSpam: boolean; columns: readonly Column[]; versions: ReadonlySet<string> },
): AsyncGenerator<string> {
  const headers = ['Received', 'First Name', 'Last Name', ...columns.map(({ label }) => label), 'Campaign', 'Page']
  yield byteOrderMark + formatCsvLine(headers)
  let after: string | undefined
  do {
    const query = { form_id: id, spam: isSpam ? ('true' as const) : ('false' as const), search: '', limit: 200, after }
    const { rows, next } = await listSubmissions(context, caller, query)
    const ids = rows.map((row) => row.id)
    const [files, versionOf] = await context.database.read(caller, () =>
      Promise.all([readFileNames(caller.owner, ids), readVersionIds(caller.owner, ids)]),
    )
    const filesOf = Map.groupBy(files, (file) => file.submission_id)
    const toLine = (row: Submission): string => {
      const rowVersion = versionOf.get(row.id) ?? ''
      const version = versions.has(rowVersion) ? rowVersion : '' // a row that came meanwhile may have the current fields
      const names = columns.map((column) => column.names.get(version))
      return formatCsvLine(toCells(addFiles(row, filesOf.get(row.id)), [...fixedFieldNames, ...names]))
    }
    yield rows.map(toLine).join('')
    after = next ?? undefined
  } while (after !== undefined)
}

/** Adds the names of files to the answers, under the names of their fields. */
function addFiles(row: Submission, files: readonly FileName[] = []): Submission {
  const byField = Map.groupBy(files, ({ field_name: name }) => name)
  const answers = [...byField].map(([name, each]) => [name, each.map(({ file_name: fileName }) => fileName)] as const)
  return { ...row, submission_data: { ...row.submission_data, ...Object.fromEntries(answers) } }
}

function toCells(
  { created_at: receivedAt, submission_data: answers, source }: Submission,
  names: readonly (string | undefined)[],
): unknown[] {
  const { page = '', ...campaign } = source
  const campaignText = Object.entries(campaign).map(([name, value]) => `${name}: ${value}`)
  return [
    receivedAt,
    ...names.map((name) => formatAnswer((name === undefined ? undefined : answers[name]) ?? '', '; ')),
    campaignText.join('; '),
    page,
  ]
}

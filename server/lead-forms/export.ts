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
import { readUsedVersions } from './versions.store.ts'

type Column = { field_name: string; field_label: string }

/** Returns the submissions of a form as CSV, with a column for each field that the form has or had. Throws `not_found`. */
export async function exportSubmissions(context: AppContext, caller: Caller, id: string, isSpam: boolean): Promise<NamedFile> {
  const { owner } = caller
  const [form, versions] = await context.database.read(caller, () =>
    Promise.all([readRecord<LeadForm>(forms, owner, id), readUsedVersions(owner, id)]),
  )
  const columns = listColumns([form.form_fields, ...versions.map(({ fields }) => fields)])
  return { name: `${form.slug}.csv`, chunks: readLines(context, caller, { id, isSpam, columns }) }
}

/** Returns a column for each name of a field, with the newest label. */
function listColumns(versions: readonly (readonly FormField[])[]): Column[] {
  const columns = new Map<string, Column>()
  for (const field of versions.flat()) {
    if (field.field_type !== 'heading' && !columns.has(field.field_name)) columns.set(field.field_name, field)
  }
  return [...columns.values()]
}

async function* readLines(
  context: AppContext,
  caller: Caller,
  { id, isSpam, columns }: { id: string; isSpam: boolean; columns: readonly Column[] },
): AsyncGenerator<string> {
  const names = [...fixedFieldNames, ...columns.map(({ field_name }) => field_name)]
  const headers = ['Received', 'First Name', 'Last Name', ...columns.map(({ field_label }) => field_label), 'Campaign', 'Page']
  yield byteOrderMark + formatCsvLine(headers)
  let after: string | undefined
  do {
    const query = { form_id: id, spam: isSpam ? ('true' as const) : ('false' as const), search: '', limit: 200, after }
    const { rows, next } = await listSubmissions(context, caller, query)
    const files = await context.database.read(caller, () =>
      readFileNames(
        caller.owner,
        rows.map((row) => row.id),
      ),
    )
    const filesOf = Map.groupBy(files, (file) => file.submission_id)
    yield rows.map((row) => formatCsvLine(toCells(addFiles(row, filesOf.get(row.id)), names))).join('')
    after = next ?? undefined
  } while (after !== undefined)
}

/** Adds the names of files to the answers, under the names of their fields. */
function addFiles(row: Submission, files: readonly FileName[] = []): Submission {
  const byField = Map.groupBy(files, ({ field_name: name }) => name)
  const answers = [...byField].map(([name, each]) => [name, each.map(({ file_name: fileName }) => fileName)] as const)
  return { ...row, submission_data: { ...row.submission_data, ...Object.fromEntries(answers) } }
}

function toCells({ created_at: receivedAt, submission_data: answers, source }: Submission, names: readonly string[]): unknown[] {
  const { page = '', ...campaign } = source
  const campaignText = Object.entries(campaign).map(([name, value]) => `${name}: ${value}`)
  return [receivedAt, ...names.map((name) => formatAnswer(answers[name] ?? '', '; ')), campaignText.join('; '), page]
}

import type { ImportKind } from '#contract/imports.ts'
import { tagLimits } from '#contract/fields.ts'
import type { RowProblem } from '../check-record.ts'

/** What happened to a row of the file. `column`: the header of the wrong column; empty if the whole row is wrong. */
export type RowOutcome =
  | { status: 'created' | 'updated'; remarks: readonly RowProblem[] }
  | { status: 'skipped'; reason: string }
  | { status: 'failed'; column: string; reason: string }

/**
 * What happened to the record of a row. `found`: it exists, and this import only adds records. `missing`: it does not exist, and this
 * import only changes records. `refused`: a sentence for each wrong field. `remarks`: what of the row is not stored in the record.
 */
export type RecordOutcome =
  | { status: 'created' | 'updated' | 'unchanged'; remarks?: readonly FieldRemark[] }
  | { status: 'found' }
  | { status: 'missing' }
  | { status: 'refused'; fields: Readonly<Record<string, string>> }

/** What of a field is not stored, in a sentence. */
export type FieldRemark = { field: string; reason: string }

/** Returns the remark on the tags for which a record that exists has no space; an empty list if there are none. */
export const remarkTags = (tags: readonly string[]): FieldRemark[] =>
  tags.length === 0
    ? []
    : [{ field: 'tags', reason: `“${tags.join(', ')}” is left out, because the record then has ${tagLimits.count} tags already.` }]

/** Why a record of a kind is skipped. */
const skipped: Record<ImportKind, { found: string; missing: string }> = {
  contact: { found: 'There is already a contact with this email or phone.', missing: 'No contact has this email or phone.' },
  company: { found: 'There is already a company with this name.', missing: 'No company has this name.' },
  deal: { found: 'There is already a deal with this title and company.', missing: 'No deal has this title and company.' },
  task: {
    found: 'There is already a task with this title, due date and contact.',
    missing: 'No task has this title, due date and contact.',
  },
}

/**
 * Returns what happened to a row. `columnOf` returns the header of the column of a field. `remarks`: what of the row was not read into the
 * record.
 */
export function toRowOutcome(
  kind: ImportKind,
  outcome: RecordOutcome,
  columnOf: (field: string) => string,
  remarks: readonly RowProblem[],
): RowOutcome {
  if (outcome.status === 'refused') {
    const [[field, reason] = ['', 'This row cannot be stored.']] = Object.entries(outcome.fields)
    return { status: 'failed', column: columnOf(field.split('.')[0] ?? ''), reason: reason.endsWith('.') ? reason : `${reason}.` }
  }
  if (outcome.status === 'unchanged')
    return { status: 'skipped', reason: outcome.remarks?.[0]?.reason ?? 'Nothing to change: the record has all values already.' }
  if (outcome.status === 'found' || outcome.status === 'missing') return { status: 'skipped', reason: skipped[kind][outcome.status] }
  const ofFields = (outcome.remarks ?? []).map(({ field, reason }) => ({ column: columnOf(field), reason }))
  return { status: outcome.status, remarks: [...remarks, ...ofFields] }
}

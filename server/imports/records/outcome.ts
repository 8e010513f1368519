import type { ImportKind } from '#contract/imports.ts'

/** What happened to a row of the file. `column`: the header of the wrong column; empty if the whole row is wrong. */
export type RowOutcome =
  | { status: 'created' | 'updated' }
  | { status: 'skipped'; reason: string }
  | { status: 'failed'; column: string; reason: string }

/**
 * What happened to the record of a row. `found`: it exists, and this import only adds records. `missing`: it does not exist, and this import
 * only changes records. `refused`: a sentence for each wrong field.
 */
export type RecordOutcome =
  | { status: 'created' | 'updated' | 'unchanged' | 'found' | 'missing' }
  | { status: 'refused'; fields: Readonly<Record<string, string>> }

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

/** Returns what happened to a row. `columnOf` returns the header of the column of a field. */
export function toRowOutcome(kind: ImportKind, outcome: RecordOutcome, columnOf: (field: string) => string): RowOutcome {
  if (outcome.status === 'refused') {
    const [[field, reason] = ['', 'This row cannot be stored.']] = Object.entries(outcome.fields)
    return { status: 'failed', column: columnOf(field.split('.')[0] ?? ''), reason: reason.endsWith('.') ? reason : `${reason}.` }
  }
  if (outcome.status === 'unchanged') return { status: 'skipped', reason: 'Nothing to change: the record has all values already.' }
  if (outcome.status === 'found' || outcome.status === 'missing') return { status: 'skipped', reason: skipped[kind][outcome.status] }
  return { status: outcome.status }
}

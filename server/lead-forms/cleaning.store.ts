import type pg from 'pg'
import { deleteOrphans } from '#server/platform/journal/orphans.ts'

/**
 * Deletes the versions of deleted forms and the files of deleted submissions, as soon as no undo can restore the form or the submission.
 */
export async function deleteUnneeded(tableOwner: pg.Pool): Promise<void> {
  await deleteOrphans(tableOwner, { table: 'form_versions', column: 'form_id', parent: 'lead_forms' })
  await deleteOrphans(tableOwner, { table: 'form_submission_files', column: 'submission_id', parent: 'form_submissions' })
}

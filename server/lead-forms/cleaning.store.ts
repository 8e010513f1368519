import type pg from 'pg'

/**
 * Deletes the versions of deleted forms and the files of deleted submissions, as soon as no undo can restore the form or the submission.
 */
export async function deleteUnneeded(tableOwner: pg.Pool): Promise<void> {
  await deleteOrphans(tableOwner, { table: 'form_versions', column: 'form_id', parent: 'lead_forms' })
  await deleteOrphans(tableOwner, { table: 'form_submission_files', column: 'submission_id', parent: 'form_submissions' })
}

/** Deletes the rows of a table whose parent is neither in its table nor in the journal. */
const deleteOrphans = (
  tableOwner: pg.Pool,
  { table, column, parent }: { table: string; column: string; parent: string },
): Promise<unknown> =>
  tableOwner.query(
    `delete from ${table} t where not exists (select from ${parent} p where p.user_id = t.user_id and p.id = t.${column})
       and not exists (select from journal j where j.user_id = t.user_id and j.row_id = t.${column})`,
  )

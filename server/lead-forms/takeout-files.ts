import { listStoredFiles, type ZipFile, type ZipFolder } from '#server/files/files.ts'
import { sql } from '#server/platform/database/database.ts'
import type { AppContext, TakeoutFiles } from '#server/platform/feature/context.ts'

/** Lists the files of all submissions of an owner, in a folder for each form with a folder for each submission. */
export async function listSubmissionFiles({ storage }: AppContext, owner: string): Promise<TakeoutFiles> {
  const [folders, files] = await Promise.all([
    sql<ZipFolder>(
      `with s as (
         select * from form_submissions s
         where user_id = $1 and exists (select from form_submission_files f where f.user_id = s.user_id and f.submission_id = s.id)
       )
       select id, title as name, null as parent_folder_id, created_at from lead_forms
       where user_id = $1 and id in (select form_id from s)
       union all select id, name, form_id, created_at from s order by id`,
      [owner],
    ),
    sql<ZipFile>(
      `select f.id, f.submission_id as folder_id, f.file_name, f.file_size, f.created_at, f.object_id, o.storage_path
       from form_submission_files f
         join form_submissions s on s.user_id = f.user_id and s.id = f.submission_id
         join stored_objects o on o.user_id = f.user_id and o.id = f.object_id
       where f.user_id = $1 order by f.id`,
      [owner],
    ),
  ])
  return { table: 'form_submission_files', ...listStoredFiles(storage, [{ root: 'files of forms', folders, files }]) }
}

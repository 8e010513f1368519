import { cleanZipName } from '#server/files/files.ts'
import { sql } from '#server/platform/database/database.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import type { AppContext, TakeoutFiles } from '#server/platform/feature/context.ts'
import type { ZipEntry } from '#server/platform/zip/zip.ts'
import { readFileParts } from './message-files.ts'

/** Lists the files of all answers of an owner, for the download of everything. Their bytes are read when they are sent. */
export async function listMessageFiles({ database }: AppContext, owner: string): Promise<TakeoutFiles> {
  const rows = await sql<{ id: string; file_name: string; file_size: number; created_at: string }>(
    `select f.id, f.file_name, f.file_size, f.created_at from message_files f
       join messages m on m.user_id = f.user_id and m.id = f.message_id
       join conversations c on c.user_id = m.user_id and c.id = m.conversation_id
     where f.user_id = $1 order by f.id`,
    [owner],
  )
  const paths = new Map(rows.map(({ id, file_name }) => [id, `files of answers/${id}/${cleanZipName(file_name)}`]))
  const entries = rows.map(({ id, file_size, created_at }): ZipEntry => {
    const read = () => readFileParts({ database }, callerFor(owner), id, { start: 0, end: file_size - 1 })
    return { path: paths.get(id) ?? id, modifiedAt: new Date(created_at), content: { size: file_size, read } }
  })
  return { table: 'message_files', entries, paths }
}

import { sql } from '#server/platform/database/database.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import type { AppContext, OwnedFiles } from '#server/platform/feature/context.ts'
import type { ZipEntry } from '#server/platform/zip/zip.ts'
import { readFileParts } from './message-files.ts'

/** Lists the files of all answers of an owner, for the download of everything. Their bytes are read when they are sent. */
export async function listMessageFiles({ database }: AppContext, owner: string): Promise<OwnedFiles> {
  const rows = await sql<{ id: string; file_name: string; file_size: number; created_at: string }>(
    'select id, file_name, file_size, created_at from message_files where user_id = $1 order by id',
    [owner],
  )
  const paths = new Map(rows.map(({ id, file_name }) => [id, `files of answers/${id}/${file_name}`]))
  const entries = rows.map(({ id, file_size, created_at }): ZipEntry => {
    const read = () => readFileParts({ database }, callerFor(owner), id, { start: 0, end: file_size - 1 })
    return { path: paths.get(id) ?? id, modifiedAt: new Date(created_at), content: { size: file_size, read } }
  })
  return { table: 'message_files', entries, paths }
}

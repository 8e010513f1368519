import { sql } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/refusal.ts'
import type { ByteRange } from '#server/platform/http/range.ts'

/** Returns the bytes of a file of an answer. Throws `not_found`. */
export async function readMessageFileBytes(owner: string, id: string): Promise<Buffer> {
  const [file] = await sql<{ bytes: Buffer }>('select bytes from message_files where user_id = $1 and id = $2', [owner, id])
  if (!file) throw new Refusal('not_found')
  return file.bytes
}

/** Returns the bytes of a file of an answer from `start` to `end`, which is included. Throws `not_found`. */
export async function readMessageFileRange(owner: string, id: string, { start, end }: ByteRange): Promise<Buffer> {
  const [file] = await sql<{ bytes: Buffer }>(
    'select substring(bytes from $3 for $4) as bytes from message_files where user_id = $1 and id = $2',
    [owner, id, start + 1, end - start + 1],
  )
  if (!file) throw new Refusal('not_found')
  return file.bytes
}

type MessageFileRow = { file_name: string; mime_type: string; file_size: number }

/** Returns a file of an answer without its bytes. Throws `not_found`. */
export async function readMessageFile(owner: string, id: string): Promise<MessageFileRow> {
  const [file] = await sql<MessageFileRow>('select file_name, mime_type, file_size from message_files where user_id = $1 and id = $2', [
    owner,
    id,
  ])
  if (!file) throw new Refusal('not_found')
  return file
}

import type { File } from '#contract/files.ts'
import type { TextReason } from '#contract/fileTexts.ts'
import { sql } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/refusal.ts'
import type { DocumentText } from './collector.ts'
import { splitText } from './parts.ts'

// In this file `object` is the id of a stored object, which has the bytes of one or several files.
/** What was read from the bytes of a file. */
export type Extraction = {
  text: DocumentText
  /** A WebP picture of an image. */
  thumbnail?: Buffer | undefined
}

/** The stored object whose text is read, with the name of one of its files; the name is empty if all of them were deleted. */
export type TextSource = { storage_path: string; file_size: number; file_name: string }

/** Returns the object if its text has not been read yet. */
export async function readSource(owner: string, objectId: string): Promise<TextSource | undefined> {
  const [source] = await sql<TextSource>(
    `select o.storage_path, o.file_size,
       coalesce((select f.file_name from files f where f.user_id = $1 and f.object_id = $2 order by f.id limit 1), '') as file_name
     from object_texts t join stored_objects o on o.user_id = $1 and o.id = $2
     where t.user_id = $1 and t.id = $2 and t.state = 'waiting'`,
    [owner, objectId],
  )
  return source
}

/**
 * Stores what was read from an object. Does nothing if the object was deleted or its result is already stored. It locks the object before
 * its text, as a delete of the object does, so that the two do not end in a deadlock.
 */
export async function storeExtraction(owner: string, objectId: string, { text, thumbnail }: Extraction): Promise<void> {
  const [waiting] = await sql(
    `select t.id from object_texts t join stored_objects o on o.user_id = $1 and o.id = t.id
     where t.user_id = $1 and t.id = $2 and t.state = 'waiting' for key share of o for update of t`,
    [owner, objectId],
  )
  if (!waiting) return
  await Promise.all([
    'reason' in text
      ? sql(`update object_texts set state = 'failed', reason = $3 where user_id = $1 and id = $2`, [owner, objectId, text.reason])
      : storeText(owner, objectId, text),
    thumbnail && sql('insert into object_thumbnails (user_id, id, image) values ($1, $2, $3)', [owner, objectId, thumbnail]),
  ])
}

function storeText(owner: string, objectId: string, { pages, hasPages, isCut }: Exclude<DocumentText, { reason: unknown }>) {
  const parts = pages.flatMap((page, index) => splitText(page).map((content) => ({ content, page: hasPages ? index + 1 : null })))
  return Promise.all([
    sql(
      `insert into object_text_parts (user_id, object_id, number, page, content)
       select $1, $2, number, page, content from unnest($3::int[], $4::text[]) with ordinality part(page, content, number)`,
      [owner, objectId, parts.map(({ page }) => page), parts.map(({ content }) => content)],
    ),
    sql(`update object_texts set state = 'ready', is_cut = $3, words = app.collect_words($2) where user_id = $1 and id = $2`, [
      owner,
      objectId,
      isCut,
    ]),
  ])
}

type StoredText = {
  object_id: string
  state: File['text_state']
  reason: TextReason | null
  is_cut: boolean
}

/** Returns the text of a file. Throws `not_found`. */
export async function readText(owner: string, id: string) {
  const [row] = await sql<StoredText>(
    `select f.object_id, coalesce(t.state, 'waiting') as state, nullif(t.reason, '') as reason, coalesce(t.is_cut, false) as is_cut
     from files f left join object_texts t on t.user_id = $1 and t.id = f.object_id where f.user_id = $1 and f.id = $2`,
    [owner, id],
  )
  if (!row) throw new Refusal('not_found')
  const { object_id: objectId, ...status } = row
  const parts = await sql<{ page: number | null; content: string }>(
    'select page, content from object_text_parts where user_id = $1 and object_id = $2 order by number',
    [owner, objectId],
  )
  return { ...status, text: parts.map(({ content }) => content).join(''), pages: findPageStarts(parts) }
}

/** Returns where the pages begin in the joined parts. A page without text begins where the next one begins. */
function findPageStarts(parts: readonly { page: number | null; content: string }[]): number[] | null {
  const starts: number[] = []
  let position = 0
  for (const { page, content } of parts) {
    if (page === null) return null
    while (starts.length < page) starts.push(position)
    position += content.length
  }
  return starts.length === 0 ? null : starts
}

/** Returns the small picture of an image. Throws `not_found` if the file has none. */
export async function readThumbnail(owner: string, id: string): Promise<{ object_id: string; image: Buffer }> {
  const [thumbnail] = await sql<{ object_id: string; image: Buffer }>(
    `select f.object_id, t.image from files f join object_thumbnails t on t.user_id = $1 and t.id = f.object_id
     where f.user_id = $1 and f.id = $2`,
    [owner, id],
  )
  if (!thumbnail) throw new Refusal('not_found')
  return thumbnail
}

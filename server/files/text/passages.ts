import type { Passage } from '#contract/lists.ts'
import { sql } from '#server/platform/database/database.ts'
import { createPassage } from './passage.ts'

/**
 * A text is stored in parts. Only the first 20 parts that have a searched word are compared, to find the part with most of the searched
 * words.
 */
const maxComparedParts = 20

/**
 * Returns a passage for each of the files in whose text a searched word occurs. The column `words` of a part has each word of the part
 * between two spaces, so a searched word after a space matches only the beginning of a word. A searched word of one Latin letter or digit
 * must be the whole word. The column is compressed; `|| ''` unpacks it once for all searched words.
 */
export async function readPassages(owner: string, ids: readonly string[], search: string): Promise<ReadonlyMap<string, Passage>> {
  const rows = await sql<{ id: string; page: number | null; before: string; content: string; after: string }>(
    `with searched as materialized (
       select array_agg(' ' || word || case when word ~ '^[a-z0-9]$' then ' ' else '' end) as beginnings
       from string_to_table(trim(app.index_words($3)), ' ') word where word <> ''
     )
     select f.id, part.page, part.content, coalesce(right(previous.content, 100), '') as before, coalesce(left(next.content, 200), '') as after
     from searched
     join files f on f.user_id = $1 and f.id = any($2)
     cross join lateral (
       select page, content, object_id, number, number - 1 as previous_number, number + 1 as next_number from (
         select page, content, object_id, number, matches from object_text_parts p cross join lateral (
           select count(*) as matches from (select p.words || '' as words offset 0) unpacked, unnest(searched.beginnings) beginning
           where strpos(unpacked.words, beginning) > 0
         ) compared
         where p.user_id = $1 and p.object_id = f.object_id and matches > 0
         order by number limit $4
       ) first
       order by matches desc, number limit 1
     ) part
     left join object_text_parts previous on previous.user_id = $1 and previous.object_id = part.object_id and previous.number = part.previous_number
       and previous.page is not distinct from part.page
     left join object_text_parts next on next.user_id = $1 and next.object_id = part.object_id and next.number = part.next_number
       and next.page is not distinct from part.page`,
    [owner, ids, search.normalize('NFC'), countWords(search) === 1 ? 1 : maxComparedParts],
  )
  return new Map(rows.map(({ id, ...part }) => [id, createPassage(part, search)]))
}

const countWords = (search: string): number => search.match(/[\p{L}\p{M}\p{N}]+/gu)?.length ?? 0

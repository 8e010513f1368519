import type { Hit } from '#contract/search.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Bind } from '#server/platform/records/conditions.ts'
import type { RecordKind } from '#server/platform/records/kind.ts'

/** A record that was found, and how well it fits: 0 begins with what was typed, 1 has words that begin so, 2 has it inside, 3 has a typo. */
export type Found = { kind: Hit['kind']; id: string; rank: number }

/** Of more than these, the newest are weighed. */
const weighed = 200
/** What no index can look up is looked for in so many of the newest records of a kind. */
const newest = 2000
/** Of more records with a typo than these, any are taken. */
const guessed = 1000

/** Records whose title begins with what was typed, the newest first. U+FFFF sorts behind every letter, so this is a part of the index that sorts the list. */
export async function findBeginnings(
  { singular, find, found: { sorted } }: RecordKind,
  owner: string,
  phrase: string,
  limit: number,
): Promise<Found[]> {
  if (!sorted) return []
  const title = `${sorted} collate "und-x-icu"`
  return sql<Found>(
    `select '${singular}' as kind, id, 0 as rank from ${find} where user_id = $1 and ${title} >= app.fold($2) and ${title} < app.fold($2) || E'\\uFFFF'
     order by id desc limit $3`,
    [owner, phrase, limit],
  )
}

/** Records that have all the words as parts, the best first. */
export function findParts(
  { singular, find }: RecordKind,
  owner: string,
  phrase: string,
  words: readonly string[],
  limit: number,
): Promise<Found[]> {
  const values: unknown[] = [owner, phrase, limit]
  const bind: Bind = (value) => `$${values.push(value)}`
  const isShort = words.every((word) => word.length < 3)
  const parts = words.map((word) => hasPart(word, bind)).join(' and ')
  const starts = words.map((word) => `search ~ app.word_start(${bind(word)})`).join(' and ')
  const among = isShort ? `(select id, search, user_id from ${find} where user_id = $1 order by id desc limit ${newest}) newest` : find
  return sql<Found>(
    `select '${singular}' as kind, id, case when search like app.like_part($2) || '%' then 0 when ${starts} then 1 else 2 end as rank
     from (select id, search from ${among} where user_id = $1 and ${parts} order by id desc limit ${weighed}) found
     order by rank, id desc limit $3`,
    values,
    { customPlan: true },
  )
}

/** Records that have one word as it was typed, whatever its length: for scripts that write names in two letters. */
export const findWholeWord = ({ singular, find }: RecordKind, owner: string, word: string, limit: number): Promise<Found[]> =>
  sql<Found>(
    `select '${singular}' as kind, id, 1 as rank
     from (select id from ${find} where user_id = $1 and app.words(search) && array[app.fold($2)] limit ${guessed}) found order by id desc limit $3`,
    [owner, word, limit],
    { customPlan: true },
  )

/** Records that have one of the words with a typo and the others as parts, of each kind the newest. One statement, so that all of it has one time to end. */
export function findTypos(owner: string, kinds: readonly RecordKind[], words: readonly string[], limit: number): Promise<Found[]> {
  const values: unknown[] = [owner, limit]
  const bind: Bind = (value) => `$${values.push(value)}`
  const ways = words
    .filter(bearsTypo)
    .map((typed) => words.map((word) => (word === typed ? mayMean(word, bind) : hasPart(word, bind))).join(' and '))
  // without an order inside, so that it asks the index for the words and never walks along the newest to find them
  const each = kinds.map(
    ({ singular, find }) =>
      `(select '${singular}' as kind, id, 3 as rank
        from (select id from ${find} where user_id = $1 and (${ways.join(' or ')}) limit ${guessed}) found order by id desc limit $2)`,
  )
  return sql<Found>(each.join(' union all '), values, { customPlan: true })
}

/** Is the word long enough for a typo, and no longer than words are? */
export const bearsTypo = (word: string): boolean => word.length >= 5 && word.length <= 20

/** What is shown of the records; those that are gone by now are left out. */
export async function readHits(owner: string, kinds: readonly RecordKind[], found: readonly Found[]): Promise<Hit[]> {
  const idsOf = ({ singular }: RecordKind): string[] => found.filter(({ kind }) => kind === singular).map(({ id }) => id)
  const rows = await Promise.all(
    kinds
      .map((kind) => ({ kind, ids: idsOf(kind) }))
      .filter(({ ids }) => ids.length > 0)
      .map(({ kind, ids }) => readShown(kind, owner, ids)),
  )
  const hits = new Map(rows.flat().map((hit) => [hit.id, hit]))
  return found.flatMap(({ id }) => hits.get(id) ?? [])
}

const readShown = ({ singular, table, found: { title, detail, on } }: RecordKind, owner: string, ids: string[]): Promise<Hit[]> => {
  const shownOn = on ? `jsonb_build_object('kind', '${on.to.singular}', 'id', c.${on.field})` : 'null::jsonb'
  return sql<Hit>(
    `select '${singular}' as kind, c.id, ${title} as title, ${detail} as detail, ${shownOn} as "on"
     from ${table} c where c.user_id = $1 and c.id = any($2)`,
    [owner, ids],
  )
}

/** The word as it was typed, or as others write it. */
function hasPart(word: string, bind: Bind): string {
  const like = (text: string): string => `search like '%' || app.like_part(${bind(text)}) || '%'`
  const other = respell(word)
  return other === word ? like(word) : `(${like(word)} or ${like(other)})`
}

const mayMean = (word: string, bind: Bind): string => `app.words(search) && (select app.misspellings(app.fold(${bind(word)})))`

const twoLetters: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }

/** How somebody writes it who has no umlauts, or who needs no country in a phone number. */
function respell(word: string): string {
  if (/^\d{10,}$/.test(word)) return word.slice(-8)
  return word.replaceAll(/[äöüøå]/gi, (letter) => twoLetters[letter.toLowerCase()] ?? letter)
}

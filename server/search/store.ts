import type { Hit } from '#contract/search.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Bind } from '#server/platform/records/conditions.ts'
import type { RecordKind } from '#server/platform/records/kind.ts'

/** A matching record and its rank: 0 its title begins with the search, 1 some of its words do, 2 it contains the search, 3 with a typo. */
export type Match = { kind: Hit['kind']; id: string; rank: number }

/** Of more matches the newest are ranked. */
const maxRanked = 200
/** Searches that no index serves look at so many of the newest records of a kind. */
const maxUnindexed = 2000
/** Of more records with a typo, any are taken. */
const maxTypoMatches = 1000

/** Records whose title begins with the search, the newest first. U+FFFF sorts after every letter, so this is a range of the index that sorts the list. */
export async function findBeginnings(
  { singular, find, searchResult: { sorted } }: RecordKind,
  owner: string,
  phrase: string,
  limit: number,
): Promise<Match[]> {
  if (!sorted) return []
  const title = `${sorted} collate "und-x-icu"`
  return sql<Match>(
    `select '${singular}' as kind, id, 0 as rank from ${find} where user_id = $1 and ${title} >= app.fold($2) and ${title} < app.fold($2) || E'\\uFFFF'
     order by id desc limit $3`,
    [owner, phrase, limit],
  )
}

/** Records that contain all the words, the best first. */
export function findParts(
  { singular, find }: RecordKind,
  owner: string,
  phrase: string,
  words: readonly string[],
  limit: number,
): Promise<Match[]> {
  const values: unknown[] = [owner, phrase, limit]
  const bind: Bind = (value) => `$${values.push(value)}`
  const isShort = words.every((word) => word.length < 3)
  const parts = words.map((word) => containsWord(word, bind)).join(' and ')
  const starts = words.map((word) => `search ~ app.word_start(${bind(word)})`).join(' and ')
  const among = isShort
    ? `(select id, search, user_id from ${find} where user_id = $1 order by id desc limit ${maxUnindexed}) newest`
    : find
  return sql<Match>(
    `select '${singular}' as kind, id, case when search like app.like_part($2) || '%' then 0 when ${starts} then 1 else 2 end as rank
     from (select id, search from ${among} where user_id = $1 and ${parts} order by id desc limit ${maxRanked}) found
     order by rank, id desc limit $3`,
    values,
    { customPlan: true },
  )
}

/** Records that contain the whole word, whatever its length: for scripts that write names in two characters. */
export const findWholeWord = ({ singular, find }: RecordKind, owner: string, word: string, limit: number): Promise<Match[]> =>
  sql<Match>(
    `select '${singular}' as kind, id, 1 as rank
     from (select id from ${find} where user_id = $1 and app.words(search) && array[app.fold($2)] limit ${maxTypoMatches}) found order by id desc limit $3`,
    [owner, word, limit],
    { customPlan: true },
  )

/** Records that contain one of the words with a typo and the others as they are, of each kind the newest. One statement, so that one time limit holds. */
export function findTypos(owner: string, kinds: readonly RecordKind[], words: readonly string[], limit: number): Promise<Match[]> {
  const values: unknown[] = [owner, limit]
  const bind: Bind = (value) => `$${values.push(value)}`
  const alternatives = words
    .filter(canHaveTypo)
    .map((typed) => words.map((word) => (word === typed ? containsTypo(word, bind) : containsWord(word, bind))).join(' and '))
  // no inner order, or the planner would read the newest records instead of the index of words
  const each = kinds.map(
    ({ singular, find }) =>
      `(select '${singular}' as kind, id, 3 as rank
        from (select id from ${find} where user_id = $1 and (${alternatives.join(' or ')}) limit ${maxTypoMatches}) found order by id desc limit $2)`,
  )
  return sql<Match>(each.join(' union all '), values, { customPlan: true })
}

/** Whether a word has the length of words in which typos are searched. */
export const canHaveTypo = (word: string): boolean => word.length >= 5 && word.length <= 20

/** The hits for matches, without the records that were deleted meanwhile. */
export async function readHits(owner: string, kinds: readonly RecordKind[], matches: readonly Match[]): Promise<Hit[]> {
  const idsOf = ({ singular }: RecordKind): string[] => matches.filter(({ kind }) => kind === singular).map(({ id }) => id)
  const rows = await Promise.all(
    kinds
      .map((kind) => ({ kind, ids: idsOf(kind) }))
      .filter(({ ids }) => ids.length > 0)
      .map(({ kind, ids }) => readHitsOf(kind, owner, ids)),
  )
  const hits = new Map(rows.flat().map((hit) => [hit.id, hit]))
  return matches.flatMap(({ id }) => hits.get(id) ?? [])
}

const readHitsOf = ({ singular, table, searchResult: { title, detail, on } }: RecordKind, owner: string, ids: string[]): Promise<Hit[]> => {
  const shownOn = on ? `jsonb_build_object('kind', '${on.to.singular}', 'id', c.${on.field})` : 'null::jsonb'
  return sql<Hit>(
    `select '${singular}' as kind, c.id, ${title} as title, ${detail} as detail, ${shownOn} as "on"
     from ${table} c where c.user_id = $1 and c.id = any($2)`,
    [owner, ids],
  )
}

/** The word as typed, or in its other spelling. */
function containsWord(word: string, bind: Bind): string {
  const like = (text: string): string => `search like '%' || app.like_part(${bind(text)}) || '%'`
  const other = otherSpelling(word)
  return other === word ? like(word) : `(${like(word)} or ${like(other)})`
}

const containsTypo = (word: string, bind: Bind): string => `app.words(search) && (select app.misspellings(app.fold(${bind(word)})))`

const digraphs: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }

/** The spelling without umlauts, or a phone number without its country code. */
function otherSpelling(word: string): string {
  if (/^\d{10,}$/.test(word)) return word.slice(-8)
  return word.replaceAll(/[äöüøå]/gi, (letter) => digraphs[letter.toLowerCase()] ?? letter)
}

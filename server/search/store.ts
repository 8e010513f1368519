import type { Hit } from '#contract/search.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Bind } from '#server/platform/records/conditions.ts'
import type { RecordKind } from '#server/platform/records/kind.ts'

/** A matching record and its rank. 0: its title begins with the search; 1: some of its words do; 2: it contains the search; 3: with a typo. */
export type Match = { kind: Hit['kind']; id: string; rank: number }

/** The maximum number of matches that are ranked, the newest first. */
const maxRanked = 200
/** Searches that cannot use an index read at most this number of the newest records of a kind. */
const maxUnindexed = 2000
/** The maximum number of records that match with a typo, in no particular order. */
const maxTypoMatches = 1000

/** Finds records whose title begins with the search, newest first. U+FFFF sorts after every letter, so this is a range scan of the sort index. */
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

/** Finds records that contain all the words, best first. */
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

/** Finds records that contain the whole word, of any length, for scripts that write names in two characters. */
export const findWholeWord = ({ singular, find }: RecordKind, owner: string, word: string, limit: number): Promise<Match[]> =>
  sql<Match>(
    `select '${singular}' as kind, id, 1 as rank
     from (select id from ${find} where user_id = $1 and app.words(search) && array[app.fold($2)] limit ${maxTypoMatches}) found order by id desc limit $3`,
    [owner, word, limit],
    { customPlan: true },
  )

/** Finds the newest records of each kind that contain one word with a typo and the others exactly, in one statement with one time limit. */
export function findTypos(owner: string, kinds: readonly RecordKind[], words: readonly string[], limit: number): Promise<Match[]> {
  const values: unknown[] = [owner, limit]
  const bind: Bind = (value) => `$${values.push(value)}`
  const alternatives = words
    .filter(canHaveTypo)
    .map((typed) => words.map((word) => (word === typed ? containsTypo(word, bind) : containsWord(word, bind))).join(' and '))
  // with an inner `order by` the planner would read the newest records instead of the word index
  const each = kinds.map(
    ({ singular, find }) =>
      `(select '${singular}' as kind, id, 3 as rank
        from (select id from ${find} where user_id = $1 and (${alternatives.join(' or ')}) limit ${maxTypoMatches}) found order by id desc limit $2)`,
  )
  return sql<Match>(each.join(' union all '), values, { customPlan: true })
}

/** Whether a word has a length for which typos are searched. */
export const canHaveTypo = (word: string): boolean => word.length >= 5 && word.length <= 20

/** Reads the hits for matches, without records that were deleted meanwhile. */
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

/** Matches the word as typed, or in its other spelling. */
function containsWord(word: string, bind: Bind): string {
  const like = (text: string): string => `search like '%' || app.like_part(${bind(text)}) || '%'`
  const other = otherSpelling(word)
  return other === word ? like(word) : `(${like(word)} or ${like(other)})`
}

const containsTypo = (word: string, bind: Bind): string => `app.words(search) && (select app.misspellings(app.fold(${bind(word)})))`

const digraphs: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }

/** Returns the spelling without umlauts, or a phone number without its country code. */
function otherSpelling(word: string): string {
  if (/^\d{10,}$/.test(word)) return word.slice(-8)
  return word.replaceAll(/[äöüøå]/gi, (letter) => digraphs[letter.toLowerCase()] ?? letter)
}

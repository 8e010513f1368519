// Searches the records of a kind through the database view of the kind for searches (`findView`). The column `search` of this view has the
// searched fields of a record as one text, in lower case and without accents (`app.fold`), and also the digits of its phone numbers and its
// title with umlauts as two letters.
import type { Passage } from '#contract/lists.ts'
import type { Hit } from '#contract/search.ts'
import { sql } from '#server/platform/database/database.ts'
import { toFullTextSql, toPatternSql, type Bind } from '#server/platform/records/conditions.ts'
import type { RecordKind } from '#server/platform/records/kind.ts'

/**
 * A record that matches a search. `rank` 0: its title begins with the search; 1: it has words that begin with the searched words; 2: it
 * contains the searched words; 3: its full text has words that begin with the searched words; 4: it contains the words, one with a typo.
 */
export type Match = { kind: Hit['kind']; id: string; rank: number }

const fullTextRank = 3

/** Of the records that contain all words, only this number of the newest ones are ranked. */
const maxRanked = 200
/** A search with only short words cannot use an index, so it reads at most this number of the newest records of a kind. */
const maxUnindexed = 2000
/** The maximum number of records of a kind that an index lookup returns before they are sorted. */
const maxUnsorted = 1000

/**
 * Finds records whose title begins with the search, newest first. These titles are a range of the sort index, from the search itself to the
 * search followed by U+FFFF, which sorts after every letter. If nothing of the search remains, as of a single accent, no title begins with
 * it.
 */
export async function findBeginnings(
  { singular, findView, searchResult: { sortColumn } }: RecordKind,
  owner: string,
  phrase: string,
  limit: number,
): Promise<Match[]> {
  if (!sortColumn) return []
  const title = `${sortColumn} collate "und-x-icu"`
  return sql<Match>(
    `select '${singular}' as kind, id, 0 as rank from ${findView}
     where user_id = $1 and ${title} >= nullif(app.fold($2), '') and ${title} < app.fold($2) || E'\\uFFFF'
     order by id desc limit $3`,
    [owner, phrase, limit],
  )
}

/** Finds records that contain all the words, best first. */
export function findParts(
  { singular, findView }: RecordKind,
  owner: string,
  phrase: string,
  words: readonly string[],
  limit: number,
): Promise<Match[]> {
  const values: unknown[] = [owner, phrase, limit]
  const bind: Bind = (value) => `$${values.push(value)}`
  const hasOnlyShortWords = words.every((word) => word.length < 3)
  const parts = words.map((word) => containsWord(word, bind)).join(' and ')
  const starts = words.map((word) => `search ~ app.word_start(${bind(word)})`).join(' and ')
  const source = hasOnlyShortWords
    ? `(select id, search, user_id from ${findView} where user_id = $1 order by id desc limit ${maxUnindexed}) newest`
    : findView
  return sql<Match>(
    `select '${singular}' as kind, id, case when search like app.like_part($2) || '%' then 0 when ${starts} then 1 else 2 end as rank
     from (select id, search from ${source} where user_id = $1 and ${parts} order by id desc limit ${maxRanked}) found
     order by rank, id desc limit $3`,
    values,
    { customPlan: true },
  )
}

/** Finds records that contain the word as a whole word. Used for writing systems in which a name can have one or two letters. */
export const findWholeWord = ({ singular, findView }: RecordKind, owner: string, word: string, limit: number): Promise<Match[]> =>
  sql<Match>(
    `select '${singular}' as kind, id, 1 as rank
     from (select id from ${findView} where user_id = $1 and app.words(search) && array[app.fold($2)] limit ${maxUnsorted}) found order by id desc limit $3`,
    [owner, word, limit],
    { customPlan: true },
  )

/** Finds records by their full text, newest first. */
export async function findInFullText(
  { singular, findView, fullText }: RecordKind,
  owner: string,
  phrase: string,
  limit: number,
): Promise<Match[]> {
  if (!fullText) return []
  return sql<Match>(
    `select '${singular}' as kind, id, ${fullTextRank} as rank from ${findView} where user_id = $1 and ${toFullTextSql(fullText, '$2')} order by id desc limit $3`,
    [owner, phrase, limit],
    { customPlan: true },
  )
}

/**
 * Finds the newest records of each kind that contain one of the words with a typo and the other words exactly. It is one statement for all
 * kinds, because the time limit applies to a statement.
 */
export function findTypos(owner: string, kinds: readonly RecordKind[], words: readonly string[], limit: number): Promise<Match[]> {
  const values: unknown[] = [owner, limit]
  const bind: Bind = (value) => `$${values.push(value)}`
  const alternatives = words
    .filter(canHaveTypo)
    .map((wordWithTypo) => words.map((word) => (word === wordWithTypo ? containsTypo(word, bind) : containsWord(word, bind))).join(' and '))
  // `order by` is outside of the inner query: inside of it, the planner would read the newest records instead of the word index
  const queries = kinds.map(
    ({ singular, findView }) =>
      `(select '${singular}' as kind, id, 4 as rank
        from (select id from ${findView} where user_id = $1 and (${alternatives.join(' or ')}) limit ${maxUnsorted}) found order by id desc limit $2)`,
  )
  return sql<Match>(queries.join(' union all '), values, { customPlan: true })
}

/** Whether typos are searched in a word of this length. Short words have too many similar words, and long words too many misspellings. */
export const canHaveTypo = (word: string): boolean => word.length >= 5 && word.length <= 20

/**
 * Reads the hits of the matches, in their order, with the passages of those that were found by their full text. Leaves out records that
 * were deleted since the search.
 */
export async function readHits(owner: string, kinds: readonly RecordKind[], phrase: string, matches: readonly Match[]): Promise<Hit[]> {
  const groups = kinds
    .map((kind) => ({ kind, matches: matches.filter((match) => match.kind === kind.singular) }))
    .filter((group) => group.matches.length > 0)
  const [rows, passages] = await Promise.all([
    Promise.all(groups.map((group) => readHitsOf(group.kind, owner, toIds(group.matches)))),
    Promise.all(groups.map((group) => readPassagesOf(group.kind, owner, phrase, group.matches))),
  ])
  const passageById = new Map(passages.flatMap((each) => [...each]))
  const hitById = new Map(rows.flat().map((hit) => [hit.id, { ...hit, passage: passageById.get(hit.id) }]))
  return matches.flatMap(({ id }) => hitById.get(id) ?? [])
}

const toIds = (matches: readonly Match[]): string[] => matches.map(({ id }) => id)

async function readPassagesOf(
  { fullText }: RecordKind,
  owner: string,
  phrase: string,
  matches: readonly Match[],
): Promise<ReadonlyMap<string, Passage>> {
  const ids = toIds(matches.filter(({ rank }) => rank === fullTextRank))
  return fullText && ids.length > 0 ? fullText.readPassages(owner, ids, phrase) : new Map()
}

const readHitsOf = (
  { singular, table, searchResult: { title, detail, shownOn } }: RecordKind,
  owner: string,
  ids: string[],
): Promise<Hit[]> => {
  const pageRecord = shownOn ? `jsonb_build_object('kind', '${shownOn.to.singular}', 'id', c.${shownOn.field})` : 'null::jsonb'
  return sql<Hit>(
    `select '${singular}' as kind, c.id, ${title} as title, ${detail} as detail, ${pageRecord} as parent
     from ${table} c where c.user_id = $1 and c.id = any($2)`,
    [owner, ids],
  )
}

/** Returns an SQL condition: the record contains the word as typed or as `otherSpelling` spells it. */
function containsWord(word: string, bind: Bind): string {
  const like = (text: string): string => `search like ${toPatternSql(bind(text))}`
  const respelledWord = otherSpelling(word)
  return respelledWord === word ? like(word) : `(${like(word)} or ${like(respelledWord)})`
}

/** Returns an SQL condition: one of the record's words is a misspelling of the word with one typo. `&&` means that two arrays overlap. */
const containsTypo = (word: string, bind: Bind): string => `app.words(search) && (select app.misspellings(app.fold(${bind(word)})))`

/** Letters that are also written as two letters. */
const digraphs: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }

/**
 * Returns the word with umlauts as two letters (`ü` as `ue`). For a long number, such as a phone with its country code, returns the last
 * eight digits, because the stored number may lack the country code.
 */
function otherSpelling(word: string): string {
  if (/^\d{10,}$/.test(word)) return word.slice(-8)
  return word.replaceAll(/[äöüøå]/gi, (letter) => digraphs[letter.toLowerCase()] ?? letter)
}

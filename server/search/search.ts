// Search: one search over all kinds of records, for the command palette.
import { kindNames } from '#contract/kinds.ts'
import { searchRoutes, type Hit } from '#contract/search.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { errorCode } from '#server/platform/error-code.ts'
import type { Feature } from '#server/platform/feature/feature.ts'
import { mount } from '#server/platform/http/mount.ts'
import type { RecordKind } from '#server/platform/records/kind.ts'
import { searchWords } from '#server/platform/records/search.ts'
import { canHaveTypo, findBeginnings, findParts, findTypos, findWholeWord, readHits, type Match } from './store.ts'

export const searchFeature: Feature = {
  mount: (router, { database, kinds }) =>
    mount(router, searchRoutes, {
      search: async ({ caller, query }) => ({ hits: await searchRecords(database, caller, kinds, query) }),
    }),
}

type SearchRequest = { search: string; limit: number }

/** Returns the best matches, with equal ranks in the order of the kinds. Matches with a typo come last, up to the limit. */
export async function searchRecords(
  database: Database,
  caller: Caller,
  kinds: readonly RecordKind[],
  { search, limit }: SearchRequest,
): Promise<Hit[]> {
  const phrase = search.normalize('NFC')
  const exact = pickBest(await database.read(caller, () => findExact(caller.owner, kinds, phrase, limit)), limit)
  const withTypos = exact.length === limit ? [] : await findWithTypos(database, caller, kinds, phrase, limit)
  const known = new Set(exact.map(({ id }) => id))
  const others = withTypos.filter(({ id }) => !known.has(id))
  return database.read(caller, () => readHits(caller.owner, kinds, [...exact, ...pickBest(others, limit - exact.length)]))
}

/** The maximum number of long words in a search for typos. Each word has hundreds of misspellings. */
const maxTypoWords = 3
/** The time limit of the search for typos. It is exceeded while the indexes are slow after a large import; then such matches are left out. */
const typoTimeoutMs = 300

async function findWithTypos(
  database: Database,
  caller: Caller,
  kinds: readonly RecordKind[],
  phrase: string,
  limit: number,
): Promise<Match[]> {
  const words = wordsOf(phrase)
  const count = words.filter(canHaveTypo).length
  if (count === 0 || count > maxTypoWords) return []
  try {
    return await database.read({ ...caller, timeoutMs: typoTimeoutMs }, () => findTypos(caller.owner, kinds, words, limit))
  } catch (error) {
    if (errorCode(error) === statementTimeout) return []
    throw error
  }
}

const statementTimeout = '57014'

async function findExact(owner: string, kinds: readonly RecordKind[], phrase: string, limit: number): Promise<Match[]> {
  const words = searchWords(phrase)
  const found = await Promise.all(
    kinds.flatMap((kind) => [
      findBeginnings(kind, owner, phrase, limit),
      findParts(kind, owner, phrase, words, limit),
      ...(isShortName(phrase) ? [findWholeWord(kind, owner, phrase, limit)] : []),
    ]),
  )
  const best = new Map<string, Match>()
  for (const hit of found.flat()) if (hit.rank < (best.get(hit.id)?.rank ?? Infinity)) best.set(hit.id, hit)
  return [...best.values()]
}

/** Returns the best matches, in order. More than half are of one kind only if there are too few others. */
function pickBest(matches: readonly Match[], limit: number): Match[] {
  const half = Math.ceil(limit / 2)
  const taken = new Map<string, number>()
  const first: Match[] = []
  const rest: Match[] = []
  for (const hit of matches.toSorted(byRank)) {
    const count = taken.get(hit.kind) ?? 0
    taken.set(hit.kind, count + 1)
    ;(count < half ? first : rest).push(hit)
  }
  return [...first, ...rest].slice(0, limit).toSorted(byRank)
}

/** Sorts by rank, then by the order of the kinds, then newest first. */
const byRank = (a: Match, b: Match): number =>
  a.rank - b.rank || kindNames.indexOf(a.kind) - kindNames.indexOf(b.kind) || (a.id < b.id ? 1 : -1)

/** Splits a search for typos at punctuation: `o'brien` -> `o`, `brien`. Returns no words for a search without letters. */
function wordsOf(phrase: string): string[] {
  const words = [...new Set(phrase.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== ''))]
  return /\p{L}/u.test(phrase) && words.length <= 8 ? words : []
}

/** Whether the phrase has one or two characters of a script other than Latin, which may be a whole name. */
const isShortName = (phrase: string): boolean => phrase.length < 3 && /^\p{L}+$/u.test(phrase) && !/^\p{Script=Latin}+$/u.test(phrase)

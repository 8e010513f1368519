// Search: one search over all kinds of records, for the command palette.
import { kindNames } from '#contract/kinds.ts'
import { searchRoutes, type Hit } from '#contract/search.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { errorCode } from '#server/platform/error-code.ts'
import type { Feature } from '#server/platform/feature/feature.ts'
import { mount } from '#server/platform/http/mount.ts'
import type { RecordKind } from '#server/platform/records/kind.ts'
import { splitSearch } from '#server/platform/records/search.ts'
import { canHaveTypo, findBeginnings, findInFullText, findParts, findTypos, findWholeWord, readHits, type Match } from './store.ts'

export const searchFeature: Feature = {
  mount: (router, { database, kinds }) =>
    mount(router, searchRoutes, {
      search: async ({ caller, query: { kind, ...request } }) => {
        const searchedKinds = kind === undefined ? kinds : kinds.filter(({ singular }) => singular === kind)
        return { hits: await searchRecords(database, caller, searchedKinds, request) }
      },
    }),
}

type SearchRequest = { search: string; limit: number }

/** Returns the best matches, up to the limit. Matches of equal rank are in the order of the kinds; matches with a typo come last. */
export async function searchRecords(
  database: Database,
  caller: Caller,
  kinds: readonly RecordKind[],
  { search, limit }: SearchRequest,
): Promise<Hit[]> {
  const phrase = search.normalize('NFC')
  const exactMatches = pickBest(await database.read(caller, () => findExact(caller.owner, kinds, phrase, limit)), limit)
  const typoMatches = exactMatches.length === limit ? [] : await findWithTypos(database, caller, kinds, phrase, limit)
  const exactIds = new Set(exactMatches.map(({ id }) => id))
  const otherMatches = typoMatches.filter(({ id }) => !exactIds.has(id))
  return database.read(caller, () =>
    readHits(caller.owner, kinds, phrase, [...exactMatches, ...pickBest(otherMatches, limit - exactMatches.length)]),
  )
}

/** Typos are not searched if more words than this are long enough to have a typo, because each such word has hundreds of misspellings. */
const maxTypoWords = 3
/**
 * The time limit of the search for typos. After a large import the indexes are slow, and the search may exceed the limit; then only the
 * other matches are shown.
 */
const typoTimeoutMs = 300

async function findWithTypos(
  database: Database,
  caller: Caller,
  kinds: readonly RecordKind[],
  phrase: string,
  limit: number,
): Promise<Match[]> {
  const words = splitWords(phrase)
  const longWordCount = words.filter(canHaveTypo).length
  if (longWordCount === 0 || longWordCount > maxTypoWords) return []
  try {
    return await database.read({ ...caller, timeoutMs: typoTimeoutMs }, () => findTypos(caller.owner, kinds, words, limit))
  } catch (error) {
    if (errorCode(error) === statementTimeout) return []
    throw error
  }
}

/** PostgreSQL's error code for a statement that was cancelled by its timeout. */
const statementTimeout = '57014'

async function findExact(owner: string, kinds: readonly RecordKind[], phrase: string, limit: number): Promise<Match[]> {
  const alternatives = splitSearch(phrase)
  const matches = await Promise.all(
    kinds.flatMap((kind) => [
      findBeginnings(kind, owner, phrase, limit),
      ...alternatives.map((words) => findParts(kind, owner, phrase, words, limit)),
      findInFullText(kind, owner, phrase, limit),
      ...(isShortName(phrase) ? [findWholeWord(kind, owner, phrase, limit)] : []),
    ]),
  )
  const bestById = new Map<string, Match>()
  for (const match of matches.flat()) {
    const bestRank = bestById.get(match.id)?.rank ?? Infinity
    if (match.rank < bestRank) bestById.set(match.id, match)
  }
  return [...bestById.values()]
}

/** Returns the best matches, in order. At most half of them are of one kind, unless there are too few matches of other kinds. */
function pickBest(matches: readonly Match[], limit: number): Match[] {
  const half = Math.ceil(limit / 2)
  const countByKind = new Map<string, number>()
  const preferred: Match[] = []
  const surplus: Match[] = []
  for (const match of matches.toSorted(compareMatches)) {
    const count = countByKind.get(match.kind) ?? 0
    countByKind.set(match.kind, count + 1)
    if (count < half) preferred.push(match)
    else surplus.push(match)
  }
  return [...preferred, ...surplus].slice(0, limit).toSorted(compareMatches)
}

/** Sorts by rank, then by the order of the kinds, then newest first. */
const compareMatches = (a: Match, b: Match): number =>
  a.rank - b.rank || kindNames.indexOf(a.kind) - kindNames.indexOf(b.kind) || (a.id < b.id ? 1 : -1)

const maxWords = 8

/**
 * Splits a search at every character that is not a letter, accent or digit: `o'brien` becomes `o` and `brien`. Returns no words if typos
 * are not searched: for a search without letters or with more than eight words.
 */
function splitWords(phrase: string): string[] {
  const words = [...new Set(phrase.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== ''))]
  const hasLetters = /\p{L}/u.test(phrase)
  return hasLetters && words.length <= maxWords ? words : []
}

/**
 * Whether the search is one or two letters of a writing system other than Latin. In Chinese, for example, one or two letters can be a whole
 * name.
 */
const isShortName = (phrase: string): boolean => phrase.length < 3 && /^\p{L}+$/u.test(phrase) && !/^\p{Script=Latin}+$/u.test(phrase)

// Search: what the palette finds in all kinds of records at once.
import { kindNames } from '#contract/kinds.ts'
import { searchRoutes, type Hit } from '#contract/search.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { errorCode } from '#server/platform/error-code.ts'
import type { Feature } from '#server/platform/feature.ts'
import { mount } from '#server/platform/http/mount.ts'
import type { RecordKind } from '#server/platform/records/kind.ts'
import { searchWords } from '#server/platform/records/search.ts'
import { bearsTypo, findBeginnings, findParts, findTypos, findWholeWord, readHits, type Found } from './store.ts'

export const searchFeature: Feature = {
  mount: (router, { database, kinds }) =>
    mount(router, searchRoutes, {
      search: async ({ caller, query }) => ({ hits: await searchRecords(database, caller, kinds, query) }),
    }),
}

type Asked = { search: string; limit: number }

/** The records that fit best, equally good ones in the order of the kinds. Those with a typo come behind all others, where these leave room. */
export async function searchRecords(
  database: Database,
  caller: Caller,
  kinds: readonly RecordKind[],
  { search, limit }: Asked,
): Promise<Hit[]> {
  const phrase = search.normalize('NFC')
  const exact = choose(await database.read(caller, () => findExact(caller.owner, kinds, phrase, limit)), limit)
  const guessed = exact.length === limit ? [] : await guess(database, caller, kinds, phrase, limit)
  const known = new Set(exact.map(({ id }) => id))
  const others = guessed.filter(({ id }) => !known.has(id))
  return database.read(caller, () => readHits(caller.owner, kinds, [...exact, ...choose(others, limit - exact.length)]))
}

/** A word has hundreds of spellings, and each is looked for: more words are not guessed at. */
const mostGuessed = 3
/** After a large import the indexes answer slowly for a while. Then there are no guesses. */
const guessingMs = 300

async function guess(database: Database, caller: Caller, kinds: readonly RecordKind[], phrase: string, limit: number): Promise<Found[]> {
  const words = spelledWords(phrase)
  const count = words.filter(bearsTypo).length
  if (count === 0 || count > mostGuessed) return []
  try {
    return await database.read({ ...caller, timeoutMs: guessingMs }, () => findTypos(caller.owner, kinds, words, limit))
  } catch (error) {
    if (errorCode(error) === tookTooLong) return []
    throw error
  }
}

/** How PostgreSQL says so. */
const tookTooLong = '57014'

async function findExact(owner: string, kinds: readonly RecordKind[], phrase: string, limit: number): Promise<Found[]> {
  const words = searchWords(phrase)
  const found = await Promise.all(
    kinds.flatMap((kind) => [
      findBeginnings(kind, owner, phrase, limit),
      findParts(kind, owner, phrase, words, limit),
      ...(isShortName(phrase) ? [findWholeWord(kind, owner, phrase, limit)] : []),
    ]),
  )
  const best = new Map<string, Found>()
  for (const hit of found.flat()) if (hit.rank < (best.get(hit.id)?.rank ?? Infinity)) best.set(hit.id, hit)
  return [...best.values()]
}

/** The best, in order. One kind takes more than half of the room only where the others leave it. */
function choose(found: readonly Found[], room: number): Found[] {
  const half = Math.ceil(room / 2)
  const taken = new Map<string, number>()
  const first: Found[] = []
  const rest: Found[] = []
  for (const hit of found.toSorted(byFit)) {
    const count = taken.get(hit.kind) ?? 0
    taken.set(hit.kind, count + 1)
    ;(count < half ? first : rest).push(hit)
  }
  return [...first, ...rest].slice(0, room).toSorted(byFit)
}

/** The better fit, then the order of the kinds, then the newest. */
const byFit = (a: Found, b: Found): number =>
  a.rank - b.rank || kindNames.indexOf(a.kind) - kindNames.indexOf(b.kind) || (a.id < b.id ? 1 : -1)

/** The words without what stands between letters: `o'brien` -> `o`, `brien`. Numbers bear no typo, and nobody mistypes a whole letter. */
function spelledWords(phrase: string): string[] {
  const words = [...new Set(phrase.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== ''))]
  return /\p{L}/u.test(phrase) && words.length <= 8 ? words : []
}

/** One or two letters that are no Latin ones may be a whole name. */
const isShortName = (phrase: string): boolean => phrase.length < 3 && /^\p{L}+$/u.test(phrase) && !/^\p{Script=Latin}+$/u.test(phrase)

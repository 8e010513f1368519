import type { Action } from '#web/lib/actions.ts'
import { rankOf, wordsOf } from '#web/lib/matching.ts'

/** A line of the palette that does something or leads somewhere. */
export type CommandEntry = { id: string; label: string; action: Action; run: () => void; to: string | undefined }

export type Commands = {
  deeds: CommandEntry[]
  places: CommandEntry[]
  /** A name begins with what was typed: commands come before any record. */
  begins: boolean
  /** A place answers better than any deed. */
  placesFirst: boolean
}

/** Builds an address with what was typed in its search. */
type Address = (to: string, search: Record<string, string>) => string
type Ranked = { action: Action; rank: number }
type Reach = { address: Address; go: (to: string) => void }

/** Fewer letters begin too many names. */
const lettersOfCommand = 3

/**
 * What can be done with what was typed: actions and places whose names answer it. Where none does, it is taken along:
 * "Add contact “quill”", "Contacts, filtered by “quill”".
 */
export function commandsFor(actions: readonly Action[], typed: string, reach: Reach): Commands {
  const offered = [...onceEach(actions)]
  const words = wordsOf(typed)
  const named = words.length === 0 ? offered.map((action) => ({ action, rank: 0 })) : best(offered, words)
  const deeds = named.filter(({ action }) => !action.isPage)
  const places = named.filter(({ action }) => action.isPage)
  const taking = words.length === 0 ? [] : offered.filter(({ searchParam }) => searchParam !== undefined)
  const withTyped = taking.map((action) => takingTyped(action, typed, reach))
  const begins = typed.trim().length >= lettersOfCommand && named.some(({ rank }) => rank < 2)
  return {
    deeds: named.length > 0 ? plain(deeds) : withTyped.filter(({ action }) => !action.isPage),
    places: [...plain(places), ...(begins ? [] : withTyped.filter(({ action }) => action.isPage))],
    begins,
    placesFirst: words.length > 0 && bestRank(places) < bestRank(deeds),
  }
}

/** A page may say more of an action that is there everywhere: then its word counts. */
function onceEach(actions: readonly Action[]): Iterable<Action> {
  const byLabel = new Map<string, Action>()
  for (const action of actions) byLabel.set(action.label, { ...byLabel.get(action.label), ...action })
  return byLabel.values()
}

function best(offered: readonly Action[], words: readonly string[]): Ranked[] {
  const ranked = offered.flatMap((action) => {
    const rank = rankOf(action.label, words) ?? (action.keywords === undefined ? undefined : rankOf(action.keywords, words))
    return rank === undefined ? [] : [{ action, rank }]
  })
  return ranked.toSorted((one, other) => one.rank - other.rank)
}

const bestRank = ([first]: readonly Ranked[]): number => first?.rank ?? Infinity

const plain = (ranked: readonly Ranked[]): CommandEntry[] =>
  ranked.map(({ action }) => ({ id: `do ${action.label}`, label: action.label, action, run: action.run, to: action.to }))

function takingTyped(action: Action, typed: string, { address, go }: Reach): CommandEntry {
  const to = address(action.to ?? '', { [action.searchParam ?? '']: typed.trim() })
  const label = action.isPage ? `${action.label}, filtered by “${typed.trim()}”` : `${action.label} “${typed.trim()}”`
  return { id: `with ${action.label}`, label, action, run: () => go(to), to }
}

import type { Action } from '#web/lib/actions.ts'
import { rankOf, wordsOf } from '#web/lib/matching.ts'

/** An entry of the palette that runs an action. `to` is the address that the action opens, if any. */
export type CommandEntry = { id: string; label: string; action: Action; run: () => void; to: string | undefined }

export type Commands = {
  actions: CommandEntry[]
  /** Entries that open a page. */
  pages: CommandEntry[]
  /** True when a label or a word in it begins with the typed text. Then commands are listed before records. */
  beforeRecords: boolean
  /** True when the best page has a better rank than the best action. */
  pagesFirst: boolean
}

type Navigation = {
  /** Builds an address with query parameters. */
  addressOf: (to: string, search: Record<string, string>) => string
  go: (to: string) => void
}
type Ranked = { action: Action; rank: number }

/** For shorter texts records are listed first, because too many labels match. */
const minCommandLetters = 3

/**
 * Returns the commands for a typed text: the actions with a matching label, or all actions when the text is empty. Adds pages with the
 * text as their search ("Contacts, filtered by “quill”") unless `beforeRecords`, and "Add contact “quill”" when no label matches.
 */
export function commandsFor(available: readonly Action[], typed: string, navigation: Navigation): Commands {
  const distinct = [...byLabel(available)]
  const words = wordsOf(typed)
  const matching = words.length === 0 ? distinct.map((action) => ({ action, rank: 0 })) : matchesOf(distinct, words)
  const actions = matching.filter(({ action }) => !action.isPage)
  const pages = matching.filter(({ action }) => action.isPage)
  const acceptingText = words.length === 0 ? [] : distinct.filter(({ searchParam }) => searchParam !== undefined)
  const withText = acceptingText.map((action) => entryWithText(action, typed.trim(), navigation))
  const beforeRecords = typed.trim().length >= minCommandLetters && matching.some(({ rank }) => rank < 2)
  return {
    actions: matching.length > 0 ? entriesOf(actions) : withText.filter(({ action }) => !action.isPage),
    pages: [...entriesOf(pages), ...(beforeRecords ? [] : withText.filter(({ action }) => action.isPage))],
    beforeRecords,
    pagesFirst: words.length > 0 && bestRank(pages) < bestRank(actions),
  }
}

/** Merges actions with the same label. The fields of the newest registration have priority. */
function byLabel(actions: readonly Action[]): Iterable<Action> {
  const found = new Map<string, Action>()
  for (const action of actions) found.set(action.label, { ...found.get(action.label), ...action })
  return found.values()
}

function matchesOf(actions: readonly Action[], words: readonly string[]): Ranked[] {
  const ranked = actions.flatMap((action) => {
    const rank = rankOf(action.label, words) ?? (action.keywords === undefined ? undefined : rankOf(action.keywords, words))
    return rank === undefined ? [] : [{ action, rank }]
  })
  return ranked.toSorted((one, other) => one.rank - other.rank)
}

const bestRank = ([first]: readonly Ranked[]): number => first?.rank ?? Infinity

const entriesOf = (ranked: readonly Ranked[]): CommandEntry[] =>
  ranked.map(({ action }) => ({ id: `run ${action.label}`, label: action.label, action, run: action.run, to: action.to }))

function entryWithText(action: Action, text: string, { addressOf, go }: Navigation): CommandEntry {
  const to = addressOf(action.to ?? '', { [action.searchParam ?? '']: text })
  const label = action.isPage ? `${action.label}, filtered by “${text}”` : `${action.label} “${text}”`
  return { id: `with text ${action.label}`, label, action, run: () => go(to), to }
}

import type { Action } from '#web/lib/actions.ts'
import { rankMatch, splitIntoWords } from '#web/lib/matching.ts'

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
type RankedAction = { action: Action; rank: number }

/** For shorter texts records are listed first, because too many labels match. */
const minCommandLetters = 3

/**
 * Returns the commands for a typed text: the actions with a matching label, or all actions when the text is empty. Adds pages with the
 * text as their search ("Contacts, filtered by “quill”") unless `beforeRecords`, and "Add contact “quill”" when no label matches.
 */
export function findCommands(availableActions: readonly Action[], typed: string, navigation: Navigation): Commands {
  const uniqueActions = [...mergeByLabel(availableActions)]
  const words = splitIntoWords(typed)
  const matching = words.length === 0 ? uniqueActions.map((action) => ({ action, rank: 0 })) : rankActions(uniqueActions, words)
  const actions = matching.filter(({ action }) => !action.isPage)
  const pages = matching.filter(({ action }) => action.isPage)
  const acceptingText = words.length === 0 ? [] : uniqueActions.filter(({ searchParam }) => searchParam !== undefined)
  const withText = acceptingText.map((action) => entryWithText(action, typed.trim(), navigation))
  const beforeRecords = typed.trim().length >= minCommandLetters && matching.some(({ rank }) => rank < 2)
  return {
    actions: matching.length > 0 ? toEntries(actions) : withText.filter(({ action }) => !action.isPage),
    pages: [...toEntries(pages), ...(beforeRecords ? [] : withText.filter(({ action }) => action.isPage))],
    beforeRecords,
    pagesFirst: words.length > 0 && bestRank(pages) < bestRank(actions),
  }
}

/** Merges actions with the same label. The fields of the newest registration have priority. */
function mergeByLabel(actions: readonly Action[]): Iterable<Action> {
  const merged = new Map<string, Action>()
  for (const action of actions) merged.set(action.label, { ...merged.get(action.label), ...action })
  return merged.values()
}

function rankActions(actions: readonly Action[], words: readonly string[]): RankedAction[] {
  const ranked = actions.flatMap((action) => {
    const rank = rankMatch(action.label, words) ?? (action.keywords === undefined ? undefined : rankMatch(action.keywords, words))
    return rank === undefined ? [] : [{ action, rank }]
  })
  return ranked.toSorted((one, other) => one.rank - other.rank)
}

const bestRank = ([first]: readonly RankedAction[]): number => first?.rank ?? Infinity

const toEntries = (ranked: readonly RankedAction[]): CommandEntry[] =>
  ranked.map(({ action }) => ({ id: `run ${action.label}`, label: action.label, action, run: action.run, to: action.to }))

function entryWithText(action: Action, text: string, { addressOf, go }: Navigation): CommandEntry {
  const to = addressOf(action.to ?? '', { [action.searchParam ?? '']: text })
  const label = action.isPage ? `${action.label}, filtered by “${text}”` : `${action.label} “${text}”`
  return { id: `with text ${action.label}`, label, action, run: () => go(to), to }
}

import type { Action } from '#web/lib/actions.ts'
import { rankMatch, splitIntoWords } from './matching.ts'

/** An entry of the palette that runs an action. `address` is the address that the action opens, if any. */
type CommandEntry = { id: string; label: string; action: Action; run: () => void; address: string | undefined }

export type Commands = {
  actions: CommandEntry[]
  /** Entries that open a page. */
  pages: CommandEntry[]
  /**
   * True when the typed text has at least `minCommandLetters` letters and is the beginning of a label or keyword, or of a word in it. Then
   * the palette lists commands before records.
   */
  areCommandsFirst: boolean
  /** True when the best page has a better rank than the best action. Then the palette lists pages before actions. */
  arePagesFirst: boolean
}

type Navigation = {
  /** Adds query parameters to a path. */
  buildAddress: (path: string, parameters: Record<string, string>) => string
  go: (address: string) => void
}
type RankedAction = { action: Action; rank: number }

/** If the typed text has fewer letters, records are listed before commands, because one or two letters occur in too many labels. */
const minCommandLetters = 3

/**
 * Returns the commands (actions and pages) for a typed text.
 * - When the text is empty, returns all commands; otherwise those whose label or keywords match the text. If several match equally well,
 *   those that were run lately (`recentLabels`) are first.
 * - Unless commands are listed before records, adds pages that search for the text: "Contacts, filtered by “quill”".
 * - If nothing matches, returns actions that use the text: "Add contact “quill”".
 * - Adds the actions that run with any text: "Ask the assistant “quill”".
 */
export function findCommands(
  availableActions: readonly Action[],
  typedText: string,
  recentLabels: readonly string[],
  navigation: Navigation,
): Commands {
  const text = typedText.trim()
  const words = splitIntoWords(text)
  const uniqueActions = sortByUse(mergeByLabel(availableActions), recentLabels)
  const rankedActions = words.length === 0 ? uniqueActions.map((action) => ({ action, rank: 0 })) : rankActions(uniqueActions, words)
  const actions = rankedActions.filter(({ action }) => !action.isPage)
  const pages = rankedActions.filter(({ action }) => action.isPage)
  const actionsWithText = words.length === 0 ? [] : uniqueActions.filter(({ paletteTextParameter }) => paletteTextParameter !== undefined)
  const entriesWithText = actionsWithText.map((action) => toEntryWithText(action, text, navigation))
  // a rank below 2 means that a label or keyword, or a word in it, begins with the typed text
  const areCommandsFirst = text.length >= minCommandLetters && rankedActions.some(({ rank }) => rank < 2)
  const pageEntriesWithText = areCommandsFirst ? [] : entriesWithText.filter(({ action }) => action.isPage)
  return {
    actions: [
      ...(rankedActions.length > 0 ? toEntries(actions) : entriesWithText.filter(({ action }) => !action.isPage)),
      ...(words.length > 0 ? uniqueActions.flatMap((action) => toEntryThatRunsWithText(action, text)) : []),
    ],
    pages: [...toEntries(pages), ...pageEntriesWithText],
    areCommandsFirst,
    arePagesFirst: words.length > 0 && getBestRank(pages) < getBestRank(actions),
  }
}

/** Merges actions with the same label. The fields of the newest registration have priority. */
function mergeByLabel(actions: readonly Action[]): Action[] {
  const actionsByLabel = new Map<string, Action>()
  for (const action of actions) actionsByLabel.set(action.label, { ...actionsByLabel.get(action.label), ...action })
  return [...actionsByLabel.values()]
}

/**
 * Sorts the actions that were run lately before the others. The others have the position Infinity. Positions are compared and not
 * subtracted, because Infinity - Infinity is not a number.
 */
function sortByUse(actions: readonly Action[], recentLabels: readonly string[]): Action[] {
  const getPosition = ({ label }: Action): number => (recentLabels.includes(label) ? recentLabels.indexOf(label) : Infinity)
  const isEarlier = (one: Action, other: Action): boolean => getPosition(one) < getPosition(other)
  return actions.toSorted((one, other) => Number(isEarlier(other, one)) - Number(isEarlier(one, other)))
}

/** Returns the actions whose label or keywords match the words, best match first. */
function rankActions(actions: readonly Action[], words: readonly string[]): RankedAction[] {
  const matches = actions.flatMap((action) => {
    const keywordRank = action.keywords === undefined ? undefined : rankMatch(action.keywords, words)
    const rank = rankMatch(action.label, words) ?? keywordRank
    return rank === undefined ? [] : [{ action, rank }]
  })
  return matches.toSorted((one, other) => one.rank - other.rank)
}

const getBestRank = ([first]: readonly RankedAction[]): number => first?.rank ?? Infinity

const toEntries = (rankedActions: readonly RankedAction[]): CommandEntry[] =>
  rankedActions.map(({ action }) => ({ id: `run ${action.label}`, label: action.label, action, run: action.run, address: action.address }))

/** Converts an action that accepts a text to an entry: "Add contact “quill”". */
function toEntryWithText(action: Action, text: string, { buildAddress, go }: Navigation): CommandEntry {
  const address = buildAddress(action.address ?? '', { [action.paletteTextParameter ?? '']: text })
  const label = action.isPage ? `${action.label}, filtered by “${text}”` : `${action.label} “${text}”`
  return { id: `with text ${action.label}`, label, action, run: () => go(address), address }
}

/** Converts an action that runs with any text to an entry: "Ask the assistant “quill”". */
const toEntryThatRunsWithText = (action: Action, text: string): CommandEntry[] =>
  action.runWithText
    ? [
        {
          id: `with text ${action.label}`,
          label: `${action.label} “${text}”`,
          action,
          run: () => action.runWithText?.(text),
          address: undefined,
        },
      ]
    : []

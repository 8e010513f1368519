import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { searchRoutes, type Hit } from '#contract/search.ts'
import { actions as registeredActions, type Action } from '#web/lib/actions.ts'
import { call } from '#web/lib/client.ts'
import { findKindDisplay } from '#web/lib/features.ts'
import { everyTable } from '#web/lib/queries.ts'
import { useStore } from '#web/lib/store.ts'
import { readRecentRecords } from '#web/lib/recentRecords.ts'
import { findCommands, type Commands } from './commands.ts'
import { splitIntoWords } from './matching.ts'
import { readPageButtons } from './pageButtons.ts'
import { readRecentCommands } from './recentCommands.ts'

/** An entry of the palette: a record that was found (`hit`), or an action. */
export type Entry = { id: string; run: () => void; address: string | undefined } & ({ hit: Hit } | { label: string; action: Action })
export type Group = { label: string; entries: Entry[] }

/** The time without typing after which the search is sent. */
const debounceMs = 90
const maxHits = 8
/** The shortcut of the action that opens the palette. The palette does not list this action. */
const openPaletteKeys = 'mod+k'

/** Returns the text that is typed into the command palette, and the groups of entries that match the text. */
export function usePalette() {
  const [typedText, setTypedText] = useState('')
  const router = useRouter()
  const searchText = typedText.trim()
  const isEmpty = searchText === ''
  const [debouncedText] = useDebouncedValue(searchText, debounceMs)
  const hits = useQuery(hitsQuery(isEmpty ? '' : debouncedText))
  const go = (address: string): void => void router.navigate({ href: address })
  const buildAddress = (path: string, parameters: Record<string, string>): string => path + router.options.stringifySearch(parameters)
  const [pageButtons] = useState(readPageButtons)
  const [recentLabels] = useState(readRecentCommands)
  const screenActions = useStore(registeredActions).filter(({ keys }) => keys !== openPaletteKeys)
  const availableActions = [...pageButtons, ...screenActions] // an action replaces a button of the same name
  const commands = findCommands(availableActions, typedText, recentLabels, { buildAddress, go })
  const toEntry = (hit: Hit): Entry => {
    // a file that was found by its text opens at the text
    const address = (hit.passage && findKindDisplay(hit.kind)?.addressOfText?.(hit.id, searchText)) ?? getHitAddress(hit)
    return { id: `${hit.kind} ${hit.id}`, hit, address, run: () => address && go(address) }
  }
  const openableHits = (hits.data?.hits ?? []).filter((hit) => getHitAddress(hit) !== undefined)
  const recentVisits = readRecentRecords().filter((visit) => getHitAddress(visit) !== router.state.location.pathname)
  const records = isEmpty
    ? { label: 'Recent', entries: recentVisits.map(toEntry) }
    : { label: 'Records', entries: openableHits.map(toEntry) }
  const commandGroups = isEmpty ? groupAllCommands(commands) : groupMatchingCommands(commands)
  const groups: Group[] = commands.areCommandsFirst ? [...commandGroups, records] : [records, ...commandGroups]
  return {
    typedText,
    setTypedText,
    /** The typed words, which are highlighted in the entries. */
    words: splitIntoWords(typedText),
    groups: groups.filter(({ entries }) => entries.length > 0),
    /** True when no result of the search can replace the first entry any more. */
    isFirstEntrySettled: isEmpty || commands.areCommandsFirst,
    isSearching: !isEmpty && (searchText !== debouncedText || hits.isFetching),
    error: isEmpty ? null : hits.error,
    noRecordFound: !isEmpty && hits.isSuccess && !hits.isPlaceholderData && records.entries.length === 0,
  }
}

/** The query of the records that match a text. The previous hits are shown until the new hits arrive. */
const hitsQuery = (text: string) =>
  queryOptions({
    queryKey: ['search', text],
    meta: { tables: [everyTable] }, // a change in any table repeats the search
    queryFn: ({ signal }) => call(searchRoutes.search, { query: { search: text, limit: maxHits } }, { signal }),
    enabled: text !== '',
    placeholderData: keepPreviousData,
    retry: false,
  })

const getHitAddress = (hit: Hit): string | undefined => findKindDisplay(hit.kind)?.addressOf(hit)

function groupMatchingCommands({ actions, pages, arePagesFirst }: Commands): Group[] {
  const actionGroup = { label: 'Actions', entries: actions }
  const pageGroup = { label: 'Go to', entries: pages }
  return arePagesFirst ? [pageGroup, actionGroup] : [actionGroup, pageGroup]
}

/** Groups the commands while no text is typed. The actions of the current page are the last group. */
const groupAllCommands = ({ actions, pages }: Commands): Group[] => [
  { label: 'Actions', entries: actions.filter(({ action }) => action.group !== undefined) },
  { label: 'Go to', entries: pages },
  { label: 'On this page', entries: actions.filter(({ action }) => action.group === undefined) },
]

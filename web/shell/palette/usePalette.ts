import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { searchRoutes, type Hit } from '#contract/search.ts'
import { actions as registeredActions, type Action } from '#web/lib/actions.ts'
import { call } from '#web/lib/client.ts'
import { findKindByName } from '#web/lib/features.ts'
import { splitIntoWords } from '#web/lib/matching.ts'
import { everyTable } from '#web/lib/queries.ts'
import { useStore } from '#web/lib/store.ts'
import { readVisits } from '#web/lib/visits.ts'
import { findCommands, type CommandEntry } from './commands.ts'

export type Entry = { id: string; run: () => void; to: string | undefined } & ({ hit: Hit } | { label: string; action: Action })
export type Group = { label: string; entries: Entry[] }

const debounceMs = 90
const maxHits = 8
/** The shortcut of the action that opens the palette. The palette does not list this action. */
const openPaletteKeys = 'mod+k'

/** Returns the typed text and the groups of entries for it. */
export function usePalette() {
  const [typed, setTyped] = useState('')
  const router = useRouter()
  const search = typed.trim()
  const isEmpty = search === ''
  const [debounced] = useDebouncedValue(search, debounceMs)
  const hits = useQuery(hitsQuery(isEmpty ? '' : debounced))
  const go = (to: string): void => void router.navigate({ href: to })
  const addressOf = (to: string, query: Record<string, string>): string => to + router.options.stringifySearch(query)
  const availableActions = useStore(registeredActions).filter(({ keys }) => keys !== openPaletteKeys)
  const { actions, pages, beforeRecords, pagesFirst } = findCommands(availableActions, typed, { addressOf, go })
  const toEntry = (hit: Hit): Entry => {
    const to = getHitAddress(hit)
    return { id: `${hit.kind} ${hit.id}`, hit, to, run: () => to && go(to) }
  }
  const recentVisits = readVisits().filter((visit) => getHitAddress(visit) !== router.state.location.pathname)
  const records = isEmpty
    ? { label: 'Recent', entries: recentVisits.map(toEntry) }
    : { label: 'Records', entries: (hits.data?.hits ?? []).map(toEntry) }
  const matches = [
    { label: 'Actions', entries: actions },
    { label: 'Go to', entries: pages },
  ]
  const commands = isEmpty ? groupCommandsWithoutText(actions, pages) : pagesFirst ? matches.toReversed() : matches
  const groups: Group[] = beforeRecords ? [...commands, records] : [records, ...commands]
  return {
    typed,
    setTyped,
    /** The typed words, for highlighting. */
    words: splitIntoWords(typed),
    groups: groups.filter(({ entries }) => entries.length > 0),
    /** True when the first entry cannot change after the search has finished. */
    isFirstFinal: isEmpty || beforeRecords,
    isSearching: !isEmpty && (search !== debounced || hits.isFetching),
    error: isEmpty ? null : hits.error,
    noRecordFound: !isEmpty && hits.isSuccess && !hits.isPlaceholderData && records.entries.length === 0,
  }
}

/** The query of the records that match a text. The previous hits are shown until the new hits arrive. */
const hitsQuery = (text: string) =>
  queryOptions({
    queryKey: ['search', text],
    meta: { tables: [everyTable] },
    queryFn: ({ signal }) => call(searchRoutes.search, { query: { search: text, limit: maxHits } }, { signal }),
    enabled: text !== '',
    placeholderData: keepPreviousData,
    retry: false,
  })

const getHitAddress = (hit: Hit): string | undefined => findKindByName(hit.kind)?.addressOf(hit)

/** Groups the commands of an empty search, the actions of the current page last. */
const groupCommandsWithoutText = (actions: CommandEntry[], pages: CommandEntry[]): Group[] => [
  { label: 'Actions', entries: actions.filter(({ action }) => action.group !== undefined) },
  { label: 'Go to', entries: pages },
  { label: 'On this page', entries: actions.filter(({ action }) => action.group === undefined) },
]

import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import type { Hit } from '#contract/search.ts'
import { actions, type Action } from '#web/lib/actions.ts'
import { kindByName } from '#web/lib/features.ts'
import { wordsOf } from '#web/lib/matching.ts'
import { useStore } from '#web/lib/store.ts'
import { visits } from '#web/lib/visits.ts'
import { commandsFor, type CommandEntry } from './entries.ts'
import { hitsQuery } from './hits.ts'

export type Entry = { id: string; run: () => void; to: string | undefined } & ({ hit: Hit } | { label: string; action: Action })
export type Group = { label: string; entries: Entry[] }

const pauseMs = 90
/** What opens the palette is no use inside of it. */
const itself = 'mod+k'

/** What the palette shows for what is typed, in groups, and whether it is still looking. */
export function usePalette() {
  const [typed, setTyped] = useState('')
  const router = useRouter()
  const search = typed.trim()
  const [asked] = useDebouncedValue(search, pauseMs)
  const found = useQuery(hitsQuery(search === '' ? '' : asked))
  const go = (to: string): void => void router.navigate({ href: to })
  const address = (to: string, query: Record<string, string>): string => to + router.options.stringifySearch(query)
  const offered = useStore(actions).filter(({ keys }) => keys !== itself)
  const { deeds, places, begins, placesFirst } = commandsFor(offered, typed, { address, go })
  const entryOf = (hit: Hit): Entry => {
    const to = addressOf(hit)
    return { id: `${hit.kind} ${hit.id}`, hit, to, run: () => to && go(to) }
  }
  const records = {
    label: search === '' ? 'Recent' : 'Records',
    entries: (search === ''
      ? visits().filter((visit) => addressOf(visit) !== router.state.location.pathname)
      : (found.data?.hits ?? [])
    ).map(entryOf),
  }
  const answers = [
    { label: 'Actions', entries: deeds },
    { label: 'Go to', entries: places },
  ]
  const commands = search === '' ? whileEmpty(deeds, places) : placesFirst ? answers.toReversed() : answers
  const groups: Group[] = begins ? [...commands, records] : [records, ...commands]
  return {
    typed,
    type: setTyped,
    words: wordsOf(typed),
    groups: groups.filter(({ entries }) => entries.length > 0),
    /** The first line stays the first, whatever the search finds. */
    firstIsSure: search === '' || begins,
    looking: search !== '' && (search !== asked || found.isFetching),
    failure: search === '' ? null : found.error,
    noRecord: search !== '' && found.isSuccess && !found.isPlaceholderData && records.entries.length === 0,
  }
}

const addressOf = (hit: Hit): string | undefined => kindByName(hit.kind)?.addressOf(hit)

const whileEmpty = (deeds: CommandEntry[], places: CommandEntry[]): Group[] => [
  { label: 'Actions', entries: deeds.filter(({ action }) => action.group !== undefined) },
  { label: 'Go to', entries: places },
  { label: 'On this page', entries: deeds.filter(({ action }) => action.group === undefined) },
]

import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { recordKinds, type KindName } from '#contract/kinds.ts'
import { findKindByName, type LinkSource } from '#web/lib/features.ts'
import { recordKeys } from '#web/records/kind/queries.ts'

const pauseMs = 200

/** The title and the detail of a linked record. */
export const linkedRecord = (kind: KindName, id: string) =>
  queryOptions({
    queryKey: recordKeys(recordKinds[kind].table).title(id),
    meta: { tables: [recordKinds[kind].table] },
    queryFn: async ({ signal }) => (await sourceOf(kind)).get(id, signal),
  })

/**
 * Finds records of a kind by a text, debounced by 200 ms. The previous result stays until then; `search` is the text that it matches.
 */
export function useLinkChoices(kind: KindName, text: string, enabled = true) {
  const [search] = useDebouncedValue(text, pauseMs)
  const { table } = recordKinds[kind]
  const result = useQuery({
    queryKey: recordKeys(table).choices(search),
    meta: { tables: [table] },
    queryFn: async ({ signal }) => (await sourceOf(kind)).search(search, signal),
    enabled,
    placeholderData: keepPreviousData,
  })
  return { result, search }
}

async function sourceOf(kind: KindName): Promise<LinkSource> {
  const source = await findKindByName(kind)?.linkSource?.()
  if (!source) throw new Error(`Nothing can link to a ${kind}`)
  return source
}

/** Returns a function that renders the title of a record by its id. */
export const titleById = (kind: KindName) => (id: string) => <LinkedTitle kind={kind} id={id} />

function LinkedTitle({ kind, id }: { kind: KindName; id: string }) {
  const { data } = useQuery(linkedRecord(kind, id))
  return data?.title ?? `Another ${kind}`
}

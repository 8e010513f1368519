import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { recordKinds, type KindName } from '#contract/kinds.ts'
import { kindByName, type LinkSource } from '#web/lib/features.ts'
import { recordKeys } from '#web/records/kind/queries.ts'

const pauseMs = 200

/** One record to link to, by its id. */
export const linkedRecord = (kind: KindName, id: string) =>
  queryOptions({
    queryKey: recordKeys(recordKinds[kind].table).title(id),
    meta: { tables: [recordKinds[kind].table] },
    queryFn: async ({ signal }) => (await sourceOf(kind)).get(id, signal),
  })

/**
 * The records of a kind that match a text, once the typing pauses. The last ones stay until then; `search` is the text that they match.
 */
export function useLinkChoices(kind: KindName, text: string, enabled = true) {
  const [search] = useDebouncedValue(text, pauseMs)
  const { table } = recordKinds[kind]
  const found = useQuery({
    queryKey: recordKeys(table).choices(search),
    meta: { tables: [table] },
    queryFn: async ({ signal }) => (await sourceOf(kind)).search(search, signal),
    enabled,
    placeholderData: keepPreviousData,
  })
  return { found, search }
}

async function sourceOf(kind: KindName): Promise<LinkSource> {
  const source = await kindByName(kind)?.linkSource?.()
  if (!source) throw new Error(`Nothing can link to a ${kind}`)
  return source
}

/** Shows the title of a record of a kind by its id. */
export const titleById = (kind: KindName) => (id: string) => <LinkedTitle kind={kind} id={id} />

function LinkedTitle({ kind, id }: { kind: KindName; id: string }) {
  const { data } = useQuery(linkedRecord(kind, id))
  return data?.title ?? `Another ${kind}`
}

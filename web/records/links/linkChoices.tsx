import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { recordKinds, type KindName } from '#contract/kinds.ts'
import { findKindDisplay, type LinkSource } from '#web/lib/features.ts'
import { recordKeys } from '#web/records/kind/queries.ts'

const debounceMs = 200

/** Loads the title and the detail of a linked record. */
export const linkedRecordQuery = (kind: KindName, id: string) =>
  queryOptions({
    queryKey: recordKeys(recordKinds[kind].table).title(id),
    meta: { tables: [recordKinds[kind].table] }, // a change in this table refetches the query
    queryFn: async ({ signal }) => (await sourceOf(kind)).get(id, signal),
  })

/**
 * Finds the records of a kind that match a text, 200 ms after the last change of the text. Until the new result is loaded, `result` is the
 * result for the previous text. `requestedText` is the text of the newest request.
 */
export function useLinkChoices(kind: KindName, text: string, enabled = true) {
  const [requestedText] = useDebouncedValue(text, debounceMs)
  const { table } = recordKinds[kind]
  const result = useQuery({
    queryKey: recordKeys(table).choices(requestedText),
    meta: { tables: [table] },
    queryFn: async ({ signal }) => (await sourceOf(kind)).search(requestedText, signal),
    enabled,
    placeholderData: keepPreviousData,
  })
  return { result, requestedText }
}

/**
 * Returns the records whose title is exactly `title`, and `byTitle`, which can add a record with this title. If the records of a kind
 * cannot be added in a link field, `byTitle` is undefined and no records are searched for. Returns undefined until the result for this
 * title is loaded.
 */
export function useTitledRecords(kind: KindName, title: string, enabled = true) {
  const text = title.trim()
  const [requestedText] = useDebouncedValue(text, debounceMs)
  const { table } = recordKinds[kind]
  const { data } = useQuery({
    queryKey: recordKeys(table).titled(requestedText),
    meta: { tables: [table] },
    queryFn: async ({ signal }) => {
      const { byTitle } = await sourceOf(kind)
      return { byTitle, records: byTitle ? await byTitle.find(requestedText, signal) : [] }
    },
    enabled: enabled && requestedText !== '',
  })
  return requestedText === text ? data : undefined
}

async function sourceOf(kind: KindName): Promise<LinkSource> {
  const source = await findKindDisplay(kind)?.linkFieldSource?.()
  if (!source) throw new Error(`The kind ${kind} has no link source`)
  return source
}

/** Returns a function that renders the title of a record by its id. */
export const renderTitleById = (kind: KindName) => (id: string) => <LinkedTitle kind={kind} id={id} />

function LinkedTitle({ kind, id }: { kind: KindName; id: string }) {
  const { data } = useQuery(linkedRecordQuery(kind, id))
  return data?.title ?? `Another ${kind}`
}

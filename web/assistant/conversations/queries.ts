import { infiniteQueryOptions, keepPreviousData, queryOptions, type InfiniteData } from '@tanstack/react-query'
import { conversationRoutes, type ConversationRow } from '#contract/assistant.ts'
import { recordKinds } from '#contract/kinds.ts'
import { call } from '#web/lib/client.ts'

const conversationTable = recordKinds.conversation.table
/** The table of the messages, whose changes reorder the conversations. */
export const messageTable = 'messages'

/** The beginning of the keys of all lists of conversations. */
export const conversationsKey = [conversationTable, 'list'] as const

export type ConversationPages = InfiniteData<{ rows: ConversationRow[]; next: string | null }>

/** The interval of requests while an answer is being written, because no live event announces the end of an answer. */
const answeringRefetchMs = 5000

/** The conversations, the one with the newest message first. `search` finds words of titles and messages. */
export const conversationsQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: [...conversationsKey, search],
    meta: { tables: [conversationTable, messageTable] },
    queryFn: ({ pageParam, signal }) =>
      call(conversationRoutes.list, { query: { search, ...(pageParam !== '' && { after: pageParam }) } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ rows }) => rows.some((row) => row.is_answering)) ? answeringRefetchMs : false,
  })

/** One conversation. */
export const conversationQuery = (id: string) =>
  queryOptions({
    queryKey: [conversationTable, 'one', id],
    meta: { tables: [conversationTable] },
    queryFn: ({ signal }) => call(conversationRoutes.get, { params: { id } }, { signal }),
  })

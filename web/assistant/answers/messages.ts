import { infiniteQueryOptions, type InfiniteData } from '@tanstack/react-query'
import { messageRoutes, type Message } from '#contract/assistant.ts'
import { call } from '#web/lib/client.ts'
import { queries } from '#web/lib/queries.ts'
import { messageTable } from '../conversations/queries.ts'

type MessagePage = { rows: Message[]; has_more: boolean }

/** The messages of a conversation. The first page has the newest ones, and each page lists its oldest message first. */
export const messagesQuery = (conversationId: string) =>
  infiniteQueryOptions({
    queryKey: [messageTable, conversationId],
    meta: { tables: [messageTable] },
    queryFn: ({ pageParam, signal }) =>
      call(messageRoutes.list, { params: { id: conversationId }, query: pageParam === '' ? {} : { before: pageParam } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ rows, has_more }) => (has_more ? rows[0]?.id : undefined),
  })

/** Returns the loaded messages, the oldest first. */
export const listMessages = ({ pages }: InfiniteData<MessagePage>): Message[] => pages.toReversed().flatMap(({ rows }) => rows)

/** Shows a new conversation without messages, before the server has stored it. */
export const startEmptyMessages = (conversationId: string): void =>
  void queries.setQueryData(messagesQuery(conversationId).queryKey, { pages: [{ rows: [], has_more: false }], pageParams: [''] })

/** Adds new messages at the end of the loaded ones. The message with the id `replacedId` and all later ones are removed. */
export function addMessages(conversationId: string, added: readonly Message[], replacedId?: string): void {
  updatePages(conversationId, (pages) => {
    const [newest, ...earlier] = cutPages(pages, replacedId)
    const isOther = ({ id }: Message): boolean => added.every((each) => each.id !== id)
    return [{ has_more: newest?.has_more ?? false, rows: [...(newest?.rows ?? []).filter(isOther), ...added] }, ...earlier]
  })
}

/** Replaces a loaded message by its new state. */
export const replaceMessage = (message: Message): void =>
  updatePages(message.conversation_id, (pages) =>
    pages.map((page) => ({ ...page, rows: page.rows.map((each) => (each.id === message.id ? message : each)) })),
  )

/** Returns the messages before the one with this id; all if it is undefined or not loaded. */
export function cutMessages(messages: readonly Message[], id: string | undefined): readonly Message[] {
  const index = messages.findIndex((each) => each.id === id)
  return index < 0 ? messages : messages.slice(0, index)
}

function cutPages(pages: readonly MessagePage[], id: string | undefined): readonly MessagePage[] {
  const index = pages.findIndex(({ rows }) => rows.some((each) => each.id === id))
  const page = pages[index]
  return page ? [{ ...page, rows: [...cutMessages(page.rows, id)] }, ...pages.slice(index + 1)] : pages
}

function updatePages(conversationId: string, update: (pages: readonly MessagePage[]) => MessagePage[]): void {
  queries.setQueryData(messagesQuery(conversationId).queryKey, (data) => {
    if (!data) return undefined
    const pages = update(data.pages)
    return { pages, pageParams: data.pageParams.slice(data.pageParams.length - pages.length) }
  })
}

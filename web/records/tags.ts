import { call } from '#web/lib/client.ts'
import { recordKeys } from './keys.ts'
import type { ListRoutes } from '#web/records/list/listKind.ts'

/** The routes of a kind of record that carries tags. */
export type TaggedRoutes = Required<Pick<ListRoutes<unknown>, 'tags'>>

/** The tags of all records of a kind, the most used first. */
export const tagsInUse = (table: string, routes: TaggedRoutes) => ({
  queryKey: recordKeys(table).tags,
  meta: { tables: [table] },
  queryFn: ({ signal }: { signal: AbortSignal }) => call(routes.tags, {}, { signal }),
})

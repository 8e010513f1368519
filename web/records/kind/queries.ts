import { queryOptions } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { Route } from '#contract/route.ts'
import { call } from '#web/lib/client.ts'
import type { ListRoutes } from './kind.ts'

/** Under which keys the answers about records of a table are kept: all of a key have one shape. */
export const recordKeys = (table: string) => ({
  one: (id: string) => [table, 'one', id] as const,
  nameOf: (id: string) => [table, 'one', id, 'name'] as const,
  /** A few to choose one from. */
  choices: (search: string) => [table, 'choices', search] as const,
  /** The pages of all lists. */
  pages: [table, 'pages'] as const,
  /** The counts of all lists. */
  counts: [table, 'count'] as const,
  /** Those that are linked to a record, and how many they are; `by` says by what they are linked: "contact_id". */
  linkedTo: (by: string, id: string) => [table, 'linked', by, id] as const,
  numberLinkedTo: (by: string, id: string) => [table, 'number linked', by, id] as const,
  tags: [table, 'tags'] as const,
})

type GetRoute<Kept> = Route & { params: z.ZodMiniType<unknown, { id: string }>; out: z.ZodMiniType<Kept> }

/** Asks for one record of a kind. `shows`: the other tables of which it shows something, such as a name. */
export const recordQuery =
  <Kept>(table: string, get: GetRoute<Kept>, shows: readonly string[] = []) =>
  (id: string) =>
    queryOptions({
      queryKey: recordKeys(table).one(id),
      meta: { tables: [table, ...shows] },
      queryFn: ({ signal }) => call(get, { params: { id } }, { signal }),
    })

/** The routes of a kind of record that carries tags. */
export type TaggedRoutes = Required<Pick<ListRoutes<unknown>, 'tags'>>

/** The tags of all records of a kind, the most used first. */
export const tagsInUse = (table: string, routes: TaggedRoutes) => ({
  queryKey: recordKeys(table).tags,
  meta: { tables: [table] },
  queryFn: ({ signal }: { signal: AbortSignal }) => call(routes.tags, {}, { signal }),
})

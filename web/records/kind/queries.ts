import { queryOptions } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { Route } from '#contract/route.ts'
import { call } from '#web/lib/client.ts'
import type { ListRoutes } from './kind.ts'

/**
 * The query keys of the records of a table. A query with one of these keys also has `meta.tables`: when the data of one of these tables
 * changes, the query is refetched. All responses under one key have the same type.
 */
export const recordKeys = (table: string) => ({
  one: (id: string) => [table, 'one', id] as const,
  title: (id: string) => [table, 'one', id, 'title'] as const,
  /** The records that a link field offers for a search text. */
  choices: (search: string) => [table, 'choices', search] as const,
  /** The records whose title equals `title`. */
  titled: (title: string) => [table, 'titled', title] as const,
  pages: [table, 'pages'] as const,
  counts: [table, 'count'] as const,
  /** The records whose link field `field` ("contact_id") contains `id`. */
  linkedTo: (field: string, id: string) => [table, 'linked', field, id] as const,
  /** The number of records whose link field contains `id`. */
  linkedCount: (field: string, id: string) => [table, 'linked count', field, id] as const,
  tags: [table, 'tags'] as const,
})

type GetRoute<Full> = Route & { params: z.ZodMiniType<unknown, { id: string }>; out: z.ZodMiniType<Full> }
type KindWithGet<Full> = { table: string; relatedTables?: readonly string[]; routes: { get: GetRoute<Full> } }

/** Loads one record of a kind. */
export const recordQuery = <Full>({ table, relatedTables = [], routes }: KindWithGet<Full>, id: string) =>
  queryOptions({
    queryKey: recordKeys(table).one(id),
    meta: { tables: [table, ...relatedTables] },
    queryFn: ({ signal }) => call(routes.get, { params: { id } }, { signal }),
  })

/** A kind whose records have tags. */
export type TaggedKind = { table: string; routes: Required<Pick<ListRoutes<unknown>, 'tags'>> }

/** Loads the tags of all records of a kind, the most used first. */
export const tagsQuery = ({ table, routes }: TaggedKind) => ({
  queryKey: recordKeys(table).tags,
  meta: { tables: [table] },
  queryFn: ({ signal }: { signal: AbortSignal }) => call(routes.tags, {}, { signal }),
})

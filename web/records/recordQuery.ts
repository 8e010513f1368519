import { queryOptions } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { Route } from '#contract/route.ts'
import { call } from '#web/lib/client.ts'
import { recordKeys } from './keys.ts'

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

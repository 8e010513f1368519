import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { importRoutes, type Import, type ImportRowStatus } from '#contract/imports.ts'
import { call } from '#web/lib/client.ts'

const tables = ['imports']
/** A running import is also refetched at this interval, because the live updates of its progress may be interrupted. */
const refetchRunningMs = 5000

const isRunning = (each: Import | undefined): boolean => each?.status === 'running'

/** Loads an import with its columns, its preview and its progress. */
export const importQuery = (id: string) =>
  queryOptions({
    queryKey: ['imports', 'one', id],
    meta: { tables },
    queryFn: ({ signal }) => call(importRoutes.get, { params: { id } }, { signal }),
    refetchInterval: ({ state }) => isRunning(state.data) && refetchRunningMs,
  })

/** Loads the imports, the newest first, page by page. */
export const importsQuery = infiniteQueryOptions({
  queryKey: ['imports', 'pages'],
  meta: { tables },
  queryFn: ({ pageParam, signal }) => call(importRoutes.list, { query: { after: pageParam } }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next ?? undefined,
  refetchInterval: ({ state }) => (state.data?.pages.some(({ rows }) => rows.some(isRunning)) ?? false) && refetchRunningMs,
})

/** The newest imports, which are shown beside the result of an import. */
export const newestImportsQuery = queryOptions({
  queryKey: ['imports', 'newest'],
  meta: { tables },
  queryFn: ({ signal }) => call(importRoutes.list, { query: { limit: '8' } }, { signal }),
})

/** Loads the rows of an import that failed or were skipped, or the remarks on its other rows, page by page. */
export const importRowsQuery = (id: string, status: ImportRowStatus) =>
  infiniteQueryOptions({
    queryKey: ['imports', 'rows', id, status],
    meta: { tables },
    queryFn: ({ pageParam, signal }) => call(importRoutes.rows, { params: { id }, query: { status, after: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  })

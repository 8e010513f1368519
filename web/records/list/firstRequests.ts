import type { Condition } from '#contract/lists.ts'
import { viewRoutes } from '#contract/views.ts'
import { addressOf } from '#web/lib/client.ts'
import type { ListRoutes } from '#web/records/kind/kind.ts'

/** The filter and the sort of a list when it is opened. */
type FirstList = { filter?: readonly Condition[]; sort?: string; order?: 'asc' | 'desc' }

/**
 * Returns the addresses that a list requests when it is opened: the first page, the count and the views. The server puts their responses
 * into the document of the list. They must be the same as those of `pagesQuery`, `countQuery` and `viewsQuery`.
 */
export const firstRequestsOfList = ({ list, count }: Pick<ListRoutes<unknown>, 'list' | 'count'>, options: FirstList = {}): string[] => [
  firstPageAddress(list, options),
  addressOf(count, { query: toQuery(options.filter) }),
  addressOf(viewRoutes.list, {}),
]

/** Returns the address of the first page of a list. */
export const firstPageAddress = (list: ListRoutes<unknown>['list'], { filter, sort = 'newest', order = 'asc' }: FirstList = {}): string =>
  addressOf(list, { query: { ...toQuery(filter), sort, order, limit: 100 } }) // the limit of the first page in recordPages.ts

const toQuery = (filter: readonly Condition[] = []): { filter?: string } => (filter.length > 0 ? { filter: JSON.stringify(filter) } : {})

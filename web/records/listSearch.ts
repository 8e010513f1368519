import * as z from 'zod/mini'

type Order = 'asc' | 'desc'
export type ListSearch<Sort extends string> = { search: string; sort: Sort; order: Order }

/** How it stands in the address, so that Back, a reload and a sent link find the same list. What goes without saying is left out. */
type InAddress<Sort extends string> = { search?: string | undefined; sort?: Sort | undefined; order?: Order | undefined }

const Text = z.union([z.string(), z.number()]) // the router reads 42 as a number
const Order = z.enum(['asc', 'desc'])

/** The search of a list that is sorted by `sorts`; the `usual` way has one order only. */
export function listSearch<Sort extends string>(sorts: readonly Sort[], usual: NoInfer<Sort>) {
  const fromAddress = ({ search = '', sort = usual, order = 'asc' }: InAddress<Sort>): ListSearch<Sort> => ({
    search,
    sort,
    order: sort === usual ? 'asc' : order,
  })
  const toAddress = ({ search, sort, order }: ListSearch<Sort>): InAddress<Sort> => ({
    ...(search.trim() && { search }),
    ...(sort !== usual && { sort }),
    ...(sort !== usual && order === 'desc' && { order }),
  })
  const sortNamed = (name: unknown): Sort => sorts.find((each) => each === name) ?? usual
  return {
    fromAddress,
    toAddress,
    /** What the address says, without what cannot be read. */
    readSearch: ({ search, sort, order }: Record<string, unknown>): InAddress<Sort> => {
      const text = String(Text.safeParse(search).data ?? '').slice(0, 200)
      return toAddress(fromAddress({ search: text, sort: sortNamed(sort), order: Order.safeParse(order).data }))
    },
    /** Where a click on a column's head leads: A to Z, then Z to A, then back to the usual way. */
    nextSort: ({ sort, order }: ListSearch<Sort>, column: string): Pick<ListSearch<Sort>, 'sort' | 'order'> => {
      const chosen = sortNamed(column)
      if (chosen !== sort) return { sort: chosen, order: 'asc' }
      return order === 'asc' ? { sort: chosen, order: 'desc' } : { sort: usual, order: 'asc' }
    },
  }
}

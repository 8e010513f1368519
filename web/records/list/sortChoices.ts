import type { ListKind } from './listKind.ts'

type SortChoice = { name: string; label: string; sort: string; order: 'asc' | 'desc' }

/** The ways to sort a list, in the order of their menu. */
export function sortChoices({ sorts }: Pick<ListKind<{ id: string }>, 'sorts'>): SortChoice[] {
  const others = sorts.flatMap(({ name, label, ascending = 'A to Z', descending = 'Z to A' }): SortChoice[] => [
    { name, label: `${label}, ${ascending}`, sort: name, order: 'asc' },
    { name: `${name}-desc`, label: `${label}, ${descending}`, sort: name, order: 'desc' },
  ])
  return [{ name: 'newest', label: 'Newest first', sort: 'newest', order: 'asc' }, ...others]
}

import { queryOptions } from '@tanstack/react-query'
import { changeRoutes } from '#contract/changes.ts'
import type { KindName } from '#contract/kinds.ts'
import { proposalRoutes, type Proposal } from '#contract/proposals.ts'
import { call } from '#web/lib/client.ts'
import { findKindDisplay, type KindFields } from '#web/lib/features.ts'
import { everyTable } from '#web/lib/queries.ts'

/** The fields of the kinds of a proposal. A kind without fields of its own has no entry. */
export type FieldsByKind = Readonly<Partial<Record<KindName, KindFields>>>

/** A proposal, with the fields of its kinds. */
export const proposalQuery = (id: string) =>
  queryOptions({
    queryKey: ['proposals', 'one', id],
    meta: { tables: ['proposals'] },
    queryFn: async ({ signal }) => {
      const proposal = await call(proposalRoutes.get, { params: { id } }, { signal })
      return { proposal, fieldsByKind: await loadFieldsByKind(proposal) }
    },
  })

async function loadFieldsByKind({ items }: Proposal): Promise<FieldsByKind> {
  const kinds = [...new Set(items.map(({ kind }) => kind))]
  const loaded = await Promise.all(kinds.map(async (kind) => [kind, await findKindDisplay(kind)?.loadFields?.()] as const))
  return Object.fromEntries(loaded.filter(([, fields]) => fields !== undefined))
}

/** The change that has applied a proposal, which says whether it was undone. */
export const appliedChangeQuery = (changeId: string) =>
  queryOptions({
    queryKey: ['proposals', 'change', changeId],
    meta: { tables: [everyTable] }, // its undo writes the tables of the changed records
    queryFn: ({ signal }) => call(changeRoutes.get, { params: { id: changeId } }, { signal }),
    retry: false,
  })

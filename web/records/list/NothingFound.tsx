import { Button } from '@mantine/core'
import { Fragment } from 'react'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ConditionWords } from '#web/records/filters/ConditionWords.tsx'
import { filteredFields, type FilterableKind } from '#web/records/filters/filtering.ts'
import type { ListKind } from './listKind.ts'
import type { ListSearch } from './listSearch.ts'
import type { ChangeSearch } from './useListSearch.ts'

type NothingFoundProps = {
  kind: FilterableKind & Pick<ListKind<{ id: string }>, 'singular' | 'searched'>
  search: ListSearch
  change: ChangeSearch
}

/** Says what was looked for in vain, and takes it away again. */
export function NothingFound({ kind, search: { search, filter }, change }: NothingFoundProps) {
  return (
    <EmptyState
      quiet
      title="Nothing found"
      actions={
        <>
          {search && (
            <Button variant="default" onClick={() => change({ search: '' })}>
              Clear search
            </Button>
          )}
          {filter.length > 0 && (
            <Button variant="default" onClick={() => change({ filter: [] }, 'new entry')}>
              {filter.length === 1 ? 'Clear filter' : 'Clear filters'}
            </Button>
          )}
        </>
      }
    >
      {search ? `No ${kind.singular} has “${search}” in its ${kind.searched}` : `There is no ${kind.singular} here`}
      {filter.length > 0 && ' with these filters: '}
      <Conditions kind={kind} filter={filter} />.
    </EmptyState>
  )
}

/** "City contains “Lon”; Tags VIP" */
function Conditions({ kind, filter }: { kind: FilterableKind; filter: ListSearch['filter'] }) {
  const fields = filteredFields(kind)
  return filter.map((condition, index) => {
    const filtered = fields.find(({ field }) => field.name === condition.field)
    return (
      filtered && (
        <Fragment key={condition.field}>
          {index > 0 && '; '}
          {filtered.field.label} <ConditionWords filtered={filtered} condition={condition} />
        </Fragment>
      )
    )
  })
}

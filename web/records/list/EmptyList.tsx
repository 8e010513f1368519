import { Button, Tooltip } from '@mantine/core'
import { Fragment } from 'react'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ConditionText } from '#web/records/filters/ConditionText.tsx'
import { filteredFields, type FilterableKind } from '#web/records/filters/filtering.ts'
import type { ListKind } from '#web/records/kind/kind.ts'
import type { ListSearch, ChangeSearch } from '#web/records/address/listSearch.ts'
import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import classes from './RecordsPage.module.css'

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
          {filtered.field.label} <ConditionText filtered={filtered} condition={condition} />
        </Fragment>
      )
    )
  })
}

/** `lined` says that nothing above it draws the line that parts it from the page's bar. */
export function NoRecords<Row extends { id: string }>({ kind, lined }: { kind: ListKind<Row>; lined: boolean }) {
  const { title, words, motif } = kind.empty
  return (
    <div className={lined ? classes['lined'] : undefined}>
      <EmptyState title={title} actions={<AddRecord kind={kind} />} motif={motif}>
        {words}
      </EmptyState>
    </div>
  )
}

/** The way to a new record, the one primary action of a list. */
export function AddRecord<Row extends { id: string }>({ kind: { singular, path, opensOver } }: { kind: ListKind<Row> }) {
  return (
    <Tooltip label={`Add ${singular} (N)`}>
      <Button
        variant="filled"
        component={Link}
        to={`${path}/new`}
        search={opensOver}
        leftSection={<IconPlus size={16} stroke={1.75} />}
        aria-keyshortcuts="n"
      >
        Add {singular}
      </Button>
    </Tooltip>
  )
}

import { useMediaQuery } from '@mantine/hooks'
import type { RefObject } from 'react'
import { SearchField } from '#web/ui/SearchField.tsx'
import { SortMenu } from '#web/ui/SortMenu.tsx'
import { ColumnsMenu } from './ColumnsMenu.tsx'
import { FilterChip } from '#web/records/filters/FilterChip.tsx'
import { FilterButton } from '#web/records/filters/FilterButton.tsx'
import { PhoneFilters } from '#web/records/filters/PhoneFilters.tsx'
import { labelOf, type RecordKind } from '#web/records/kind/kind.ts'
import type { ListSearch, ChangeSearch } from '#web/records/address/listSearch.ts'
import classes from './ListTools.module.css'
import { ViewsMenu } from '#web/records/views/ViewsMenu.tsx'

type ListToolsProps<Row extends { id: string }> = {
  kind: RecordKind<Row>
  search: ListSearch
  change: ChangeSearch
  /** Hides the menus for sort and columns. */
  unsorted: boolean
  fieldRef: RefObject<HTMLInputElement | null>
}

/** The toolbar of a list: search, filters, views, sort and columns. */
export function ListTools<Row extends { id: string }>({ kind, search, change, unsorted, fieldRef }: ListToolsProps<Row>) {
  const isPhone = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false })
  const all = { kind, search, change }
  return (
    <div className={classes['tools']}>
      <div className={classes['left']}>
        <SearchField
          label={`Search ${kind.plural}`}
          value={search.search}
          onSearch={(text) => change({ search: text })}
          shortcut="/"
          fieldRef={fieldRef}
        />
        {isPhone ? <PhoneFilters {...all} /> : <Filters {...all} />}
      </div>
      <div className={classes['right']}>
        <ViewsMenu {...all} />
        {!unsorted && <Sort {...all} />}
        {!unsorted && !isPhone && <ColumnsMenu {...all} />}
      </div>
    </div>
  )
}

type ToolProps<Row extends { id: string }> = Pick<ListToolsProps<Row>, 'kind' | 'search' | 'change'>

const Filters = <Row extends { id: string }>({ kind, search, change }: ToolProps<Row>) => (
  <>
    {search.filter.map((condition, index) => (
      <FilterChip key={condition.field} kind={kind} search={search} change={change} index={index} />
    ))}
    <FilterButton kind={kind} search={search} change={change} />
  </>
)

function Sort<Row extends { id: string }>({ kind, search, change }: ToolProps<Row>) {
  const choices = sortChoices(kind)
  const chosen = choices.find(({ sort, order }) => sort === search.sort && order === search.order)
  return (
    <SortMenu
      choices={choices}
      chosen={chosen?.name ?? ''}
      onChoose={(name) => {
        const choice = choices.find((each) => each.name === name)
        if (choice) change({ sort: choice.sort, order: choice.order })
      }}
    />
  )
}

type SortChoice = { name: string; label: string; sort: string; order: 'asc' | 'desc' }

/** The options of the sort menu. */
function sortChoices<Row extends { id: string }>(kind: RecordKind<Row>): SortChoice[] {
  const others = kind.sorts.flatMap(({ name, label = labelOf(kind, name), ascending = 'A to Z', descending = 'Z to A' }): SortChoice[] => [
    { name, label: `${label}, ${ascending}`, sort: name, order: 'asc' },
    { name: `${name}-desc`, label: `${label}, ${descending}`, sort: name, order: 'desc' },
  ])
  return [{ name: 'newest', label: 'Newest first', sort: 'newest', order: 'asc' }, ...others]
}

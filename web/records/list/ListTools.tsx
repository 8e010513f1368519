import { useMediaQuery } from '@mantine/hooks'
import type { RefObject } from 'react'
import { SearchField } from '#web/ui/SearchField.tsx'
import { SortMenu } from '#web/ui/SortMenu.tsx'
import { ColumnsMenu } from './ColumnsMenu.tsx'
import { FilterChip } from '#web/records/filters/FilterChip.tsx'
import { FilterButton } from '#web/records/filters/FilterButton.tsx'
import { PhoneFilters } from '#web/records/filters/PhoneFilters.tsx'
import { getLabel, type RecordKind } from '#web/records/kind/kind.ts'
import type { ListSettings, ChangeSettings } from '#web/records/address/listSettings.ts'
import classes from './ListTools.module.css'
import { ViewsMenu } from '#web/records/views/ViewsMenu.tsx'

type ListToolsProps<Row extends { id: string }> = {
  kind: RecordKind<Row>
  settings: ListSettings
  changeSettings: ChangeSettings
  /** Hides the menus for sort and columns. */
  hasFixedOrder: boolean
  searchFieldRef: RefObject<HTMLInputElement | null>
}

/** The toolbar of a list: search, filters, views, sort and columns. */
export function ListTools<Row extends { id: string }>({
  kind,
  settings,
  changeSettings,
  hasFixedOrder,
  searchFieldRef,
}: ListToolsProps<Row>) {
  const isPhone = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false })
  const toolProps = { kind, settings, changeSettings }
  return (
    <div className={classes['tools']}>
      <div className={classes['left']}>
        <SearchField
          label={`Search ${kind.plural}`}
          value={settings.search}
          onSearch={(text) => changeSettings({ search: text })}
          shortcut="/"
          fieldRef={searchFieldRef}
        />
        {isPhone ? <PhoneFilters {...toolProps} /> : <Filters {...toolProps} />}
      </div>
      <div className={classes['right']}>
        <ViewsMenu {...toolProps} />
        {!hasFixedOrder && <Sort {...toolProps} />}
        {!hasFixedOrder && !isPhone && <ColumnsMenu {...toolProps} />}
      </div>
    </div>
  )
}

type ToolProps<Row extends { id: string }> = Pick<ListToolsProps<Row>, 'kind' | 'settings' | 'changeSettings'>

const Filters = <Row extends { id: string }>({ kind, settings, changeSettings }: ToolProps<Row>) => (
  <>
    {settings.filter.map((condition, index) => (
      <FilterChip key={condition.field} kind={kind} settings={settings} changeSettings={changeSettings} index={index} />
    ))}
    <FilterButton kind={kind} settings={settings} changeSettings={changeSettings} />
  </>
)

function Sort<Row extends { id: string }>({ kind, settings, changeSettings }: ToolProps<Row>) {
  const choices = getSortChoices(kind)
  const current = choices.find(({ sort, order }) => sort === settings.sort && order === settings.order)
  return (
    <SortMenu
      choices={choices}
      value={current?.name ?? ''}
      onChange={(name) => {
        const choice = choices.find((each) => each.name === name)
        if (choice) changeSettings({ sort: choice.sort, order: choice.order })
      }}
    />
  )
}

/** An option of the sort menu. `name` identifies the option; `sort` and `order` are what the list requests. */
type SortChoice = { name: string; label: string; sort: string; order: 'asc' | 'desc' }

/** Returns the options of the sort menu: newest first, then both orders of each sort. */
function getSortChoices<Row extends { id: string }>(kind: RecordKind<Row>): SortChoice[] {
  const others = kind.sorts.flatMap(({ name, label = getLabel(kind, name), ascending = 'A to Z', descending = 'Z to A' }): SortChoice[] => [
    { name, label: `${label}, ${ascending}`, sort: name, order: 'asc' },
    { name: `${name}-desc`, label: `${label}, ${descending}`, sort: name, order: 'desc' },
  ])
  return [{ name: 'newest', label: 'Newest first', sort: 'newest', order: 'asc' }, ...others]
}

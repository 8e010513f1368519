import { useMediaQuery } from '@mantine/hooks'
import { lazy, Suspense, useState, type RefObject } from 'react'
import { SearchField } from '#web/ui/SearchField.tsx'
import { ColumnsMenu } from './ColumnsMenu.tsx'
import { ListSortMenu } from './ListSortMenu.tsx'
import { FilterButton } from '#web/records/filters/FilterButton.tsx'
import { FilterSheetButton } from '#web/records/filters/FilterSheetButton.tsx'
import type { RecordKind } from '#web/records/kind/kind.ts'
import type { ListSettings, ChangeSettings } from '#web/records/address/listSettings.ts'
import classes from './ListTools.module.css'
import { ViewsMenu } from '#web/records/views/ViewsMenu.tsx'

const FilterChips = lazy(() => import('#web/records/filters/FilterChips.tsx').then((module) => ({ default: module.FilterChips })))

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
        {isPhone ? <FilterSheetButton {...toolProps} /> : <Filters {...toolProps} />}
      </div>
      <div className={classes['right']}>
        <ViewsMenu {...toolProps} />
        {!hasFixedOrder && <ListSortMenu {...toolProps} />}
        {!hasFixedOrder && !isPhone && <ColumnsMenu {...toolProps} />}
      </div>
    </div>
  )
}

type ToolProps<Row extends { id: string }> = Pick<ListToolsProps<Row>, 'kind' | 'settings' | 'changeSettings'>

/** The filters of the list and the button that adds a filter. A new filter appears when the menu closes, so that the menu does not move. */
function Filters<Row extends { id: string }>(props: ToolProps<Row>) {
  const { filter } = props.settings
  /** The filter of the list before the menu was opened; undefined while the menu is closed. */
  const [filterBefore, setFilterBefore] = useState<typeof filter>()
  /** True after the first condition was shown. Stays true, because the chip that the user edits is shown even without a condition. */
  const [needsChips, setNeedsChips] = useState(false)
  const shownConditions = filterBefore ? filter.filter(({ field }) => filterBefore.some((each) => each.field === field)) : filter
  if (shownConditions.length > 0 && !needsChips) setNeedsChips(true)
  return (
    <>
      <Suspense>{needsChips && <FilterChips {...props} shownConditions={shownConditions} />}</Suspense>
      <FilterButton
        {...props}
        isOpen={filterBefore !== undefined}
        onOpenChange={(isOpen) => setFilterBefore(isOpen ? filter : undefined)}
      />
    </>
  )
}

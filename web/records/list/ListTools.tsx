import { useMediaQuery } from '@mantine/hooks'
import type { RefObject } from 'react'
import { SearchField } from '#web/ui/SearchField.tsx'
import { ColumnsMenu } from './ColumnsMenu.tsx'
import { ListSortMenu } from './ListSortMenu.tsx'
import { FilterChip } from '#web/records/filters/FilterChip.tsx'
import { FilterButton } from '#web/records/filters/FilterButton.tsx'
import { PhoneFilters } from '#web/records/filters/PhoneFilters.tsx'
import type { RecordKind } from '#web/records/kind/kind.ts'
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
        {!hasFixedOrder && <ListSortMenu {...toolProps} />}
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

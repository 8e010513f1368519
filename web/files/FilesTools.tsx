import { IconLayoutGrid, IconList } from '@tabler/icons-react'
import type { RefObject } from 'react'
import { ListSortMenu } from '#web/records/list/ListSortMenu.tsx'
import classes from '#web/records/list/ListTools.module.css'
import type { ChangeSettings, ListSettings } from '#web/records/address/listSettings.ts'
import { ChoiceSwitch } from '#web/ui/ChoiceSwitch.tsx'
import { SearchField } from '#web/ui/SearchField.tsx'
import { fileKind } from './kind/fileKind.ts'
import type { FileLayout } from './kind/layoutChoice.ts'

/** Which files and folders a search reads: all, or those in the folder and below it. */
export type SearchScope = 'all' | 'folder'

type FilesToolsProps = {
  settings: ListSettings
  changeSettings: ChangeSettings
  /** Undefined when the search always reads all files. */
  scope: SearchScope | undefined
  onScope: (scope: SearchScope) => void
  /** False when the order is fixed. */
  hasSort: boolean
  /** The files can be shown as a list or as a grid. */
  hasLayouts: boolean
  layout: FileLayout
  onLayout: (layout: FileLayout) => void
  searchFieldRef: RefObject<HTMLInputElement | null>
}

const iconProps = { size: 18, stroke: 1.7 }

/** The toolbar of the Files screen: search, sort, and list or grid. */
export function FilesTools({
  settings,
  changeSettings,
  scope,
  onScope,
  hasSort,
  hasLayouts,
  layout,
  onLayout,
  searchFieldRef,
}: FilesToolsProps) {
  return (
    <div className={classes['tools']}>
      <div className={classes['left']}>
        <SearchField
          label="Search files and what is in them"
          isWide
          value={settings.search}
          onSearch={(search) => changeSettings({ search })}
          shortcut="/"
          fieldRef={searchFieldRef}
        />
        {scope && settings.search !== '' && (
          <ChoiceSwitch
            label="Search in"
            choices={[
              { value: 'all', label: 'All files' },
              { value: 'folder', label: 'This folder' },
            ]}
            value={scope}
            onChange={onScope}
          />
        )}
      </div>
      <div className={classes['right']}>
        {hasSort && <ListSortMenu kind={fileKind} settings={settings} changeSettings={changeSettings} />}
        {hasLayouts && <LayoutSwitch layout={layout} onLayout={onLayout} />}
      </div>
    </div>
  )
}

const LayoutSwitch = ({ layout, onLayout }: Pick<FilesToolsProps, 'layout' | 'onLayout'>) => (
  <ChoiceSwitch
    label="View"
    choices={[
      { value: 'list', label: 'List', icon: <IconList {...iconProps} aria-hidden /> },
      { value: 'grid', label: 'Grid', icon: <IconLayoutGrid {...iconProps} aria-hidden /> },
    ]}
    value={layout}
    onChange={onLayout}
  />
)

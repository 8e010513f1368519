import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useRef, type ReactNode } from 'react'
import { capitalise } from '#web/lib/format.ts'
import { useActions } from '#web/lib/actions.ts'
import { printedTableRenderer } from '#web/lib/printing.ts'
import { useStore } from '#web/lib/store.ts'
import { describeError } from '#web/lib/toasts.ts'
import { FailedState } from '#web/ui/FailedState.tsx'
import { PageBar } from '#web/ui/PageBar.tsx'
import { getPrintedColumns } from './columns.ts'
import { AddRecordButton, NoRecords } from './EmptyList.tsx'
import { ImportButton } from './ImportButton.tsx'
import { getLinkSearch, type RecordKind } from '#web/records/kind/kind.ts'
import type { ListSettings, ListQuery, ChangeSettings } from '#web/records/address/listSettings.ts'
import { ListTools } from './ListTools.tsx'
import { ExportMenu } from '#web/records/bulk/ExportMenu.tsx'
import classes from './RecordsPage.module.css'

const NothingFound = lazy(() => import('./NothingFound.tsx').then((module) => ({ default: module.NothingFound })))

type ListState<Row> = {
  /** The loaded rows, which are printed. */
  rows: readonly Row[]
  /** The number of all rows; undefined while it is unknown. */
  total: number | undefined
  /** The formatted number of records; null while it is unknown. */
  count: string | null
  /** The loaded list has no rows. */
  isEmpty: boolean
  failure: Error | null
  retry: () => void
  isRetrying: boolean
}

type RecordsFrameProps<Row extends { id: string }> = {
  kind: RecordKind<Row>
  settings: ListSettings
  changeSettings: ChangeSettings
  /** The query that is sent to the server: the query in the URL, and the conditions of the open tab. */
  query: ListQuery
  list: ListState<Row>
  tabs?: ReactNode
  actions?: ReactNode
  /** Shown when the open tab is empty and the user has set no search or filter. */
  emptyTab?: ReactNode
  /** Hides the menus for sort and columns, for example because the columns of a board have a fixed order. */
  hasFixedOrder?: boolean
  /** The table or board with the records. */
  children: ReactNode
}

/** The page around a list or a board: title, count, actions, toolbar, and the empty and failed states. */
export function RecordsFrame<Row extends { id: string }>(props: RecordsFrameProps<Row>) {
  const { kind, settings, changeSettings, query, list, tabs, actions, emptyTab, hasFixedOrder = false, children } = props
  const searchField = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const renderPrintedTable = useStore(printedTableRenderer)
  const hasNoRecords = list.isEmpty && !hasConditions(query)
  const hasNoMatches = list.isEmpty && !hasNoRecords
  // without a search or filter of the user, only the conditions of the tab can have excluded all records
  const showsEmptyTab = hasNoMatches && emptyTab !== undefined && !hasConditions(settings)
  const title = capitalise(kind.plural)
  useActions([
    { keys: 'n', label: `Add ${kind.singular}`, run: () => void navigate({ to: `${kind.path}/new`, search: getLinkSearch(kind) }) },
    { keys: '/', label: `Search ${kind.plural}`, run: () => focusAndSelect(searchField.current) },
  ])
  return (
    <div className={classes['page']}>
      <PageBar
        title={title}
        count={hasNoRecords ? '0' : list.count}
        actions={
          !hasNoRecords && (
            <>
              {actions}
              <ImportButton kind={kind} isInBar />
              <ExportMenu kind={kind} query={query} />
              <AddRecordButton kind={kind} />
            </>
          )
        }
      />
      {tabs}
      {!hasNoRecords && (
        <ListTools
          kind={kind}
          settings={settings}
          changeSettings={changeSettings}
          hasFixedOrder={hasFixedOrder}
          searchFieldRef={searchField}
        />
      )}
      {hasNoRecords && <NoRecords kind={kind} hasTopLine={!tabs} />}
      {list.failure && (
        <FailedState
          title={`${title} could not be loaded`}
          reason={describeError(list.failure)}
          onRetry={list.retry}
          isRetrying={list.isRetrying}
        />
      )}
      <Suspense>
        {hasNoMatches && (showsEmptyTab ? emptyTab : <NothingFound kind={kind} settings={settings} changeSettings={changeSettings} />)}
      </Suspense>
      {!list.failure && !list.isEmpty && children}
      {!list.isEmpty &&
        renderPrintedTable?.({ label: title, columns: getPrintedColumns(kind, settings.columns), rows: list.rows, total: list.total })}
    </div>
  )
}

const hasConditions = ({ search, filter }: ListQuery): boolean => search !== '' || filter.length > 0

function focusAndSelect(field: HTMLInputElement | null): void {
  field?.focus()
  field?.select()
}

import { Button } from '@mantine/core'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { copyText } from '#web/lib/copyText.ts'
import { lazyPart } from '#web/lib/lazyPart.ts'
import { describeError } from '#web/lib/toasts.ts'
import { useCursor } from '#web/ui/cursor.ts'
import { useSelection, type Selection } from '#web/ui/selection.ts'
import { toBulkSelection } from '#web/records/bulk/selection.ts'
import { getEditAddress, getLinkSearch, type RecordKind } from '#web/records/kind/kind.ts'
import { getNextSort, type ListSettings, type ListQuery, type ChangeSettings } from '#web/records/address/listSettings.ts'
import classes from './RecordsPage.module.css'
import { RecordsTable } from './RecordsTable.tsx'
import { useDeleteRecords } from '#web/records/bulk/useDeleteRecords.ts'
import { useListShortcuts } from './useListShortcuts.ts'
import type { PagedList } from './useRecordList.ts'

const SelectedRecords = lazy(() => import('#web/records/bulk/SelectedRecords.tsx').then((module) => ({ default: module.SelectedRecords })))

// `lazyPart` adds the property `onLoadCancelled`, which is called if the code cannot be loaded or the user presses Escape meanwhile
const RowMenu = lazyPart(() => import('./RowMenu.tsx').then((module) => module.RowMenu))

type RecordsListProps<Row extends { id: string }> = {
  kind: RecordKind<Row>
  list: PagedList<Row>
  settings: ListSettings
  query: ListQuery
  changeSettings: ChangeSettings
  /** Called for buttons of a row with a `data-action` other than edit, delete, menu and copy. */
  onAction?: ((action: string, row: Row) => void) | undefined
}

/** The table of a list with its row actions, bulk actions and shortcuts. */
export function RecordsList<Row extends { id: string }>({ kind, list, settings, query, changeSettings, onAction }: RecordsListProps<Row>) {
  const { rows } = list
  const selection = useSelection(rows, JSON.stringify(query))
  const cursor = useCursor(rows) // the row that the shortcuts for one record apply to
  const [menu, setMenu] = useState<{ row: Row; button: HTMLElement }>()
  const actions = useRowActions(kind, rows, selection)
  const isRecordOpen = useLocation().pathname !== kind.path
  const { ids, clear } = selection
  const bulkSelection = toBulkSelection(selection, list, query)
  useListShortcuts({
    ...actions,
    noun: kind.singular,
    cursor,
    selection,
    row: rows[cursor.index],
    isRecordOpen,
    remove: (row) => {
      if (ids.size > 0) actions.removeSelection(bulkSelection)
      else if (row) actions.remove(row)
    },
  })
  const runAction = (action: string, row: Row, button: HTMLElement): void => {
    if (action === 'edit') actions.edit(row)
    else if (action === 'delete') actions.remove(row)
    else if (action === 'menu') setMenu({ row, button })
    else if (action === 'copy') void copyText(button.dataset['copy'] ?? '')
    else onAction?.(action, row)
  }
  const closeMenu = (): void => setMenu(undefined)
  return (
    <>
      <RecordsTable
        kind={kind}
        list={list}
        settings={settings}
        query={query}
        selection={selection}
        cursor={cursor}
        onSort={(column) => changeSettings(getNextSort(kind, settings, column))}
        onOpen={actions.open}
        onAction={runAction}
      />
      {list.nextPageError && <NextPageFailed kind={kind} list={list} />}
      {menu && (
        <RowMenu
          noun={kind.singular}
          title={kind.titleOf(menu.row)}
          button={menu.button}
          links={kind.menuLinks?.(menu.row) ?? []}
          onAction={(action) => onAction?.(action, menu.row)}
          onEdit={() => actions.edit(menu.row)}
          onSelect={() => actions.select(menu.row)}
          onDelete={() => actions.remove(menu.row)}
          onLoadCancelled={closeMenu}
          onClose={closeMenu}
        />
      )}
      <Suspense>
        {ids.size > 0 && (
          <SelectedRecords
            kind={kind}
            selection={selection}
            bulkSelection={bulkSelection}
            list={list}
            sort={query}
            onDelete={() => actions.removeSelection(bulkSelection)}
            onClear={clear}
            loadedRecords={rows.map((row) => ({ id: row.id, title: kind.titleOf(row) }))}
          />
        )}
      </Suspense>
    </>
  )
}

function useRowActions<Row extends { id: string }>(kind: RecordKind<Row>, rows: readonly Row[], selection: Selection) {
  const navigate = useNavigate()
  const deletion = useDeleteRecords(kind)
  return {
    open: ({ id }: Row): void => void navigate({ to: `${kind.path}/${id}`, search: getLinkSearch(kind) }),
    edit: ({ id }: Row): void => void navigate({ to: getEditAddress(kind, id), search: getLinkSearch(kind) }),
    select: ({ id }: Row): void => {
      const index = rows.findIndex((row) => row.id === id)
      selection.toggle(index)
    },
    remove: ({ id }: Row): void => deletion.mutate({ ids: [id] }),
    removeSelection: (bulkSelection: ReturnType<typeof toBulkSelection>): void => {
      if (bulkSelection) deletion.mutate(bulkSelection, { onSuccess: selection.clear })
    },
  }
}

type NextPageFailedProps<Row extends { id: string }> = { kind: RecordKind<Row>; list: PagedList<Row> }

const NextPageFailed = <Row extends { id: string }>({ kind, list }: NextPageFailedProps<Row>) => (
  <p className={classes['nextPageError']} role="alert">
    More {kind.plural} could not be loaded. {list.nextPageError && describeError(list.nextPageError)}
    <Button variant="default" onClick={list.retry} loading={list.isRetrying}>
      Try again
    </Button>
  </p>
)

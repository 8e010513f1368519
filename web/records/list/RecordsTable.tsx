import { useElementScrollRestoration } from '@tanstack/react-router'
import { useMemo } from 'react'
import { capitalise } from '#web/lib/format.ts'
import type { Cursor } from '#web/ui/cursor.ts'
import { TableSkeleton } from '#web/ui/TableSkeleton.tsx'
import type { Selection } from '#web/ui/selection.ts'
import { VirtualTable } from '#web/ui/VirtualTable.tsx'
import { getMinTableWidth, getVisibleColumns, useWindowWidth } from './columns.ts'
import type { RecordKind } from '#web/records/kind/kind.ts'
import type { ListSettings, ListQuery } from '#web/records/address/listSettings.ts'
import { createActionsColumn } from './RowActions.tsx'
import type { PagedList } from './useRecordList.ts'

type RecordsTableProps<Row extends { id: string }> = {
  kind: RecordKind<Row>
  list: PagedList<Row>
  settings: ListSettings
  query: ListQuery
  onSort: (column: string) => void
  selection: Selection
  cursor: Cursor
  onOpen: (row: Row) => void
  onAction: (action: string, row: Row, button: HTMLElement) => void
}

/** The rows of a list in a virtual table, with the columns that fit in the window. */
export function RecordsTable<Row extends { id: string }>({ kind, list, settings, query, ...tableProps }: RecordsTableProps<Row>) {
  const { rows, total, isLoading, hasRowsOfPreviousQuery, loadNextPage, setVisibleRows } = list
  const width = useWindowWidth()
  const isPhone = width === 'phone'
  const columns = useMemo(
    () => [...getVisibleColumns(kind, settings.columns, width), createActionsColumn(kind)],
    [kind, settings.columns, width],
  )
  const initialScroll = useElementScrollRestoration({ id: kind.plural })?.scrollY ?? 0
  return (
    <VirtualTable
      {...tableProps}
      label={capitalise(kind.plural)}
      columns={columns}
      minWidth={isPhone || !settings.columns ? undefined : getMinTableWidth(columns)}
      rows={rows}
      total={total}
      rowName={kind.titleOf}
      isFaded={kind.isFaded}
      canSelectByTap={isPhone}
      rowHeight={isPhone ? 60 : 40}
      headHeight={isPhone ? 0 : 34}
      sortState={{ column: settings.sort, order: settings.order }}
      initialScroll={initialScroll}
      scrollName={kind.plural}
      queryText={JSON.stringify(query)}
      footer={isLoading && <TableSkeleton columns={columns} count={rows.length === 0 ? 20 : 3} />}
      isBusy={isLoading || hasRowsOfPreviousQuery}
      onNearEnd={loadNextPage}
      onVisibleRows={setVisibleRows}
    />
  )
}

import { useElementScrollRestoration } from '@tanstack/react-router'
import { useMemo } from 'react'
import { capitalise } from '#web/lib/format.ts'
import type { Cursor } from '#web/ui/cursor.ts'
import { TableSkeleton } from '#web/ui/TableSkeleton.tsx'
import type { Selection } from '#web/ui/selection.ts'
import { VirtualTable } from '#web/ui/VirtualTable.tsx'
import { minTableWidth, shownColumns, useWindowWidth } from './columns.ts'
import type { RecordKind } from '#web/records/kind/kind.ts'
import type { ListSearch, ListQuery } from '#web/records/address/listSearch.ts'
import { rowActions } from './RowActions.tsx'

type RecordsTableProps<Row extends { id: string }> = {
  kind: RecordKind<Row>
  rows: readonly Row[]
  total: number | undefined
  search: ListSearch
  query: ListQuery
  onSort: (column: string) => void
  selection: Selection
  cursor: Cursor
  onOpen: (row: Row) => void
  onAction: (action: string, row: Row, button: HTMLElement) => void
  /** The first page or the next page is being loaded. */
  loading: boolean
  /** The rows belong to the previous search. */
  stale: boolean
  onNearEnd: () => void
  onVisibleRows: (first: number, last: number) => void
}

export function RecordsTable<Row extends { id: string }>({ kind, rows, search, query, loading, stale, ...table }: RecordsTableProps<Row>) {
  const width = useWindowWidth()
  const isPhone = width === 'phone'
  const columns = useMemo(() => [...shownColumns(kind, search.columns, width), rowActions(kind)], [kind, search.columns, width])
  const initialScroll = useElementScrollRestoration({ id: kind.plural })?.scrollY ?? 0
  return (
    <VirtualTable
      {...table}
      label={capitalise(kind.plural)}
      columns={columns}
      minWidth={isPhone || !search.columns ? undefined : minTableWidth(columns)}
      rows={rows}
      rowName={kind.titleOf}
      faded={kind.faded}
      tapSelects={isPhone}
      rowHeight={isPhone ? 60 : 40}
      headHeight={isPhone ? 0 : 34}
      sorted={{ column: search.sort, order: search.order }}
      initialScroll={initialScroll}
      scrollName={kind.plural}
      listName={JSON.stringify(query)}
      footer={loading && <TableSkeleton columns={columns} count={rows.length === 0 ? 20 : 3} />}
      busy={loading || stale}
    />
  )
}

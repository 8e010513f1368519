import { useResizeObserver } from '@mantine/hooks'
import { useState, type ReactNode } from 'react'
import { useListener } from './domHooks.ts'
import type { Selection } from './selection.ts'
import { TableHead, type SortState } from './TableHead.tsx'
import { useItemEvents } from './useItemEvents.ts'
import { useScrollToTop } from './virtualList.ts'
import { VirtualRows, type VirtualRowsProps } from './VirtualRows.tsx'
import classes from './VirtualTable.module.css'

type VirtualTableProps<Row> = Omit<VirtualRowsProps<Row>, 'box' | 'aboveHeight'> & {
  /** The label of the table: "Contacts". */
  label: string
  /** Shown above the table. It scrolls with the rows. */
  above?: ReactNode
  /** The number of all rows; undefined while it is unknown. */
  total: number | undefined
  /** The CSS width below which the table scrolls sideways. */
  minWidth?: string | undefined
  sortState: SortState
  onSort: (column: string) => void
  /** While rows are selected, a click selects another row and does not open it. Used on phones. */
  canSelectByTap?: boolean
  /**
   * If true, a click with Ctrl or Cmd selects, like a click with Shift; these clicks also select on the link of a row, and open no tab.
   * If false, only a click with Shift selects, and not on the link.
   */
  canSelectByCtrlClick?: boolean
  /** Called when a row is clicked, or on Enter. */
  onOpen: (row: Row) => void
  /** Called when a button with `data-action` in a row is clicked. */
  onAction: (action: string, row: Row, button: HTMLElement) => void
  /** The list's search, filters and sort as one text, for example as JSON. When it changes, the table scrolls to the top. */
  queryText: string
  /** The name under which the router stores the scroll position. */
  scrollName: string
  /** True while rows are being loaded. */
  isBusy?: boolean
}

/**
 * An HTML table that renders only the visible rows, so that it is as fast with 100,000 rows as with ten. Clicks and keys are handled by
 * listeners on the scrolling element and not by listeners on each row.
 */
export function VirtualTable<Row extends { id: string }>(props: VirtualTableProps<Row>) {
  const {
    label,
    columns,
    rows,
    total,
    sortState,
    onSort,
    selection,
    cursor,
    canSelectByTap = false,
    canSelectByCtrlClick = false,
    onOpen,
    isBusy = false,
  } = props
  const [box, setBox] = useState<HTMLDivElement | null>(null)
  const [aboveElement, { height: aboveHeight }] = useResizeObserver()

  useScrollToTop(box, props.queryText)

  const findRow = useItemEvents(box, { ...props, selector: 'tr[data-index]', items: rows, canSelectByTap, canSelectByCtrlClick })
  useListener(box, 'keydown', (event) => {
    const current = event.target instanceof HTMLTableRowElement ? findRow(event.target) : undefined
    if (!current || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const visibleRowCount = Math.floor((box?.clientHeight ?? 0) / props.rowHeight)
    const pageSize = Math.max(1, visibleRowCount - 2) // two rows of the previous page stay visible
    const targetIndex = targetIndexes[event.key]?.(current.index, pageSize, rows.length)
    if (targetIndex === undefined && event.key !== 'Enter') return
    event.preventDefault()
    if (targetIndex === undefined) onOpen(current.item)
    else cursor.move(targetIndex)
  })

  return (
    <div
      ref={setBox}
      className={classes['box']}
      data-selecting={selection.ids.size > 0 || undefined}
      data-scroll-restoration-id={props.scrollName}
    >
      {props.above && <div ref={aboveElement}>{props.above}</div>}
      <table
        className={classes['table']}
        data-virtual // not printed: on paper there is a table with all loaded rows
        style={{ minWidth: props.minWidth }}
        data-wide={props.minWidth !== undefined || undefined}
        aria-label={label}
        aria-rowcount={total === undefined ? -1 : total + 1}
        aria-busy={isBusy}
      >
        <colgroup>
          <col data-column="checkbox" />
          {columns.map(({ name, cssWidth }) => (
            <col key={name} data-column={name} style={{ width: cssWidth }} />
          ))}
        </colgroup>
        <TableHead
          columns={columns}
          sortState={sortState}
          onSort={onSort}
          selected={getSelectedPart(selection)}
          onToggleAll={selection.toggleAll}
          hasRows={rows.length > 0}
        />
        <VirtualRows {...props} box={box} aboveHeight={props.above ? aboveHeight : 0} />
      </table>
    </div>
  )
}

function getSelectedPart({ ids, isEveryLoadedRowSelected }: Selection): 'all' | 'some' | 'none' {
  if (isEveryLoadedRowSelected) return 'all'
  return ids.size > 0 ? 'some' : 'none'
}

/** The functions that return the index of the row to which a key moves the cursor. `pageSize` is a number of rows. */
const targetIndexes: Record<string, (index: number, pageSize: number, rowCount: number) => number> = {
  ArrowDown: (index) => index + 1,
  ArrowUp: (index) => index - 1,
  PageDown: (index, pageSize) => index + pageSize,
  PageUp: (index, pageSize) => index - pageSize,
  Home: () => 0,
  End: (_index, _pageSize, rowCount) => rowCount - 1,
}

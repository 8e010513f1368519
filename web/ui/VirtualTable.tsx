import { useEffect, useRef, useState } from 'react'
import { useListener } from './domHooks.ts'
import { TableHead, type SortState } from './TableHead.tsx'
import { VirtualRows, type VirtualRowsProps } from './VirtualRows.tsx'
import classes from './VirtualTable.module.css'

type VirtualTableProps<Row> = Omit<VirtualRowsProps<Row>, 'box'> & {
  /** The label of the table: "Contacts". */
  label: string
  /** The number of all rows; undefined while it is unknown. */
  total: number | undefined
  /** The CSS width below which the table scrolls sideways. */
  minWidth?: string | undefined
  sorted: SortState
  onSort: (column: string) => void
  /** If true, a tap selects a row instead of opening it while other rows are selected. */
  tapSelects?: boolean
  /** Called when a row is clicked, or on Enter. */
  onOpen: (row: Row) => void
  /** Called when a button with `data-action` in a row is clicked. */
  onAction: (action: string, row: Row, button: HTMLElement) => void
  /** Identifies the list with its search and filters. When it changes, the table scrolls to the top. */
  listName: string
  /** The name under which the router stores the scroll position. */
  scrollName: string
  /** True while rows are being loaded. */
  isBusy?: boolean
}

/**
 * A table that renders only the visible rows, so that it is as fast with 100,000 rows as with ten. It is a native table with real links.
 * One listener handles the clicks, and one the keys, of all rows.
 */
export function VirtualTable<Row extends { id: string }>(props: VirtualTableProps<Row>) {
  const { label, columns, rows, total, sorted, onSort, selection, cursor, tapSelects = false, onOpen, onAction, isBusy = false } = props
  const [box, setBox] = useState<HTMLDivElement | null>(null)

  useScrollToTop(box, props.listName)

  const rowOf = (target: EventTarget | null) => {
    const index = Number(target instanceof Element ? target.closest('tr[data-index]')?.getAttribute('data-index') : undefined)
    const row = rows[index]
    return row && { row, index }
  }
  useListener(box, 'click', (event) => {
    const clicked = rowOf(event.target)
    if (!clicked || !(event.target instanceof Element)) return
    const button = event.target.closest<HTMLElement>('[data-action]')
    if (button) return onAction(button.dataset.action ?? '', clicked.row, button)
    if (isOpeningClick(event, event.target)) {
      event.preventDefault()
      if (tapSelects && selection.ids.size > 0) selection.toggle(clicked.index, false)
      else onOpen(clicked.row)
    } else if (event.shiftKey && !event.target.closest('a, button, input')) {
      selection.toggle(clicked.index, true)
      window.getSelection()?.removeAllRanges()
    }
  })
  useListener(box, 'focusin', (event) => {
    const focused = rowOf(event.target)
    if (focused) cursor.setCurrent(focused.index)
  })
  useListener(box, 'keydown', (event) => {
    const current = event.target instanceof HTMLTableRowElement ? rowOf(event.target) : undefined
    if (!current || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const to = steps[event.key]?.(current.index, Math.max(1, Math.floor((box?.clientHeight ?? 0) / props.rowHeight) - 2), rows.length)
    if (to === undefined && event.key !== 'Enter') return
    event.preventDefault()
    if (to === undefined) onOpen(current.row)
    else cursor.move(to)
  })

  return (
    <div
      ref={setBox}
      className={classes['box']}
      data-selecting={selection.ids.size > 0 || undefined}
      data-scroll-restoration-id={props.scrollName}
    >
      <table
        className={classes['table']}
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
          sorted={sorted}
          onSort={onSort}
          selected={selection.allLoaded ? 'all' : selection.ids.size > 0 ? 'some' : 'none'}
          onToggleAll={selection.toggleAll}
          hasRows={rows.length > 0}
        />
        <VirtualRows {...props} box={box} />
      </table>
    </div>
  )
}

function useScrollToTop(box: HTMLElement | null, listName: string): void {
  const previousName = useRef(listName)
  useEffect(() => {
    if (previousName.current !== listName && box) box.scrollTo({ top: 0 })
    previousName.current = listName
  }, [box, listName])
}

const steps: Record<string, (index: number, page: number, count: number) => number> = {
  ArrowDown: (index) => index + 1,
  ArrowUp: (index) => index - 1,
  PageDown: (index, page) => index + page,
  PageUp: (index, page) => index - page,
  Home: () => 0,
  End: (_index, _page, count) => count - 1,
}

/** Returns true for a plain click on the row or its link. Other links, buttons, checkboxes and text selection do not open the row. */
function isOpeningClick(event: MouseEvent, target: Element): boolean {
  if (event.defaultPrevented || event.button !== 0 || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return false
  if (target.closest('a[data-row-link]')) return true
  return !target.closest('a, button, input, [data-column="checkbox"]') && !window.getSelection()?.toString()
}

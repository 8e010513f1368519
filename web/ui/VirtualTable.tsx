import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { Cursor } from './cursor.ts'
import { useListener } from './useListener.ts'
import type { Selection } from './selection.ts'
import { TableHead, type Sorted } from './TableHead.tsx'
import type { Column } from './TableRow.tsx'
import { VirtualRows } from './VirtualRows.tsx'
import classes from './VirtualTable.module.css'

export type VirtualTableProps<Row> = {
  /** What the rows are: "Contacts". */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  /** How a row is called by its box: "Imara Vantongeren". */
  rowName: (row: Row) => string
  /** How many rows there are in all; undefined while that is not known. */
  total: number | undefined
  /** Done with: the row is faded. */
  faded?: ((row: Row) => boolean) | undefined
  /** What the columns need at least, as CSS has it: a table with less room scrolls sideways. */
  leastWidth?: string | undefined
  rowHeight: number
  headHeight: number
  sorted: Sorted
  onSort: (column: string) => void
  selection: Selection
  cursor: Cursor
  /** While something is chosen, a tap on a row chooses too instead of opening it. */
  tapChooses?: boolean
  /** The row was clicked, or Enter was pressed on it. */
  onOpen: (row: Row) => void
  /** A button of the row with `data-action` was pressed. */
  onAction: (action: string, row: Row, button: HTMLElement) => void
  /** The eye is near the last row that is there. Said again and again; whoever hears it knows what is under way. */
  onNearEnd: () => void
  /** How far down to start, in pixels: where a reader left. */
  startAt: number
  /** Which list this is: another one begins at its top. */
  listName: string
  /** Under which name the router keeps how far down a reader is. */
  scrollName: string
  /** What stands below the last row: rows on their way, or why they do not come. */
  below?: ReactNode
  busy?: boolean
}

/**
 * A table that draws only the rows in sight, so that a hundred thousand scroll like ten. It is a native table; its first column stays
 * when it scrolls sideways. Columns hold real links; one listener serves all of them.
 */
export function VirtualTable<Row extends { id: string }>(props: VirtualTableProps<Row>) {
  const { label, columns, rows, total, sorted, onSort, selection, cursor, tapChooses = false, onOpen, onAction, busy = false } = props
  const [box, setBox] = useState<HTMLDivElement | null>(null)

  useTopOfList(box, props.listName)

  const rowOf = (target: EventTarget | null) => {
    const index = Number(target instanceof Element ? target.closest('tr[data-index]')?.getAttribute('data-index') : undefined)
    const row = rows[index]
    return row && { row, index }
  }
  useListener(box, 'click', (event) => {
    const at = rowOf(event.target)
    if (!at || !(event.target instanceof Element)) return
    const button = event.target.closest<HTMLElement>('[data-action]')
    if (button) return onAction(button.dataset.action ?? '', at.row, button)
    if (opensHere(event, event.target)) {
      event.preventDefault()
      if (tapChooses && selection.ids.size > 0) selection.toggle(at.index, false)
      else onOpen(at.row)
    } else if (event.shiftKey && !event.target.closest('a, button, input')) {
      selection.toggle(at.index, true)
      window.getSelection()?.removeAllRanges()
    }
  })
  useListener(box, 'focusin', (event) => {
    const at = rowOf(event.target)
    if (at) cursor.note(at.index)
  })
  useListener(box, 'keydown', (event) => {
    const at = event.target instanceof HTMLTableRowElement ? rowOf(event.target) : undefined
    if (!at || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const to = steps[event.key]?.(at.index, Math.max(1, Math.floor((box?.clientHeight ?? 0) / props.rowHeight) - 2), rows.length)
    if (to === undefined && event.key !== 'Enter') return
    event.preventDefault()
    if (to === undefined) onOpen(at.row)
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
        style={{ minWidth: props.leastWidth }}
        data-wide={props.leastWidth !== undefined || undefined}
        aria-label={label}
        aria-rowcount={total === undefined ? -1 : total + 1}
        aria-busy={busy}
      >
        <colgroup>
          <col data-column="tick" />
          {columns.map(({ name, cssWidth }) => (
            <col key={name} data-column={name} style={{ width: cssWidth }} />
          ))}
        </colgroup>
        <TableHead
          columns={columns}
          sorted={sorted}
          onSort={onSort}
          chosen={selection.allLoaded ? 'all' : selection.ids.size > 0 ? 'some' : 'none'}
          onChoose={selection.toggleAll}
          choosable={rows.length > 0}
        />
        <VirtualRows {...props} box={box} />
      </table>
    </div>
  )
}

function useTopOfList(box: HTMLElement | null, listName: string): void {
  const shown = useRef(listName)
  useEffect(() => {
    if (shown.current !== listName && box) box.scrollTo({ top: 0 })
    shown.current = listName
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

/** A plain click on the row or its own link; other links, boxes and marked text mean something else. */
function opensHere(event: MouseEvent, target: Element): boolean {
  if (event.defaultPrevented || event.button !== 0 || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return false
  if (target.closest('a[data-row-link]')) return true
  return !target.closest('a, button, input, [data-column="tick"]') && !window.getSelection()?.toString()
}

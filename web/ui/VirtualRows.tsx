import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { Fragment, useCallback, useEffect, useLayoutEffect, useRef, type ReactNode } from 'react'
import { TableRow, type Column } from './TableRow.tsx'
import type { Cursor } from './cursor.ts'
import type { Selection } from './selection.ts'
import { useFocusedItem } from './useFocusedItem.ts'
import { useNearEnd, useVisibleRange } from './virtualList.ts'

/** The height in px of the selection bar, which covers the last rows. */
const selectionBarHeight = 76

export type VirtualRowsProps<Row> = {
  /** The scrolling element; null until it is mounted. */
  box: HTMLDivElement | null
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  /** The name of a row in the label of its checkbox: "Imara Vantongeren". */
  rowName: (row: Row) => string
  /** Returns true for a row that is shown in pale colours. */
  isFaded?: ((row: Row) => boolean) | undefined
  /** The height of a row in px. */
  rowHeight: number
  /** The height of the header row in px. */
  headHeight: number
  /** The height in px of what is shown above the table and scrolls with it. */
  aboveHeight: number
  selection: Selection
  /** The current row, on which shortcuts act. */
  cursor: Cursor
  /** Called on every render while the user is near the last row. The caller must ignore calls while a request is running. */
  onNearEnd: () => void
  /** Called with the indexes of the first and last visible row, whenever these indexes or the rows change. */
  onVisibleRows?: (first: number, last: number) => void
  /** The initial scroll position in px. */
  initialScroll: number
  /** Placeholder rows below the last row, while more rows are loading. */
  footer?: ReactNode
}

/** Renders the visible rows, a few rows above and below them, and the current row. */
export function VirtualRows<Row extends { id: string }>(props: VirtualRowsProps<Row>) {
  const { box, columns, rows, rowName, isFaded, rowHeight, headHeight, aboveHeight, selection, cursor, initialScroll, footer } = props
  const topHeight = aboveHeight + headHeight
  // oxlint-disable-next-line react/incompatible-library -- the rule is about the React Compiler, which is not used
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box,
    estimateSize: () => rowHeight,
    overscan: 6,
    useFlushSync: false, // with true, every wheel event renders synchronously, which is slow
    scrollMargin: topHeight,
    scrollPaddingStart: headHeight,
    scrollPaddingEnd: selectionBarHeight,
    initialOffset: initialScroll,
    rangeExtractor: (range) => addCurrentRow(defaultRangeExtractor(range), Math.min(cursor.index, rows.length - 1)),
  })
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight, topHeight])
  useFocusedItem({
    box,
    cursor,
    items: rows,
    selector: (index) => `tr[data-index="${index}"]`,
    scrollTo: (index) => virtualizer.scrollToIndex(index),
  })
  const items = virtualizer.getVirtualItems()
  useStablePosition(props, virtualizer.range?.startIndex ?? 0)
  useNearEnd(rows.length, virtualizer.range?.endIndex ?? 0, props.onNearEnd)
  useVisibleRange(rows, virtualizer.range?.startIndex, virtualizer.range?.endIndex, props.onVisibleRows)

  // `toggle` is the same function on every render, so that no TableRow is rendered again because of it
  const latestSelection = useRef(selection)
  useEffect(() => {
    latestSelection.current = selection
  })
  const toggle = useCallback((index: number, { isShiftHeld }: { isShiftHeld: boolean }) => {
    if (isShiftHeld) latestSelection.current.toggleRange(index)
    else latestSelection.current.toggle(index)
  }, [])
  const currentIndex = Math.max(cursor.index, 0)
  let renderedBottom = topHeight // the position in px where the last rendered row ends
  return (
    <tbody>
      {items.map(({ index, start, end }) => {
        const row = rows[index]
        const gap = start - renderedBottom
        renderedBottom = end
        return (
          row && (
            <Fragment key={row.id}>
              <Gap height={gap} />
              <TableRow
                row={row}
                index={index}
                name={rowName(row)}
                columns={columns}
                isSelected={selection.ids.has(row.id)}
                isFaded={isFaded?.(row) ?? false}
                isCurrent={index === currentIndex}
                onToggle={toggle}
              />
            </Fragment>
          )
        )
      })}
      <Gap height={topHeight + virtualizer.getTotalSize() - renderedBottom} />
      {footer}
    </tbody>
  )
}

/** An empty row in place of rows that are not rendered. */
const Gap = ({ height }: { height: number }) => (height > 0 ? <tr aria-hidden style={{ height }} /> : null)

/** Adds the current row to the rendered rows, because a row that is not rendered loses the focus. */
function addCurrentRow(indexes: number[], currentIndex: number): number[] {
  if (currentIndex < 0 || indexes.includes(currentIndex)) return indexes
  return [...indexes, currentIndex].toSorted((first, second) => first - second)
}

/** Keeps the visible rows in place when rows above them are added or removed, unless the list is scrolled to its top. */
function useStablePosition<Row extends { id: string }>(
  { box, rows, rowHeight, aboveHeight }: VirtualRowsProps<Row>,
  firstVisible: number,
): void {
  const previousFirst = useRef({ id: '', index: 0 })
  useLayoutEffect(() => {
    if (!box || box.scrollTop <= aboveHeight) return
    const { id, index } = previousFirst.current
    const newIndex = rows.findIndex((row) => row.id === id)
    if (newIndex >= 0 && newIndex !== index) box.scrollBy({ top: (newIndex - index) * rowHeight })
  }, [box, rows, rowHeight, aboveHeight])
  useEffect(() => {
    previousFirst.current = { id: rows[firstVisible]?.id ?? '', index: firstVisible }
  }, [rows, firstVisible])
}

import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { Fragment, useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { TableRow } from './TableRow.tsx'
import type { VirtualTableProps } from './VirtualTable.tsx'

/** Rows from the end at which more are asked for. */
const nearEnd = 30
/** Room for what floats over the last rows. */
const floatHeight = 76

/** The rows in sight, a few beyond, and the one under the cursor, which must not lose the focus. */
export function VirtualRows<Row extends { id: string }>(props: VirtualTableProps<Row> & { box: HTMLDivElement | null }) {
  const { box, columns, rows, rowName, faded, rowHeight, headHeight, selection, cursor, startAt, below } = props
  // oxlint-disable-next-line react/incompatible-library -- said for the React Compiler, which is not in use
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box,
    estimateSize: () => rowHeight,
    overscan: 6,
    useFlushSync: false, // else each wheel event draws at once, and long tasks pile up
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    scrollPaddingEnd: floatHeight,
    initialOffset: startAt,
    rangeExtractor: (range) => withCursor(defaultRangeExtractor(range), Math.min(cursor.index, rows.length - 1)),
  })
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight, headHeight])
  useFocusedRow(props, (index) => virtualizer.scrollToIndex(index))
  const drawn = virtualizer.getVirtualItems()
  useSteadySight(props, virtualizer.range?.startIndex ?? 0)
  useNearEnd(props, virtualizer.range?.endIndex ?? 0)

  const latest = useRef(selection)
  useEffect(() => {
    latest.current = selection
  })
  const toggle = useCallback((index: number, range: boolean) => latest.current.toggle(index, range), [])
  const current = Math.max(cursor.index, 0)
  let drawnTo = headHeight
  return (
    <tbody>
      {drawn.map(({ index, start, end }) => {
        const row = rows[index]
        const gap = start - drawnTo
        drawnTo = end
        return (
          row && (
            <Fragment key={row.id}>
              <Gap height={gap} />
              <TableRow
                row={row}
                index={index}
                name={rowName(row)}
                columns={columns}
                chosen={selection.ids.has(row.id)}
                faded={faded?.(row) ?? false}
                current={index === current}
                onToggle={toggle}
              />
            </Fragment>
          )
        )
      })}
      <Gap height={headHeight + virtualizer.getTotalSize() - drawnTo} />
      {below}
    </tbody>
  )
}

const Gap = ({ height }: { height: number }) => (height > 0 ? <tr aria-hidden style={{ height }} /> : null)

const withCursor = (indexes: number[], cursor: number) =>
  cursor < 0 || indexes.includes(cursor) ? indexes : [...indexes, cursor].toSorted((one, other) => one - other)

/** Takes the focus along when the cursor moves, and to the next row when the focused one goes. */
function useFocusedRow<Row extends { id: string }>(
  { box, cursor, rows }: VirtualTableProps<Row> & { box: HTMLDivElement | null },
  show: (index: number) => void,
): void {
  const inside = useRef(false)
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      inside.current = target instanceof Node && (box?.contains(target) ?? false)
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [box])
  const focus = useEffectEvent(() => {
    if (cursor.index < 0) return
    show(cursor.index)
    box?.querySelector<HTMLElement>(`tr[data-index="${cursor.index}"]`)?.focus({ preventScroll: true })
  })
  useEffect(() => {
    if (cursor.moves > 0) focus()
  }, [cursor.moves])
  const id = rows[cursor.index]?.id
  useEffect(() => {
    if (id && inside.current && document.activeElement === document.body) focus()
  }, [id])
}

/** When rows come or go above, what is in sight stays where it is, unless the list stands at its top. */
function useSteadySight<Row extends { id: string }>(
  { box, rows, rowHeight }: VirtualTableProps<Row> & { box: HTMLDivElement | null },
  firstInSight: number,
): void {
  const seen = useRef({ id: '', index: 0 })
  useLayoutEffect(() => {
    if (!box || box.scrollTop === 0) return
    const { id, index } = seen.current
    const now = rows.findIndex((row) => row.id === id)
    if (now >= 0 && now !== index) box.scrollBy({ top: (now - index) * rowHeight })
  }, [box, rows, rowHeight])
  useEffect(() => {
    seen.current = { id: rows[firstInSight]?.id ?? '', index: firstInSight }
  }, [rows, firstInSight])
}

function useNearEnd<Row>({ rows, onNearEnd }: VirtualTableProps<Row>, lastInSight: number): void {
  const near = lastInSight >= rows.length - nearEnd
  const ask = useEffectEvent(onNearEnd)
  // each time anew: what could not be had at first may be had now, without the reader moving
  useEffect(() => {
    if (near && rows.length > 0) ask()
  })
}

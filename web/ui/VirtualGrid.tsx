import { useResizeObserver } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useState, type ReactNode } from 'react'
import type { Cursor } from './cursor.ts'
import type { Selection } from './selection.ts'
import { useFocusedItem } from './useFocusedItem.ts'
import { useItemEvents } from './useItemEvents.ts'
import { useNearEnd, useScrollToTop, useVisibleRange } from './virtualList.ts'
import classes from './VirtualGrid.module.css'

type Tile = { isSelected: boolean; isInTabOrder: boolean; onToggle: (click: { isShiftHeld: boolean }) => void }

type VirtualGridProps<Item> = {
  /** The label of the grid: "Files". */
  label: string
  /** Shown above the grid. It scrolls with the tiles. */
  above?: ReactNode
  items: readonly Item[]
  /** The number of all items; undefined while it is unknown. */
  total: number | undefined
  /** Renders the content of a tile. Its link needs `data-row-link`; buttons need `data-action` with the name of an action. */
  renderTile: (item: Item, tile: Tile) => ReactNode
  /** In px. As many columns are shown as fit with this width. */
  minTileWidth: number
  /** In px, without the gap. */
  tileHeight: number
  selection: Selection
  /** The current tile, on which shortcuts act. */
  cursor: Cursor
  /** While tiles are selected, a click selects another tile and does not open it. Used on phones. */
  canSelectByTap?: boolean
  /** Called when a tile is clicked. */
  onOpen: (item: Item) => void
  /** Called when a button with `data-action` in a tile is clicked. */
  onAction: (action: string, item: Item, button: HTMLElement) => void
  /** Called on every render while the user is near the last tile. The caller must ignore calls while a request is running. */
  onNearEnd: () => void
  /** Called with the indexes of the first and last visible item, whenever these indexes or the items change. */
  onVisibleItems?: (first: number, last: number) => void
  /** Called with the number of columns when it changes. */
  onColumns?: (columns: number) => void
  /** The list's search, filters and sort as one text, for example as JSON. When it changes, the grid scrolls to the top. */
  queryText: string
  /** The name under which the router stores the scroll position. */
  scrollName: string
  /** The initial scroll position in px. */
  initialScroll: number
  isBusy?: boolean
  /** Shown below the last tile. */
  footer?: ReactNode
}

const gap = 12

/** A grid that renders only the visible tiles. A click on a tile is handled as in `VirtualTable`. */
export function VirtualGrid<Item extends { id: string }>(props: VirtualGridProps<Item>) {
  const { label, above, items, total, renderTile, minTileWidth, tileHeight, selection, cursor, isBusy = false } = props
  const [box, setBox] = useState<HTMLDivElement | null>(null)
  const [aboveElement, { height: aboveHeight }] = useResizeObserver()
  const [gridElement, { width }] = useResizeObserver<HTMLUListElement>()
  const columns = Math.max(1, Math.floor((width + gap) / (minTileWidth + gap)))
  const rowHeight = tileHeight + gap
  const scrollMargin = above ? aboveHeight : 0
  // oxlint-disable-next-line react/incompatible-library -- the rule is about the React Compiler, which is not used
  const virtualizer = useVirtualizer({
    count: Math.ceil(items.length / columns),
    getScrollElement: () => box,
    estimateSize: () => rowHeight,
    overscan: 3,
    useFlushSync: false, // with true, every wheel event renders synchronously, which is slow
    scrollMargin,
    scrollPaddingEnd: 96, // the selection bar covers the last tiles
    initialOffset: props.initialScroll,
  })
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight, scrollMargin])
  useItemEvents(box, {
    ...props,
    selector: '[data-tile]',
    canSelectByTap: props.canSelectByTap ?? false,
    canSelectByCtrlClick: true,
  })
  useScrollToTop(box, props.queryText)
  useFocusedItem({
    box,
    cursor,
    items,
    selector: (index) => `[data-tile][data-index="${index}"] a[data-row-link]`,
    scrollTo: (index) => virtualizer.scrollToIndex(Math.floor(index / columns)),
  })
  const { range } = virtualizer
  const lastVisible = range ? (range.endIndex + 1) * columns - 1 : 0
  useNearEnd(items.length, lastVisible, props.onNearEnd)
  useVisibleRange(items, range ? range.startIndex * columns : undefined, range ? lastVisible : undefined, props.onVisibleItems)
  const { onColumns } = props
  useEffect(() => onColumns?.(columns), [onColumns, columns])
  const currentIndex = Math.max(cursor.index, 0)
  return (
    <div
      ref={setBox}
      className={classes['box']}
      data-selecting={selection.ids.size > 0 || undefined}
      data-scroll-restoration-id={props.scrollName}
    >
      {above && <div ref={aboveElement}>{above}</div>}
      <div className={classes['padding']}>
        <ul
          ref={gridElement}
          className={classes['grid']}
          data-virtual // not printed: on paper there is a table with all loaded items
          aria-label={label}
          aria-busy={isBusy}
          style={{ height: virtualizer.getTotalSize() }}
        >
          {virtualizer.getVirtualItems().flatMap(({ index: row, start }) =>
            items.slice(row * columns, (row + 1) * columns).map((item, column) => {
              const index = row * columns + column
              return (
                <li
                  key={item.id}
                  data-tile
                  data-index={index}
                  data-selected={selection.ids.has(item.id) || undefined}
                  aria-setsize={total ?? -1}
                  aria-posinset={index + 1}
                  // with one gap added, the width is divided into equal columns that each end with a gap
                  style={{
                    top: start - scrollMargin,
                    left: `calc((100% + ${gap}px) / ${columns} * ${column})`,
                    width: `calc((100% + ${gap}px) / ${columns} - ${gap}px)`,
                    height: tileHeight,
                  }}
                >
                  {renderTile(item, {
                    isSelected: selection.ids.has(item.id),
                    isInTabOrder: index === currentIndex,
                    onToggle: ({ isShiftHeld }) => (isShiftHeld ? selection.toggleRange(index) : selection.toggle(index)),
                  })}
                </li>
              )
            }),
          )}
        </ul>
        {props.footer}
      </div>
    </div>
  )
}

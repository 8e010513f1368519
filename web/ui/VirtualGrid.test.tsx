import { fireEvent, render, screen } from '@testing-library/react'
import { MantineProvider } from '@mantine/core'
import { expect, test, vi } from 'vitest'
import { Checkbox } from './Checkbox.tsx'
import { useCursor } from './cursor.ts'
import { useSelection } from './selection.ts'
import { VirtualGrid } from './VirtualGrid.tsx'

const allItems = Array.from({ length: 1000 }, (_, index) => ({ id: String(index) }))
const onOpen = vi.fn<(item: { id: string }) => void>()
const onNearEnd = vi.fn<() => void>()

function Grid({ items = allItems }: { items?: readonly { id: string }[] }) {
  const selection = useSelection(items)
  return (
    <MantineProvider env="test">
      <VirtualGrid
        label="Numbers"
        items={items}
        total={items.length}
        minTileWidth={100}
        tileHeight={100}
        selection={selection}
        cursor={useCursor(items)}
        renderTile={({ id }, { isSelected, isInTabOrder, onToggle }) => (
          <>
            <Checkbox label={`Select ${id}`} checked={isSelected} onToggle={onToggle} />
            <a href={`/numbers/${id}`} data-row-link tabIndex={isInTabOrder ? 0 : -1}>
              {id}
            </a>
          </>
        )}
        onOpen={onOpen}
        onAction={() => {}}
        onNearEnd={onNearEnd}
        queryText=""
        scrollName="numbers"
        initialScroll={0}
      />
      <output>{selection.ids.size}</output>
    </MantineProvider>
  )
}

/** Gives the grid a height in px, because happy-dom has no layout. */
const setHeight = (): void => void vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(500)

test('only the visible tiles are rendered', () => {
  setHeight()
  render(<Grid />)
  const tiles = screen.getAllByRole('listitem')
  expect(tiles.length).toBeGreaterThan(3)
  expect(tiles.length).toBeLessThan(20)
  expect(tiles[0]?.getAttribute('aria-setsize')).toBe('1000')
  expect(onNearEnd).not.toHaveBeenCalled()
})

test('more items are requested near the last tile', () => {
  setHeight()
  render(<Grid items={allItems.slice(0, 5)} />)
  expect(onNearEnd).toHaveBeenCalled()
})

test('a click opens a tile, and a click with Ctrl or Shift selects tiles', () => {
  setHeight()
  render(<Grid />)
  fireEvent.click(screen.getByRole('link', { name: '0' }))
  expect(onOpen).toHaveBeenCalledExactlyOnceWith({ id: '0' })
  fireEvent.click(screen.getByRole('link', { name: '1' }), { ctrlKey: true })
  fireEvent.click(screen.getByRole('link', { name: '3' }), { shiftKey: true })
  expect(screen.getByRole('status').textContent).toBe('3') // the tiles 1, 2 and 3
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select 2' }))
  expect(screen.getByRole('status').textContent).toBe('2')
  expect(onOpen).toHaveBeenCalledTimes(1)
})

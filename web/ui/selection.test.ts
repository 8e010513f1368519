import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useSelection } from './selection.ts'

const makeRows = (ids: string) => ids.split('').map((id) => ({ id }))
/** Renders the selection of a list with a row for each letter. */
function renderSelection(ids: string) {
  const { result, rerender } = renderHook((rows) => useSelection(rows), { initialProps: makeRows(ids) })
  const change = (run: (selection: typeof result.current) => void): void => act(() => run(result.current))
  return { change, showRows: (changed: string) => rerender(makeRows(changed)), selected: () => [...result.current.ids].join('') }
}

test('a range begins at the last toggled row, also after a row was added before it', () => {
  const { change, showRows, selected } = renderSelection('abcdef')
  change(({ toggle }) => toggle(2))
  showRows('xabcdef')
  change(({ toggleRange }) => toggleRange(5))
  expect(selected()).toBe('cde')
})

test('a range begins at the row to which the selection was extended, also after rows before it were removed', () => {
  const { change, showRows, selected } = renderSelection('abcdef')
  change(({ extend }) => extend(2, 3))
  showRows('cdef')
  change(({ toggleRange }) => toggleRange(2))
  expect(selected()).toBe('cde')
})

test('a range is only the clicked row if the last toggled row was removed, and begins at the first row if none was toggled', () => {
  const { change, showRows, selected } = renderSelection('abcdef')
  change(({ toggleRange }) => toggleRange(1))
  expect(selected()).toBe('ab')
  showRows('acdef')
  change(({ toggleRange }) => toggleRange(3))
  expect(selected()).toBe('ae')
})

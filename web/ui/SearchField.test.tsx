import { act, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { SearchField } from './SearchField.tsx'

test('Enter searches, Escape clears the text, and neither has an effect while an input method composes a word', () => {
  const searches: string[] = []
  function List() {
    const [search, setSearch] = useState('')
    const changeSearch = (text: string): void => {
      searches.push(text)
      setSearch(text)
    }
    return <SearchField label="Search contacts" value={search} onSearch={changeSearch} />
  }
  render(<List />)
  const field = screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search contacts' })
  fireEvent.change(field, { target: { value: '野' } })
  fireEvent.keyDown(field, { key: 'Enter', isComposing: true })
  fireEvent.keyDown(field, { key: 'Escape', isComposing: true })
  expect(field.value).toBe('野')
  expect(searches).toEqual([])
  fireEvent.keyDown(field, { key: 'Enter' })
  fireEvent.keyDown(field, { key: 'Escape' })
  expect(field.value).toBe('')
  expect(searches).toEqual(['野', ''])
})

test('a text is searched in the list that is shown when the timer ends', () => {
  vi.useFakeTimers()
  const searches: string[] = []
  const makeField = (list: string) => <SearchField label="Search" value="" onSearch={(text) => searches.push(`${list}: ${text}`)} />
  const { rerender } = render(makeField('received'))
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'oak' } })
  act(() => void vi.advanceTimersByTime(150))
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'oaks' } })
  rerender(makeField('spam'))
  act(() => void vi.advanceTimersByTime(150))
  expect(searches).toEqual([])
  act(() => void vi.advanceTimersByTime(50))
  expect(searches).toEqual(['spam: oaks'])
})

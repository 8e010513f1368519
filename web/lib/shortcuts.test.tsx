import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { actions, useActions, type Action } from './actions.ts'
import { formatKeys, listenForShortcuts } from './shortcuts.ts'

let stop = (): void => {}
beforeEach(() => {
  stop = listenForShortcuts()
})
afterEach(() => stop())

function Page({ list }: { list: Action[] }) {
  useActions(list)
  return <input aria-label="Field" />
}

const press = (key: string, init: KeyboardEventInit = {}, target: Element = document.body): boolean =>
  fireEvent.keyDown(target, { key, ...init })

test('a shortcut runs its action while the page is shown, and does nothing afterwards', () => {
  const run = vi.fn<() => void>()
  const { unmount } = render(<Page list={[{ keys: 'n', label: 'New', run }]} />)
  expect(press('n')).toBe(false) // the default of the browser is prevented
  press('N', { shiftKey: true })
  press('n', { ctrlKey: true })
  press('n', { altKey: true })
  expect(run).toHaveBeenCalledTimes(1)
  unmount()
  expect(press('n')).toBe(true)
  expect(actions.get()).toEqual([])
})

test('shortcuts do nothing while a text field has the focus, unless they are allowed there', () => {
  const plain = vi.fn<() => void>()
  const always = vi.fn<() => void>()
  render(
    <Page
      list={[
        { keys: 'n', label: 'New', run: plain },
        { keys: 'mod+b', label: 'Fold', run: always, whileTyping: true },
      ]}
    />,
  )
  press('n', {}, screen.getByLabelText('Field'))
  press('b', { ctrlKey: true }, screen.getByLabelText('Field'))
  expect(plain).not.toHaveBeenCalled()
  expect(always).toHaveBeenCalledTimes(1)
})

test('shortcuts of the page do nothing while a dialog is open', () => {
  const run = vi.fn<() => void>()
  render(
    <>
      <Page list={[{ keys: 'n', label: 'New', run }]} />
      <dialog open aria-modal="true" />
    </>,
  )
  press('n')
  expect(run).not.toHaveBeenCalled()
})

test('the newest registration of a shortcut has priority, an action can have two shortcuts, and ? works without Shift', () => {
  const older = vi.fn<() => void>()
  const newer = vi.fn<() => void>()
  render(<Page list={[{ keys: 'j ArrowDown', label: 'Down', run: older }]} />)
  render(<Page list={[{ keys: 'j ?', label: 'Jump', run: newer }]} />)
  press('j')
  press('ArrowDown')
  press('?', { shiftKey: true })
  press('?')
  expect(older).toHaveBeenCalledTimes(1)
  expect(newer).toHaveBeenCalledTimes(3)
})

test('a shortcut runs with the state of the last render', () => {
  const seen: number[] = []
  function Counter() {
    const [count, setCount] = useState(0)
    useActions([{ keys: 'n', label: 'New', run: () => seen.push(count) }])
    return <button onClick={() => setCount(count + 1)}>More</button>
  }
  render(<Counter />)
  fireEvent.click(screen.getByRole('button', { name: 'More' }))
  press('n')
  expect(seen).toEqual([1])
})

test('two keys in sequence run the action of the sequence', () => {
  const together = vi.fn<() => void>()
  const alone = vi.fn<() => void>()
  const list = [
    { keys: 'g-c', label: 'Contacts', run: together },
    { keys: 'c', label: 'Clear', run: alone },
  ]
  render(<Page list={list} />)
  press('g')
  press('c')
  expect(together).toHaveBeenCalledTimes(1)
  press('c')
  press('g', { ctrlKey: true })
  press('c')
  press('g', {}, screen.getByLabelText('Field'))
  press('c')
  expect(together).toHaveBeenCalledTimes(1)
  expect(alone).toHaveBeenCalledTimes(3)
})

test('shortcuts are shown with the labels of the keys', () => {
  expect(formatKeys('g-c')).toEqual(['G', 'C'])
  expect(formatKeys('mod+shift+z')).toEqual(['Ctrl', 'Shift', 'Z'])
  expect(formatKeys('ArrowDown')).toEqual(['↓'])
  expect(formatKeys('?')).toEqual(['?'])
})

test('Escape that closes a dialog does not reach the page', () => {
  const run = vi.fn<() => void>()
  const { container } = render(<Page list={[{ keys: 'Escape', label: 'Cancel', run }]} />)
  const dialog = document.createElement('div')
  dialog.setAttribute('aria-modal', 'true')
  container.append(dialog)
  window.addEventListener('keydown', () => dialog.remove(), { capture: true, once: true })
  press('Escape')
  expect(run).not.toHaveBeenCalled()
  press('Escape')
  expect(run).toHaveBeenCalledTimes(1)
})

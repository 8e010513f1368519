import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { actions, useActions, type Action } from './actions.ts'
import { formatKeys, listenForShortcuts } from './shortcuts.ts'

let stop = (): void => {}
beforeEach(() => {
  stop = listenForShortcuts()
})
afterEach(() => stop())

/** A page that registers these actions and has a text field. */
function Page({ list }: { list: Action[] }) {
  useActions(list)
  return <input aria-label="Field" />
}

/** Presses a key. Returns false when the default action of the browser was prevented. */
const press = (key: string, init: KeyboardEventInit = {}, target: Element = document.body): boolean =>
  fireEvent.keyDown(target, { key, ...init })

test('a shortcut runs its action while the page is shown, and does nothing afterwards', () => {
  const run = vi.fn<() => void>()
  const { unmount } = render(<Page list={[{ keys: 'n', label: 'New', run }]} />)
  expect(press('n')).toBe(false)
  // with a modifier key it is another shortcut
  press('N', { shiftKey: true })
  press('n', { ctrlKey: true })
  press('n', { altKey: true })
  expect(run).toHaveBeenCalledTimes(1)
  unmount()
  expect(press('n')).toBe(true)
  expect(actions.get()).toEqual([])
})

test('a shortcut works as soon as its page is visible, before React runs its passive effects', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false) // otherwise React would wait for act(), which runs all effects at once
  const run = vi.fn<() => void>()
  const container = document.body.appendChild(document.createElement('div'))
  const root = createRoot(container)
  onTestFinished(() => {
    root.unmount()
    container.remove()
    vi.unstubAllGlobals()
  })
  const { promise: pressed, resolve } = Promise.withResolvers<boolean>()
  new MutationObserver(() => resolve(press('n'))).observe(container, { childList: true })
  root.render(<Page list={[{ keys: 'n', label: 'New', run }]} />)
  await pressed
  expect(run).toHaveBeenCalledTimes(1)
})

test('a key that is held down runs its shortcut once, except a key that moves to another row', () => {
  const runDelete = vi.fn<() => void>()
  const runMerge = vi.fn<() => void>()
  const runToggle = vi.fn<() => void>()
  const runMove = vi.fn<() => void>()
  const list = [
    { keys: 'Delete #', label: 'Delete', run: runDelete },
    { keys: 'mod+Enter', label: 'Merge', run: runMerge },
    { keys: 'mod+j', label: 'Show or hide', run: runToggle },
    { keys: 'j ArrowDown shift+j PageDown', label: 'Next', run: runMove },
  ]
  render(<Page list={list} />)
  const moves: [string, KeyboardEventInit][] = [
    ['j', {}],
    ['ArrowDown', {}],
    ['J', { shiftKey: true }],
    ['PageDown', {}],
  ]
  const others: [string, KeyboardEventInit][] = [
    ['Delete', {}],
    ['#', {}],
    ['Enter', { ctrlKey: true }],
    ['j', { ctrlKey: true }],
  ]
  for (const [key, init] of [...moves, ...others]) {
    press(key, init)
    expect(press(key, { ...init, repeat: true })).toBe(false) // the browser does nothing with the key either
  }
  expect(runDelete).toHaveBeenCalledTimes(2)
  expect(runMerge).toHaveBeenCalledTimes(1)
  expect(runToggle).toHaveBeenCalledTimes(1)
  expect(runMove).toHaveBeenCalledTimes(8)
})

test('shortcuts do nothing while a text field has the focus, except those with `worksWhileTyping`', () => {
  const runNew = vi.fn<() => void>()
  const runFold = vi.fn<() => void>()
  render(
    <Page
      list={[
        { keys: 'n', label: 'New', run: runNew },
        { keys: 'mod+b', label: 'Fold', run: runFold, worksWhileTyping: true },
      ]}
    />,
  )
  press('n', {}, screen.getByLabelText('Field'))
  press('b', { ctrlKey: true }, screen.getByLabelText('Field'))
  expect(runNew).not.toHaveBeenCalled()
  expect(runFold).toHaveBeenCalledTimes(1)
})

test('Space runs its action, except while a button or a checkbox has the focus, which handles the key itself', () => {
  const run = vi.fn<() => void>()
  render(
    <>
      <Page list={[{ keys: 'x Space', label: 'Select', run }]} />
      <button type="button">Save</button>
    </>,
  )
  expect(press(' ', {}, screen.getByRole('button'))).toBe(true)
  expect(run).not.toHaveBeenCalled()
  expect(press(' ')).toBe(false)
  expect(run).toHaveBeenCalledTimes(1)
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

test('the newest registration of a shortcut has priority, an action can have two shortcuts, and ? works with and without Shift', () => {
  const runOlder = vi.fn<() => void>()
  const runNewer = vi.fn<() => void>()
  render(<Page list={[{ keys: 'j ArrowDown', label: 'Down', run: runOlder }]} />)
  render(<Page list={[{ keys: 'j ?', label: 'Jump', run: runNewer }]} />)
  press('j')
  press('ArrowDown')
  press('?', { shiftKey: true })
  press('?')
  expect(runOlder).toHaveBeenCalledTimes(1)
  expect(runNewer).toHaveBeenCalledTimes(3)
})

test('a shortcut runs with the state of the last render', () => {
  const counts: number[] = []
  function Counter() {
    const [count, setCount] = useState(0)
    useActions([{ keys: 'n', label: 'New', run: () => counts.push(count) }])
    return <button onClick={() => setCount(count + 1)}>More</button>
  }
  render(<Counter />)
  fireEvent.click(screen.getByRole('button', { name: 'More' }))
  press('n')
  expect(counts).toEqual([1])
})

test('pressing g and then c runs the action of the sequence g-c, and pressing only c runs the action of c', () => {
  const runContacts = vi.fn<() => void>()
  const runClear = vi.fn<() => void>()
  const list = [
    { keys: 'g-c', label: 'Contacts', run: runContacts },
    { keys: 'c', label: 'Clear', run: runClear },
  ]
  render(<Page list={list} />)
  press('g')
  press('c')
  expect(runContacts).toHaveBeenCalledTimes(1)
  press('c')
  press('g', { ctrlKey: true })
  press('c')
  press('g', {}, screen.getByLabelText('Field'))
  press('c')
  expect(runContacts).toHaveBeenCalledTimes(1)
  expect(runClear).toHaveBeenCalledTimes(3)
})

test('formatKeys returns the labels of the keys of a shortcut', () => {
  expect(formatKeys('g-c')).toEqual(['G', 'C'])
  expect(formatKeys('mod+shift+z')).toEqual(['Ctrl', 'Shift', 'Z'])
  expect(formatKeys('ArrowDown')).toEqual(['↓'])
  expect(formatKeys('?')).toEqual(['?'])
})

test('a native dialog that is closed and still in the document does not stop the shortcuts', () => {
  const run = vi.fn<() => void>()
  render(
    <>
      <Page list={[{ keys: '?', label: 'Help', run }]} />
      <dialog aria-modal="true" />
    </>,
  )
  press('?')
  expect(run).toHaveBeenCalledTimes(1)
})

test('when Escape closes a dialog, it does not run the shortcut Escape of the page', () => {
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

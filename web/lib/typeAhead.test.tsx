import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useEffect, useRef, useState, type ComponentType } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useActions } from './actions.ts'
import { lazyPart } from './lazyPart.ts'
import { startOpening } from './openings.ts'
import { listenForShortcuts } from './shortcuts.ts'
import { toasts } from './toasts.ts'

let stop = (): void => {}
beforeEach(() => {
  stop = listenForShortcuts()
})
afterEach(() => stop())

type DialogProps = { onClose: () => void; onSave: (values: string[]) => void }

/** A dialog with two fields, of which the first has the focus. */
function NameDialog({ onClose, onSave }: DialogProps) {
  const first = useRef<HTMLInputElement>(null)
  const last = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])
  return (
    <dialog open aria-modal="true">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onSave([first.current?.value ?? '', last.current?.value ?? ''])
          onClose()
        }}
      >
        <input ref={first} aria-label="First name" />
        <input ref={last} aria-label="Last name" />
      </form>
    </dialog>
  )
}

/**
 * Renders a page with the shortcuts N, O and R. N opens the dialog, whose code is loaded when the test calls `loadCode` or
 * `failToLoadCode`.
 */
function renderPage() {
  let code = Promise.withResolvers<ComponentType<DialogProps>>()
  const Dialog = lazyPart(() => code.promise)
  const onSave = vi.fn<(values: string[]) => void>()
  const runOther = vi.fn<() => void>()
  function Page() {
    const [isOpen, setOpen] = useState(false)
    const close = (): void => setOpen(false)
    useActions([
      { keys: 'n', label: 'New', run: () => setOpen(true) },
      { keys: 'o', label: 'Other', run: runOther },
      { keys: 'r', label: 'Another', run: runOther },
    ])
    return (
      <main tabIndex={-1}>
        <button type="button">Row</button>
        {isOpen && <Dialog onLoadCancelled={close} onClose={close} onSave={onSave} />}
      </main>
    )
  }
  render(<Page />)
  return {
    onSave,
    runOther,
    loadCode: () => act(async () => code.resolve(NameDialog)),
    failToLoadCode: () =>
      act(async () => {
        const failed = code
        code = Promise.withResolvers()
        failed.reject(new TypeError('Failed to fetch dynamically imported module'))
      }),
  }
}

/** Presses a key on the element with the focus. Returns false when the default action of the browser was prevented. */
const press = (key: string, init: KeyboardEventInit = {}): boolean =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key, code: `Key${key}`, ...init })

test('keys wait for the dialog that a shortcut opens and arrive in order, and do not run shortcuts of the page', async () => {
  const page = renderPage()
  // the first N opens the dialog; the other keys write "nora" into its first field and "Ro" into its second
  for (const key of ['n', 'n', 'o', 'r', 's', 'Backspace', 'a', 'Tab', 'R', 'o']) press(key)
  expect(screen.queryByRole('dialog')).toBeNull()
  await page.loadCode()
  press('x')
  press('Enter')
  await waitFor(() => expect(page.onSave).toHaveBeenCalledWith(['nora', 'Rox']))
  expect(page.runOther).not.toHaveBeenCalled()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  press('o')
  await waitFor(() => expect(page.runOther).toHaveBeenCalledTimes(1))
})

test('keys that are held down while a page is opening run no shortcut of it', async () => {
  const page = renderPage()
  const runDelete = vi.fn<() => void>()
  function Deletion() {
    useActions([{ keys: 'Delete #', label: 'Delete', run: runDelete }])
    return null
  }
  render(<Deletion />)
  const endOpening = startOpening()
  press('Delete', { repeat: true })
  press('#', { repeat: true })
  press('o')
  endOpening()
  await waitFor(() => expect(page.runOther).toHaveBeenCalledTimes(1))
  expect(runDelete).not.toHaveBeenCalled()
})

test('Escape closes the dialog that is opening and removes the waiting keys', async () => {
  const page = renderPage()
  screen.getByRole('button', { name: 'Row' }).focus()
  for (const key of ['n', 'a', 'b', 'Escape']) press(key)
  await page.loadCode()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(document.activeElement?.textContent).toBe('Row')
  press('o')
  expect(page.runOther).toHaveBeenCalledTimes(1)
  press('n')
  expect((await screen.findByLabelText<HTMLInputElement>('First name')).value).toBe('')
})

test('a key that is held down is not typed into the dialog that it opens; a second press of the key is typed', async () => {
  const page = renderPage()
  press('n')
  press('n', { repeat: true })
  await page.loadCode()
  const field = screen.getByLabelText<HTMLInputElement>('First name')
  await waitFor(() => expect(document.activeElement).toBe(field))
  expect(press('n', { repeat: true })).toBe(false)
  fireEvent.keyUp(field, { key: 'n', code: 'Keyn' })
  expect(press('n')).toBe(true) // a browser would type the key, but the DOM of the tests does not
  expect(field.value).toBe('')
})

test('text that is composed while the dialog is opening arrives in it, between the keys that were pressed before and after', async () => {
  const page = renderPage()
  press('n')
  press('a')
  // the browser composes in a hidden field
  await waitFor(() => expect(screen.getByLabelText('Opening')).toBe(document.activeElement))
  const field = screen.getByLabelText<HTMLInputElement>('Opening')
  expect(press('Process', { isComposing: true })).toBe(true)
  field.value = '野'
  fireEvent.compositionEnd(field)
  press('b')
  await page.loadCode()
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('First name').value).toBe('a野b'))
  expect(screen.queryByLabelText('Opening')).toBeNull()
})

test('when the code cannot be loaded, a toast says so, no element gets the keys, and the next press tries again', async () => {
  const page = renderPage()
  for (const key of ['n', 'o', 'r']) press(key)
  await page.failToLoadCode()
  expect(toasts.get().map(({ title }) => title)).toEqual(['This could not be opened'])
  expect(page.runOther).not.toHaveBeenCalled()
  press('n')
  press('a')
  await page.loadCode()
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('First name').value).toBe('a'))
})

test('shortcuts of the browser keep their effect while something is opening', () => {
  renderPage()
  press('n')
  expect(press('r', { ctrlKey: true })).toBe(true)
  expect(press('F5')).toBe(true)
  expect(press('r')).toBe(false) // waits for the dialog
})

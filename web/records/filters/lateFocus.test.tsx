// Tests that a busy browser, which sets the focus of a menu late, does not apply a filter whose value the user is still typing.
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { imara, makePage, setElementSize } from '#web/contacts/testing.ts'
import { mockServer, nora, renderApp } from '#web/testing.ts'

test('when the menu sets the focus after the user has typed a value, the focus stays on the input and the value is not applied', async () => {
  setElementSize()
  mockServer({
    'GET /api/session': nora,
    'GET /api/contacts': makePage([imara]),
    'GET /api/contacts/count': { count: 1, more: false },
    'GET /api/views': { rows: [] },
  })
  const { router } = await renderApp('/crm/contacts')
  await screen.findByRole('link', { name: /Imara Vantongeren/ })
  const runHeldCallbacks = holdUndelayedCallbacks()
  fireEvent.click(screen.getByRole('button', { name: 'Filter' }))
  const fields = await screen.findByRole('textbox', { name: 'Filter by' })
  fireEvent.change(fields, { target: { value: 'City' } })
  fireEvent.keyDown(fields, { key: 'Enter' })
  const input = await screen.findByRole('textbox', { name: 'City contains' })
  fireEvent.change(input, { target: { value: 'mill' } })
  expect(runHeldCallbacks()).toBeGreaterThan(0)
  expect(document.activeElement).toBe(input)
  fireEvent.keyDown(input, { key: 'Escape', isComposing: true }) // ends only the composition of a word
  expect(screen.getByRole('form', { name: 'City' })).toBeTruthy()
  fireEvent.keyDown(input, { key: 'Escape' }) // discards the typed text
  await waitFor(() => expect(screen.queryByRole('form', { name: 'City' })).toBeNull())
  expect(router.state.location.search).toEqual({})
})

/**
 * Holds back the callbacks that are passed to `setTimeout` without a delay; Mantine focuses the content of a menu in one of them. The
 * returned function runs them and returns their number.
 */
function holdUndelayedCallbacks(): () => number {
  const heldCallbacks: (() => void)[] = []
  const { setTimeout } = globalThis
  vi.spyOn(globalThis, 'setTimeout').mockImplementation((callback, delay) => {
    if (delay !== undefined || typeof callback === 'string') return setTimeout(callback, delay)
    heldCallbacks.push(() => callback())
    return setTimeout(() => {}, 0)
  })
  return () => {
    for (const callback of heldCallbacks) callback()
    return heldCallbacks.length
  }
}

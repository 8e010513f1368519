import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MantineProvider } from '@mantine/core'
import { expect, test, vi } from 'vitest'
import { ErrorPage } from './ErrorPage.tsx'
import { stayWhenOffline } from './loadFailure.ts'

const lost = 'Failed to fetch dynamically imported module: http://foyer.test/assets/TrashPage.js'
const fail = (message: string): void => {
  render(
    <MantineProvider env="test">
      <ErrorPage error={new Error(message)} reset={() => {}} />
    </MantineProvider>,
  )
}

test('a screen that the network did not bring is tried again by the person, and by itself when the network is back', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
  const ask = vi.fn<() => Promise<Response>>().mockRejectedValue(new TypeError('Failed to fetch'))
  vi.stubGlobal('fetch', ask)
  fail(lost)
  expect(screen.getByRole('alert').textContent).toContain('This page could not be loaded')
  expect(screen.getByText(/^You seem to be offline/)).toBeTruthy()
  const again = screen.getByRole<HTMLButtonElement>('button', { name: 'Try again' })
  fireEvent.click(again)
  await waitFor(() => expect(again.disabled).toBe(false))
  expect(ask).toHaveBeenCalledTimes(1)
  expect(reload).not.toHaveBeenCalled()
  ask.mockResolvedValue(new Response())
  fireEvent(window, new Event('online'))
  await waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
})

test('any other failure keeps its heading', () => {
  fail('x is not a function')
  expect(screen.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeTruthy()
})

test('without network the router does not reload the page', () => {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true)
  stayWhenOffline()
  const failed = Object.assign(new Event('vite:preloadError'), { payload: new Error(lost) })
  window.dispatchEvent(failed)
  expect(sessionStorage.getItem(`tanstack_router_reload:${lost}`)).toBeNull()
  online.mockReturnValue(false)
  window.dispatchEvent(failed)
  expect(sessionStorage.getItem(`tanstack_router_reload:${lost}`)).toBe('1')
})

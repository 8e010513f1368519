import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MantineProvider } from '@mantine/core'
import { expect, test, vi } from 'vitest'
import { ErrorPage, preventRouterReloadWhenOffline } from './ErrorPages.tsx'

const loadFailureMessage = 'Failed to fetch dynamically imported module: http://foyer.test/assets/TrashPage.js'
const renderError = (message: string): void => {
  render(
    <MantineProvider env="test">
      <ErrorPage error={new Error(message)} reset={() => {}} />
    </MantineProvider>,
  )
}

test('when the code of a page cannot be loaded, a button tries again, and the page reloads when the browser is online again', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
  const request = vi.fn<() => Promise<Response>>().mockRejectedValue(new TypeError('Failed to fetch'))
  vi.stubGlobal('fetch', request)
  renderError(loadFailureMessage)
  expect(screen.getByRole('alert').textContent).toContain('This page could not be loaded')
  expect(screen.getByText(/^You seem to be offline/)).toBeTruthy()
  const retry = screen.getByRole<HTMLButtonElement>('button', { name: 'Try again' })
  fireEvent.click(retry)
  await waitFor(() => expect(retry.disabled).toBe(false))
  expect(request).toHaveBeenCalledTimes(1)
  expect(reload).not.toHaveBeenCalled()
  request.mockResolvedValue(new Response())
  fireEvent(window, new Event('online'))
  await waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
})

test('other errors show the general error page', () => {
  renderError('x is not a function')
  expect(screen.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeTruthy()
})

test('when code cannot be loaded while offline, preventRouterReloadWhenOffline marks the reload as done, so that the router does not reload', () => {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true)
  preventRouterReloadWhenOffline()
  // Vite sends this event when it cannot load the code of a screen
  const failedLoad = Object.assign(new Event('vite:preloadError'), { payload: new Error(loadFailureMessage) })
  window.dispatchEvent(failedLoad)
  expect(sessionStorage.getItem(`tanstack_router_reload:${loadFailureMessage}`)).toBeNull()
  online.mockReturnValue(false)
  window.dispatchEvent(failedLoad)
  expect(sessionStorage.getItem(`tanstack_router_reload:${loadFailureMessage}`)).toBe('1')
})

import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MantineProvider } from '@mantine/core'
import { expect, test, vi } from 'vitest'
import { ErrorPage, preventReloadWhenOffline } from './ErrorPages.tsx'

const loadFailure = 'Failed to fetch dynamically imported module: http://foyer.test/assets/TrashPage.js'
const renderError = (message: string): void => {
  render(
    <MantineProvider env="test">
      <ErrorPage error={new Error(message)} reset={() => {}} />
    </MantineProvider>,
  )
}

test('a page whose code could not be loaded can be retried, and is retried automatically when the browser is online again', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
  const request = vi.fn<() => Promise<Response>>().mockRejectedValue(new TypeError('Failed to fetch'))
  vi.stubGlobal('fetch', request)
  renderError(loadFailure)
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

test('without a network the router does not reload the page', () => {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true)
  preventReloadWhenOffline()
  const failed = Object.assign(new Event('vite:preloadError'), { payload: new Error(loadFailure) })
  window.dispatchEvent(failed)
  expect(sessionStorage.getItem(`tanstack_router_reload:${loadFailure}`)).toBeNull()
  online.mockReturnValue(false)
  window.dispatchEvent(failed)
  expect(sessionStorage.getItem(`tanstack_router_reload:${loadFailure}`)).toBe('1')
})

import { act, fireEvent, render, screen } from '@testing-library/react'
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isStreamLost } from '#web/lib/events.ts'
import { queries } from '#web/lib/queries.ts'
import { ConnectionPill } from './ConnectionPill.tsx'

// The pill is a label that says that the browser is offline. When the stream of live updates is lost, the browser first gets 4 s to open it
// again; then a HEAD request checks every 5 s whether the server responds.

/** The mock of `fetch`, which receives the checks. */
let request = vi.fn<() => Promise<Response>>()
/** How often the query of the page was fetched. */
let fetches = 0
beforeEach(() => {
  vi.useFakeTimers()
  request = vi.fn<() => Promise<Response>>().mockRejectedValue(new TypeError('Failed to fetch'))
  vi.stubGlobal('fetch', request)
  const queryFn = () => {
    fetches += 1
    return fetches
  }
  new QueryObserver(queries, { queryKey: ['shown'], queryFn }).subscribe(() => {})
  render(<ConnectionPill />)
})
afterEach(() => {
  isStreamLost.set(false)
  vi.useRealTimers()
})

const isPillShown = (): boolean => screen.queryByText('Offline. Changes cannot be saved.') !== null
const wait = (ms: number): Promise<void> => act(async () => void (await vi.advanceTimersByTimeAsync(ms)))

test('the pill appears when the browser goes offline; when the browser is online again, the queries of the page are fetched again', async () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  fireEvent(window, new Event('offline'))
  expect(isPillShown()).toBe(true)
  await wait(20_000)
  expect(isPillShown()).toBe(true)
  onLine.mockReturnValue(true)
  request.mockResolvedValue(new Response())
  const fetchesBefore = fetches
  fireEvent(window, new Event('online'))
  await wait(10)
  expect(isPillShown()).toBe(false)
  expect(fetches).toBe(fetchesBefore + 1)
})

test('the pill appears when the server cannot be reached and the event stream is lost for 4 s, but not when it is lost for one second', async () => {
  act(() => isStreamLost.set(true))
  await wait(1000)
  act(() => isStreamLost.set(false))
  await wait(10_000)
  expect(isPillShown()).toBe(false)
  act(() => isStreamLost.set(true))
  await wait(5000)
  expect(isPillShown()).toBe(true)
  request.mockResolvedValue(new Response())
  await wait(6000)
  expect(isPillShown()).toBe(false)
})

test('the pill appears even if the browser reports every 3 s that it cannot open the event stream, which is before the 4 s are over', async () => {
  for (let second = 0; second < 12; second += 3) {
    act(() => isStreamLost.set(true))
    await wait(3000)
  }
  expect(isPillShown()).toBe(true)
})

test('while the event stream is lost, the pill appears when the server stops responding, and disappears when it responds again', async () => {
  request.mockResolvedValue(new Response())
  act(() => isStreamLost.set(true))
  await wait(5000)
  expect(isPillShown()).toBe(false)
  request.mockRejectedValue(new TypeError('Failed to fetch'))
  await wait(6000)
  expect(isPillShown()).toBe(true)
  request.mockResolvedValue(new Response())
  await wait(6000)
  expect(isPillShown()).toBe(false)
})

test('the pill appears when the server accepts the request of a check but never responds', async () => {
  // a time limit that follows the fake timers
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const limit = new AbortController()
    setTimeout(() => limit.abort(), ms)
    return limit.signal
  })
  vi.stubGlobal('fetch', (_address: string, { signal }: { signal: AbortSignal }) => {
    const response = Promise.withResolvers<Response>()
    signal.addEventListener('abort', () => response.reject(signal.reason))
    return response.promise
  })
  act(() => isStreamLost.set(true))
  await wait(9000)
  expect(isPillShown()).toBe(true)
})

test('a check that ends after the event stream is open again has no effect', async () => {
  const response = Promise.withResolvers<Response>()
  request.mockReturnValue(response.promise)
  act(() => isStreamLost.set(true))
  await wait(4500)
  expect(request).toHaveBeenCalledTimes(1)
  act(() => isStreamLost.set(false))
  response.reject(new TypeError('Failed to fetch'))
  await wait(1000)
  expect(isPillShown()).toBe(false)
})

test('the pill does not appear while the event stream is lost but the server responds to the checks', async () => {
  request.mockResolvedValue(new Response())
  act(() => isStreamLost.set(true))
  await wait(20_000)
  expect(isPillShown()).toBe(false)
})

// The set-up and the helpers of all tests of the web application. They run in happy-dom, with a mocked server.
import { createElement } from 'react'
import { cleanup, configure, fireEvent, render } from '@testing-library/react'
import { createMemoryHistory } from '@tanstack/react-router'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import * as z from 'zod/mini'
import type { SignedIn } from '#contract/accounts.ts'
import { errors, Problem, type ErrorCode, type ProblemExtras } from '#contract/errors.ts'
import type { Route } from '#contract/route.ts'
import { allRoutes } from '#contract/routes.ts'
import { hasRunningWrites, setRetryDelays, waitForWrites } from '#web/lib/client.ts'
import { queries } from '#web/lib/queries.ts'
import { toasts } from '#web/lib/toasts.ts'
import { loadFloating } from '#web/ui/floating.ts'
import { simplifyComputedStyles, turnOffElementStacks } from './testing-cost.ts'

// Mantine needs ResizeObserver and document.fonts, which happy-dom does not have
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
// happy-dom lacks execCommand and checkVisibility, which the application needs to repeat keys that were pressed before a screen was loaded
Object.defineProperty(document, 'execCommand', { value: runEditCommand, configurable: true })
Object.defineProperty(Element.prototype, 'checkVisibility', { value: () => true, configurable: true })
Object.defineProperty(document, 'fonts', { value: document.fonts ?? new EventTarget(), configurable: true })

// the first test of a file loads the whole application
vi.setConfig({ testTimeout: 40_000 })
configure({ asyncUtilTimeout: 15_000 })
setRetryDelays([1, 1])
turnOffElementStacks()
simplifyComputedStyles()

/** The errors that React, the router or other code wrote to the console during the current test. Any error fails the test. */
let consoleErrors: string[] = []

beforeEach(() => {
  consoleErrors = []
  vi.spyOn(console, 'error').mockImplementation((...values: unknown[]) => void consoleErrors.push(values.map(String).join(' ')))
  queries.setDefaultOptions({ ...queries.getDefaultOptions(), queries: { ...queries.getDefaultOptions().queries, retry: false } })
})

afterEach(async () => {
  vi.useRealTimers()
  fireEvent.pointerUp(window) // ends a press that the test has begun; the application renders menus only when nothing is pressed
  cleanup()
  document.body.replaceChildren() // the elements of tests that use no `render`; the files of a worker share the document
  await expectNoRunningWrites()
  queries.clear()
  toasts.set([])
  localStorage.clear()
  sessionStorage.clear()
  setWindowWidth(defaultWidthPx)
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  if (consoleErrors.length > 0) throw new Error(`Errors on the console:\n${consoleErrors.join('\n')}`)
})

/** Waits until all writes have ended. A write without a response would hold back the undo of the next tests. */
async function expectNoRunningWrites(): Promise<void> {
  const stopWaiting = AbortSignal.timeout(1000)
  await Promise.race([waitForWrites(), new Promise((resolve) => stopWaiting.addEventListener('abort', resolve))])
  if (hasRunningWrites()) throw new Error('The test ended while a write had no response')
}

declare global {
  var happyDOM: { setViewport: (viewport: { width: number; height: number }) => void }
}

/** The width of the window of happy-dom. */
const defaultWidthPx = 1024

/** Sets the width of the window in px, until the test ends. */
export const setWindowWidth = (px: number): void => globalThis.happyDOM.setViewport({ width: px, height: 800 })

/** Requires that a console error matches the pattern, and removes that error, so that the test does not fail. */
export function expectConsoleError(pattern: RegExp): void {
  expect(consoleErrors.join('\n')).toMatch(pattern)
  consoleErrors = consoleErrors.filter((error) => !pattern.test(error))
}

type ReceivedRequest = {
  method: string
  path: string
  params: Record<string, string>
  query: Record<string, string>
  body: unknown
  headers: Headers
  /** The signal with which the application aborts the request. */
  signal: AbortSignal | undefined
}
type HandlerResult = Response | object | undefined
type Handler = HandlerResult | ((request: ReceivedRequest) => HandlerResult | Promise<HandlerResult>)

/**
 * Replaces `fetch` with handlers for routes of the contract: `{ 'GET /api/contacts/{id}': contact }`. A handler is a response, an object
 * (sent as JSON), undefined (sent as status 204), or a function that returns one of these. Routes without a handler return 404. A response
 * that violates the contract fails the test.
 */
export function mockServer(handlers: Record<string, Handler>) {
  const requests: ReceivedRequest[] = []
  const handlersByRoute = new Map<string, Handler>()
  const setHandlers = (newHandlers: Record<string, Handler>): void => {
    for (const [name, handler] of Object.entries(newHandlers)) {
      requireRoute(name)
      handlersByRoute.set(name, handler)
    }
  }
  setHandlers(handlers)
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const url = new URL(address, 'http://foyer.test')
    const method = init.method ?? 'GET'
    for (const [name, handler] of handlersByRoute) {
      const params = matchPath(name, method, url.pathname)
      if (!params) continue
      const request = toRequest(method, url, params, init)
      requests.push(request)
      init.signal?.throwIfAborted()
      const response = toResponse(typeof handler === 'function' ? await handler(request) : handler)
      await checkContract(name, response.clone())
      return response
    }
    return problemResponse('not_found')
  })
  return {
    /** All requests, oldest first. */
    requests,
    /** Returns the requests to one route: `requestsTo('PATCH /api/contacts/{id}')`. */
    requestsTo: (name: string): ReceivedRequest[] => requests.filter(({ method, path }) => matchPath(name, method, path)),
    /** Adds or replaces handlers. */
    setHandlers,
  }
}

const toRequest = (method: string, url: URL, params: Record<string, string>, { body, headers, signal }: RequestInit): ReceivedRequest => ({
  method,
  path: url.pathname,
  params,
  query: Object.fromEntries(url.searchParams),
  body: typeof body === 'string' ? JSON.parse(body) : undefined,
  headers: new Headers(headers),
  signal: signal ?? undefined,
})

function toResponse(response: HandlerResult): Response {
  if (response instanceof Response) return response.clone()
  return response === undefined ? new Response(null, { status: 204 }) : Response.json(response)
}

function requireRoute(name: string): Route {
  const route = allRoutes.find(({ method, path }) => name === `${method} ${path}`)
  if (!route) throw new Error(`${name} is not a route of the contract`)
  return route
}

/**
 * Checks a response against the contract. Reports a violation as a console error, which fails the test at its end. A thrown error would
 * not fail the test, because the client would treat the error as a network error.
 */
async function checkContract(name: string, response: Response): Promise<void> {
  if (response.ok && requireRoute(name).eventList) return // the stream may still be open, and the client parses its events
  const isProblem = response.headers.get('content-type') === 'application/problem+json'
  if (!response.ok && !isProblem) return // a proxy in front of the server may send any error page
  const body = response.clone().text()
  const isComplete = await body.then(
    () => true,
    () => false,
  )
  if (!isComplete) return // the test simulates a connection that is lost during the body
  const { out, file, download, mayContinue, status: declaredStatus } = requireRoute(name)
  // 206: a part of a download; 202: a change that continues as a job
  const isOtherAllowedStatus = (download && response.status === 206) || (mayContinue && response.status === 202)
  const status = declaredStatus ?? (out || file || download ? 200 : 204)
  const schema = isProblem ? Problem : out
  const result = schema ? schema.safeParse(await response.json().catch(() => undefined)) : undefined
  if (result?.success === false)
    consoleErrors.push(`${name} returned a response that violates the contract:\n${z.prettifyError(result.error)}`)
  if (response.ok && response.status !== status && !isOtherAllowedStatus)
    consoleErrors.push(`${name} returned ${response.status} instead of ${status}`)
}

/** Creates an error response with a problem document. */
export function problemResponse(code: ErrorCode, extras: ProblemExtras & { detail?: string } = {}): Response {
  const [status, detail] = errors[code]
  const problem = { type: `/problems/${code}`, title: detail, status, code, detail, request_id: 'r-1', ...extras }
  return Response.json(problem, { status, headers: { 'content-type': 'application/problem+json' } })
}

/** Creates the response to a write. Its header `foyer-change` has the id by which the change can be undone. No body means status 204. */
export function changeResponse(changeId: string, body?: object, status = body ? 200 : 204): Response {
  const headers = { 'foyer-change': changeId }
  return body ? Response.json(body, { status, headers }) : new Response(null, { status, headers })
}

/** The signed-in user of most tests. */
export const nora: SignedIn = {
  user: { id: '01930000-0000-7000-8000-00000000000a', email: 'nora@larkfield.example' },
  profile: {
    id: '01930000-0000-7000-8000-00000000000a',
    full_name: 'Nora Ellisande',
    timezone: 'Europe/London',
    country: 'GB',
    currency: 'GBP',
    region_confirmed: false,
    first_steps_hidden: false,
    updated_at: '2026-11-20T09:00:00.000Z',
    version: 1,
  },
  session_id: '01930000-0000-7000-8000-0000000000f1',
}

/** Renders the whole application at an address. */
export async function renderApp(address: string) {
  const { Application } = await import('#web/shell/Application.tsx')
  const { createAppRouter } = await import('#web/shell/router.ts')
  await loadFloating()
  const router = createAppRouter(createMemoryHistory({ initialEntries: [address] }))
  render(createElement(Application, { router, env: 'test' }))
  return { router }
}

/** Returns true if the browser would ask the user before it closes the page. */
export const asksBeforeClose = (): boolean => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))

/** Returns the parameters in a path such as `/api/contacts/1`; undefined when the request does not match the route `name`. */
function matchPath(name: string, method: string, path: string): Record<string, string> | undefined {
  const [expectedMethod, template = ''] = name.split(' ')
  if (expectedMethod !== method) return undefined
  if (path === template) return {}
  const pattern = template.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)') // `{id}` becomes a named group
  return new RegExp(`^${pattern}$`).exec(path)?.groups
}

/** Replaces `document.execCommand` for the focused text field. */
function runEditCommand(command: string, _showUi: boolean, text = ''): void {
  const field = document.activeElement
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return
  const { value } = field
  const [start, end] = [field.selectionStart ?? value.length, field.selectionEnd ?? value.length]
  const keptLength = command === 'delete' && start === end ? start - 1 : start // 'delete' without a selection is Backspace
  fireEvent.change(field, { target: { value: value.slice(0, keptLength) + text + value.slice(end) } })
}

import { createElement } from 'react'
import { cleanup, configure, render } from '@testing-library/react'
import { createMemoryHistory } from '@tanstack/react-router'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import * as z from 'zod/mini'
import type { SignedIn } from '#contract/accounts.ts'
import { errors, Problem, type ErrorCode, type ProblemExtras } from '#contract/errors.ts'
import type { Route } from '#contract/route.ts'
import { allRoutes } from '#contract/routes.ts'
import { queries } from '#web/lib/queries.ts'
import { toasts } from '#web/lib/toasts.ts'

// what Mantine asks of a browser and happy-dom lacks
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}

Object.defineProperty(document, 'fonts', { value: document.fonts ?? new EventTarget(), configurable: true })

// the first screen of a file loads the whole application
vi.setConfig({ testTimeout: 20_000 })
configure({ asyncUtilTimeout: 5000 })

/** What React and the router complain about on the console; a test that causes any of it fails. */
let complaints: string[] = []

beforeEach(() => {
  complaints = []
  vi.spyOn(console, 'error').mockImplementation((...said: unknown[]) => void complaints.push(said.map(String).join(' ')))
  queries.setDefaultOptions({ ...queries.getDefaultOptions(), queries: { ...queries.getDefaultOptions().queries, retry: false } })
})

afterEach(() => {
  cleanup()
  queries.clear()
  toasts.set([])
  localStorage.clear()
  sessionStorage.clear()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  if (complaints.length > 0) throw new Error(`The console said:\n${complaints.join('\n')}`)
})

/** Expects a complaint on the console and takes it off the list, so that the test does not fail for it. */
export function expectComplaint(pattern: RegExp): void {
  expect(complaints.join('\n')).toMatch(pattern)
  complaints = complaints.filter((said) => !pattern.test(said))
}

type Asked = {
  method: string
  path: string
  params: Record<string, string>
  query: Record<string, string>
  body: unknown
  headers: Headers
}
type Reply = Response | object | undefined
type Handler = Reply | ((asked: Asked) => Reply | Promise<Reply>)

/**
 * A server in the wire format of the contract: `{ 'GET /api/contacts/{id}': contact }`. An object is answered as JSON, undefined as 204.
 * An answer that the contract does not allow fails the test.
 */
export function standInServer(handlers: Record<string, Handler>) {
  const asked: Asked[] = []
  const answers = new Map<string, Handler>()
  const answer = (others: Record<string, Handler>): void => {
    for (const [name, handler] of Object.entries(others)) answers.set(routeNamed(name) && name, handler)
  }
  answer(handlers)
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const url = new URL(address, 'http://foyer.test')
    const method = init.method ?? 'GET'
    for (const [name, handler] of answers) {
      const params = paramsOf(name, method, url.pathname)
      if (!params) continue
      const question = questionOf(method, url, params, init)
      asked.push(question)
      init.signal?.throwIfAborted()
      const reply = responseOf(typeof handler === 'function' ? await handler(question) : handler)
      await checkAgainst(name, reply.clone())
      return reply
    }
    return refusal('not_found')
  })
  return {
    /** Every request so far, oldest first. */
    asked,
    /** Requests of one route: `to('PATCH /api/contacts/{id}')`. */
    to: (name: string): Asked[] => asked.filter(({ method, path }) => paramsOf(name, method, path)),
    /** From now on these routes answer otherwise. */
    answer,
  }
}

const questionOf = (method: string, url: URL, params: Record<string, string>, { body, headers }: RequestInit): Asked => ({
  method,
  path: url.pathname,
  params,
  query: Object.fromEntries(url.searchParams),
  body: typeof body === 'string' ? JSON.parse(body) : undefined,
  headers: new Headers(headers),
})

function responseOf(reply: Reply): Response {
  if (reply instanceof Response) return reply.clone()
  return reply === undefined ? new Response(null, { status: 204 }) : Response.json(reply)
}

function routeNamed(name: string): Route {
  const route = allRoutes.find(({ method, path }) => name === `${method} ${path}`)
  if (!route) throw new Error(`${name} is no route of the contract`)
  return route
}

/** What a client would swallow as a lost answer is told when the test ends. */
async function checkAgainst(name: string, reply: Response): Promise<void> {
  const isProblem = reply.headers.get('content-type') === 'application/problem+json'
  if (!reply.ok && !isProblem) return // what stands before the server may answer anything
  const isWhole = await reply
    .clone()
    .text()
    .then(
      () => true,
      () => false,
    )
  if (!isWhole) return // what breaks off on its way was never an answer
  const { out, file, status = (out ?? file) ? 200 : 204 } = routeNamed(name)
  const schema = isProblem ? Problem : out
  const read = schema ? schema.safeParse(await reply.json().catch(() => undefined)) : undefined
  if (read?.success === false) complaints.push(`${name} was answered against the contract:\n${z.prettifyError(read.error)}`)
  if (reply.ok && reply.status !== status) complaints.push(`${name} was answered with ${reply.status} instead of ${status}`)
}

/** A problem document, as the server sends it. */
export function refusal(code: ErrorCode, extras: ProblemExtras & { detail?: string } = {}): Response {
  const [status, detail] = errors[code]
  const problem = { type: `/problems/${code}`, title: detail, status, code, detail, request_id: 'r-1', ...extras }
  return Response.json(problem, { status, headers: { 'content-type': 'application/problem+json' } })
}

/** An answer to a change, with the id that Undo needs; without a body it is a 204. */
export function changed(change: string, body?: object, status = body ? 200 : 204): Response {
  const headers = { 'foyer-change': change }
  return body ? Response.json(body, { status, headers }) : new Response(null, { status, headers })
}

/** Nora, who is signed in wherever a test does not say otherwise. */
export const nora: SignedIn = {
  user: { id: '01930000-0000-7000-8000-00000000000a', email: 'nora@larkfield.example' },
  profile: {
    id: '01930000-0000-7000-8000-00000000000a',
    full_name: 'Nora Ellisande',
    timezone: 'Europe/London',
    country: 'GB',
    currency: 'GBP',
    updated_at: '2026-11-20T09:00:00.000Z',
    version: 1,
  },
  session_id: '01930000-0000-7000-8000-0000000000f1',
}

/** Opens the whole application at an address, as the browser would. */
export async function renderApp(address: string) {
  const { Application } = await import('#web/shell/Application.tsx')
  const { createAppRouter } = await import('#web/shell/router.ts')
  const router = createAppRouter(createMemoryHistory({ initialEntries: [address] }))
  render(createElement(Application, { router, env: 'test' }))
  return { router }
}

function paramsOf(name: string, method: string, path: string): Record<string, string> | undefined {
  const [wanted, template = ''] = name.split(' ')
  if (wanted !== method) return undefined
  return new RegExp(`^${template.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`).exec(path)?.groups ?? (path === template ? {} : undefined)
}

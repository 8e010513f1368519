import * as z from 'zod/mini'
import { Problem } from '#contract/errors.ts'
import type { Input, Output, Route } from '#contract/route.ts'
import { newId } from './ids.ts'

/** A problem as the screens know it: the server's, or `offline` when no answer came. */
type ClientProblem = Omit<Problem, 'code'> & { code: Problem['code'] | 'offline' }

/** A failed call. The message is a sentence for people. */
export class ProblemError extends Error {
  readonly problem: ClientProblem
  constructor(problem: ClientProblem) {
    super(problem.detail || problem.title)
    this.problem = problem
  }
}

type CallOptions = { signal?: AbortSignal | undefined; idempotencyKey?: string }

/** What an input holds, whatever the route. */
const Given = z.object({
  params: z._default(z.record(z.string(), z.string()), {}),
  query: z._default(z.record(z.string(), z.optional(z.union([z.string(), z.number(), z.boolean()]))), {}),
  body: z.optional(z.unknown()),
})
type Given = z.infer<typeof Given>

const timeLimitSeconds = 30
/** A write may have to wait for another one, and the server gives both a minute. */
const timeLimitOfWritesSeconds = 90
const timeLimitOfFilesSeconds = 600
const pausesBeforeRetryMs = [400, 1500]

/** Calls a route of the contract and gives its answer; throws `ProblemError`. */
export async function call<R extends Route>(route: R, input: Input<R>, options?: CallOptions): Promise<Output<R>> {
  const { answer } = await callForChange(route, input, options)
  return answer
}

/** Like `call`, with the id of the change set that the call wrote: what Undo needs. Undefined when nothing was written. */
export async function callForChange<R extends Route>(
  route: R,
  input: Input<R>,
  { signal, idempotencyKey }: CallOptions = {},
): Promise<{ answer: Output<R>; change: string | undefined }> {
  const given = Given.parse(input)
  const exchanged = exchange(route, addressOf(route, given), requestOf(route, given, idempotencyKey), signal)
  const response = await (route.changes === 'journaled' ? underWay(exchanged) : exchanged)
  return {
    answer: response.status === 204 ? undefined : await response.json(),
    change: response.headers.get('foyer-change') ?? undefined,
  }
}

const writes = new Set<Promise<unknown>>()

async function underWay<T>(write: Promise<T>): Promise<T> {
  writes.add(write)
  try {
    return await write
  } finally {
    writes.delete(write)
  }
}

/** Resolves once all writes that are under way have been answered, and whoever asked for them has heard. */
export async function writesAnswered(): Promise<void> {
  if (writes.size === 0) return
  await Promise.allSettled(writes)
  await new Promise((heard) => setTimeout(heard))
}

/** Calls a route that answers with a file: what it is called, and what is in it. Throws `ProblemError`. */
export async function callForFile<R extends Route>(route: R, input: Input<R>): Promise<{ name: string; content: Blob }> {
  const given = Given.parse(input)
  const response = await exchange(route, addressOf(route, given), requestOf(route, given), undefined)
  const [, name = 'export'] = /filename="([^"]*)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
  return { name, content: await readWhole(response) }
}

type SignedOutListener = () => Promise<boolean>
let signedOut: SignedOutListener = () => Promise.resolve(false)

/** Who is told that the session has ended. Resolves to true once somebody signed in again: the call is then repeated. */
export function onSignedOut(listener: SignedOutListener): void {
  signedOut = listener
}

function addressOf(route: Route, { params, query }: Given): string {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== '') search.set(name, String(value))
  return search.size > 0 ? `${path}?${search}` : path
}

function requestOf(route: Route, { body }: Given, idempotencyKey = newId()): RequestInit {
  const headers = new Headers({ accept: 'application/json' })
  if (route.method !== 'GET') headers.set('idempotency-key', idempotencyKey)
  if (body === undefined) return { method: route.method, headers }
  headers.set('content-type', 'application/json')
  return { method: route.method, headers, body: JSON.stringify(body) }
}

async function exchange(route: Route, url: string, init: RequestInit, signal: AbortSignal | undefined): Promise<Response> {
  const response = await send(route, url, init, signal)
  if (response.ok) return response
  const problem = await problemOf(response)
  const sessionEnded = problem.code === 'not_signed_in' && url !== '/api/session'
  if (sessionEnded && (await signedOut())) return exchange(route, url, init, signal)
  throw new ProblemError(problem)
}

/** A journaled change carries its key, so that sending it again after a lost answer writes nothing twice. */
async function send(route: Route, url: string, init: RequestInit, signal: AbortSignal | undefined): Promise<Response> {
  const pauses = route.changes === 'journaled' ? pausesBeforeRetryMs : []
  const limitSeconds = limitOf(route)
  for (const pause of pauses) {
    try {
      return await sendOnce(url, init, signal, limitSeconds)
    } catch (cause) {
      if (signal?.aborted) throw cause
      await new Promise((done) => setTimeout(done, pause))
    }
  }
  return sendOnce(url, init, signal, limitSeconds)
}

function limitOf({ method, file }: Route): number {
  if (file) return timeLimitOfFilesSeconds
  return method === 'GET' ? timeLimitSeconds : timeLimitOfWritesSeconds
}

async function sendOnce(url: string, init: RequestInit, signal: AbortSignal | undefined, limitSeconds: number): Promise<Response> {
  const limit = AbortSignal.timeout(limitSeconds * 1000)
  try {
    return await fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, limit]) : limit })
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw offline(limit.aborted ? `The server did not answer within ${limitSeconds} seconds.` : undefined)
  }
}

/** A file that breaks off on its way is no answer. */
async function readWhole(response: Response): Promise<Blob> {
  try {
    return await response.blob()
  } catch {
    throw offline('The file did not come through to its end. Please try again.')
  }
}

async function problemOf(response: Response): Promise<Problem> {
  const read = Problem.safeParse(await response.json().catch(() => undefined))
  if (read.success) return read.data
  const detail = `The server gave an answer that cannot be read (${response.status}). Please try again.`
  return { type: 'about:blank', title: 'Error', status: response.status, code: 'internal', detail, request_id: '' }
}

function offline(detail = 'The server cannot be reached. Check your connection and try again.'): ProblemError {
  return new ProblemError({ type: 'about:blank', title: 'Offline', status: 0, code: 'offline', detail, request_id: '' })
}

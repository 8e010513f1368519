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
  const exchanged = exchange<Output<R>>({
    route,
    url: addressOf(route, given),
    init: requestOf(route, given, idempotencyKey),
    signal,
    read: readContent,
  })
  const { content, headers } = await (route.changes === 'journaled' ? underWay(exchanged) : exchanged)
  return { answer: content, change: headers.get('foyer-change') ?? undefined }
}

const writes = new Set<Promise<unknown>>()

/** What undo waits for: a write, with whatever else must be known before it is remembered. */
export async function underWay<T>(write: Promise<T>): Promise<T> {
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
  const asked = { route, url: addressOf(route, given), init: requestOf(route, given), signal: undefined, read: readFile }
  const { content, headers } = await exchange(asked)
  const [, name = 'export'] = /filename="([^"]*)"/.exec(headers.get('content-disposition') ?? '') ?? []
  return { name, content }
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

/** `read` takes the answer to its end: one that breaks off on its way is none. */
type Asked<T> = {
  route: Route
  url: string
  init: RequestInit
  signal: AbortSignal | undefined
  read: (response: Response) => Promise<T>
}
type Answered<T> = { content: T; headers: Headers }

async function exchange<T>(asked: Asked<T>): Promise<Answered<T>> {
  const answered = await send(asked)
  if (!(answered instanceof Response)) return answered
  const problem = await problemOf(answered)
  const sessionEnded = problem.code === 'not_signed_in' && asked.url !== '/api/session'
  if (sessionEnded && (await signedOut())) return exchange(asked)
  throw new ProblemError(problem)
}

/** A journaled change carries its key, so that sending it again after a lost answer writes nothing twice. Answers what was read, or a refusal. */
async function send<T>(asked: Asked<T>): Promise<Answered<T> | Response> {
  const pauses = asked.route.changes === 'journaled' ? pausesBeforeRetryMs : []
  for (const pause of pauses) {
    try {
      return await sendOnce(asked)
    } catch (cause) {
      if (asked.signal?.aborted) throw cause
      await new Promise((done) => setTimeout(done, pause))
    }
  }
  return sendOnce(asked)
}

function limitOf({ method, file }: Route): number {
  if (file) return timeLimitOfFilesSeconds
  return method === 'GET' ? timeLimitSeconds : timeLimitOfWritesSeconds
}

async function sendOnce<T>({ route, url, init, signal, read }: Asked<T>): Promise<Answered<T> | Response> {
  const limitSeconds = limitOf(route)
  const limit = AbortSignal.timeout(limitSeconds * 1000)
  try {
    const response = await fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, limit]) : limit })
    return response.ok ? { content: await read(response), headers: response.headers } : response
  } catch (cause) {
    if (signal?.aborted || cause instanceof ProblemError) throw cause
    throw offline(limit.aborted ? `The server did not answer within ${limitSeconds} seconds.` : undefined)
  }
}

const readContent = async (response: Response) => (response.status === 204 ? undefined : await response.json())

async function readFile(response: Response): Promise<Blob> {
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

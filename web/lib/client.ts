import * as z from 'zod/mini'
import { Problem } from '#contract/errors.ts'
import type { RequestInput, ResponseBody, Route } from '#contract/route.ts'
import { newId } from './ids.ts'
import { rememberOwnChange } from './ownChanges.ts'

/** The problem of a failed call: the server's, or `offline` when there was no answer. */
type ClientProblem = Omit<Problem, 'code'> & { code: Problem['code'] | 'offline' }

/** Thrown by a failed call. The message can be shown to people. */
export class ProblemError extends Error {
  readonly problem: ClientProblem
  constructor(problem: ClientProblem) {
    super(problem.detail || problem.title)
    this.problem = problem
  }
}

type CallOptions = { signal?: AbortSignal | undefined; idempotencyKey?: string }

/** The parts of the input of any route. */
const Inputs = z.object({
  params: z._default(z.record(z.string(), z.string()), {}),
  query: z._default(z.record(z.string(), z.optional(z.union([z.string(), z.number(), z.boolean()]))), {}),
  body: z.optional(z.unknown()),
})
type Inputs = z.infer<typeof Inputs>

const readTimeoutSeconds = 30
/** Longer than for reads: a write may wait for another one, and the server gives each of them 60 s. */
const writeTimeoutSeconds = 90
const fileTimeoutSeconds = 600
const retryDelaysMs = [400, 1500]

/** Calls a route of the contract. Throws `ProblemError`. */
export async function call<R extends Route>(route: R, input: RequestInput<R>, options?: CallOptions): Promise<ResponseBody<R>> {
  const { answer } = await callForChange(route, input, options)
  return answer
}

/** Like `call`. Also returns the id of the change set that the call wrote, for Undo; undefined when nothing was written. */
export async function callForChange<R extends Route>(
  route: R,
  input: RequestInput<R>,
  { signal, idempotencyKey }: CallOptions = {},
): Promise<{ answer: ResponseBody<R>; change: string | undefined }> {
  const inputs = Inputs.parse(input)
  const exchanged = exchange<ResponseBody<R>>({
    route,
    url: addressOf(route, inputs),
    init: requestOf(route, inputs, idempotencyKey),
    signal,
    read: readContent,
  })
  const { content, headers } = await (route.changes === 'journaled' ? trackWrite(exchanged) : exchanged)
  return { answer: content, change: changeOf(headers) }
}

const writes = new Set<Promise<unknown>>()

/** Registers a write that `writesAnswered` waits for. The promise may include work that follows the answer. */
export async function trackWrite<T>(write: Promise<T>): Promise<T> {
  writes.add(write)
  try {
    return await write
  } finally {
    writes.delete(write)
  }
}

/** Resolves when all running writes have been answered and their callers have run. */
export async function writesAnswered(): Promise<void> {
  if (writes.size === 0) return
  await Promise.allSettled(writes)
  await new Promise((resolve) => setTimeout(resolve))
}

/** Calls a route that answers with a file. Throws `ProblemError`. */
export async function callForFile<R extends Route>(route: R, input: RequestInput<R>): Promise<{ name: string; content: Blob }> {
  const inputs = Inputs.parse(input)
  const request = { route, url: addressOf(route, inputs), init: requestOf(route, inputs), signal: undefined, read: readFile }
  const { content, headers } = await exchange(request)
  const [, name = 'export'] = /filename="?([^";]*)/.exec(headers.get('content-disposition') ?? '') ?? []
  return { name, content }
}

type SignedOutListener = () => Promise<boolean>
let signedOut: SignedOutListener = () => Promise.resolve(false)

/** Sets the listener for an ended session. The failed call is repeated when it resolves to true, after signing in again. */
export function onSignedOut(listener: SignedOutListener): void {
  signedOut = listener
}

function addressOf(route: Route, { params, query }: Inputs): string {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== '') search.set(name, String(value))
  return search.size > 0 ? `${path}?${search}` : path
}

function requestOf(route: Route, { body }: Inputs, idempotencyKey = newId()): RequestInit {
  const headers = new Headers({ accept: 'application/json' })
  if (route.method !== 'GET') headers.set('idempotency-key', idempotencyKey)
  if (body === undefined) return { method: route.method, headers }
  headers.set('content-type', 'application/json')
  return { method: route.method, headers, body: JSON.stringify(body) }
}

/** `read` reads the whole body, so that a connection lost in the middle counts as no answer. */
type Exchange<T> = {
  route: Route
  url: string
  init: RequestInit
  signal: AbortSignal | undefined
  read: (response: Response) => Promise<T>
}
type Answer<T> = { content: T; headers: Headers }

async function exchange<T>(request: Exchange<T>): Promise<Answer<T>> {
  const answered = await send(request)
  if (!(answered instanceof Response)) return answered
  const problem = await problemOf(answered)
  const sessionEnded = problem.code === 'not_signed_in' && request.url !== '/api/session'
  if (sessionEnded && (await signedOut())) return exchange(request)
  throw new ProblemError(problem)
}

/** Sends a request, a journaled one up to three times: its idempotency key prevents that it is written twice. Returns refusals unread. */
async function send<T>(request: Exchange<T>): Promise<Answer<T> | Response> {
  const delays = request.route.changes === 'journaled' ? retryDelaysMs : []
  for (const delay of delays) {
    try {
      return await sendOnce(request)
    } catch (cause) {
      if (request.signal?.aborted) throw cause
      await new Promise((resolve) => setTimeout(resolve, delay))
    }
  }
  return sendOnce(request)
}

function timeoutOf({ method, file }: Route): number {
  if (file) return fileTimeoutSeconds
  return method === 'GET' ? readTimeoutSeconds : writeTimeoutSeconds
}

async function sendOnce<T>({ route, url, init, signal, read }: Exchange<T>): Promise<Answer<T> | Response> {
  const timeoutSeconds = timeoutOf(route)
  const timeout = AbortSignal.timeout(timeoutSeconds * 1000)
  try {
    const response = await fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, timeout]) : timeout })
    const change = changeOf(response.headers)
    if (change) rememberOwnChange(change) // before the body is read: the live event of the change may come first
    return response.ok ? { content: await read(response), headers: response.headers } : response
  } catch (cause) {
    if (signal?.aborted || cause instanceof ProblemError) throw cause
    throw offline(timeout.aborted ? `The server did not answer within ${timeoutSeconds} seconds.` : undefined)
  }
}

const changeOf = (headers: Headers): string | undefined => headers.get('foyer-change') ?? undefined

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

import * as z from 'zod/mini'
import { Problem } from '#contract/errors.ts'
import type { RequestInput, ResponseBody, Route } from '#contract/route.ts'
import { takeFirstResponse } from './firstResponses.ts'
import { newId } from './ids.ts'
import { rememberOwnChange } from './ownChanges.ts'

/** The problem document of a failed call. The code is `offline` when no response arrived. */
type ClientProblem = Omit<Problem, 'code'> & { code: Problem['code'] | 'offline' }

/** The error of a failed call. The message can be shown to users. */
export class ProblemError extends Error {
  readonly problem: ClientProblem
  constructor(problem: ClientProblem) {
    super(problem.detail || problem.title)
    this.problem = problem
  }
}

/** Returns true if the error says that the server found nothing with the id of the request. */
export const isNotFound = (error: unknown): boolean => error instanceof ProblemError && error.problem.code === 'not_found'

type CallOptions = {
  signal?: AbortSignal | undefined
  idempotencyKey?: string
  /** For requests that take longer than others, such as those to the AI. */
  timeoutSeconds?: number
}

/** The path parameters, the query and the body of a request to any route. */
const Inputs = z.object({
  params: z._default(z.record(z.string(), z.string()), {}),
  query: z._default(z.record(z.string(), z.optional(z.union([z.string(), z.number(), z.boolean()]))), {}),
  body: z.optional(z.unknown()),
})
type Inputs = z.infer<typeof Inputs>

const readTimeoutSeconds = 30
/** Longer than the read timeout, because a write may wait until another write has finished. The server limits each write to 60 s. */
const writeTimeoutSeconds = 90
const fileTimeoutSeconds = 600
/** The delays before the first and the second retry of a write. Tests set shorter ones. */
let retryDelaysMs: readonly number[] = [400, 1500]

/** Sets the delays before each retry of a write. */
export function setRetryDelays(delaysMs: readonly number[]): void {
  retryDelaysMs = delaysMs
}

/** Calls a route of the contract. Throws `ProblemError`. */
export async function call<R extends Route>(route: R, input: RequestInput<R>, options?: CallOptions): Promise<ResponseBody<R>> {
  const { response } = await callForChange(route, input, options)
  return response
}

/**
 * Does the same as `call`, and also returns the id of the change for Undo. The id is undefined when nothing was written. `isRunning` is
 * true when a job on the server continues the change after the response.
 */
export async function callForChange<R extends Route>(
  route: R,
  input: RequestInput<R>,
  { signal, idempotencyKey, timeoutSeconds }: CallOptions = {},
): Promise<{ response: ResponseBody<R>; changeId: string | undefined; isRunning: boolean }> {
  const inputs = Inputs.parse(input)
  const parsedResponse = fetchParsed<ResponseBody<R>>({
    route,
    url: buildUrl(route, inputs),
    init: buildRequest(route, inputs, idempotencyKey),
    signal,
    timeoutSeconds,
    read: readContent,
  })
  // "journaled": the route changes data of the user, and the change can be undone
  const { content, headers, isRunning } = await (route.changes === 'journaled' ? trackWrite(parsedResponse) : parsedResponse)
  return { response: content, changeId: readChangeId(headers), isRunning }
}

const writes = new Set<Promise<unknown>>()

/** Registers a write, so that `waitForWrites` waits for it. The promise may include work after the response. */
export async function trackWrite<T>(write: Promise<T>): Promise<T> {
  writes.add(write)
  try {
    return await write
  } finally {
    writes.delete(write)
  }
}

/** Returns true while a write is running. */
export const hasRunningWrites = (): boolean => writes.size > 0

/** Waits until all running writes have finished and their callers have continued. */
export async function waitForWrites(): Promise<void> {
  if (writes.size === 0) return
  await Promise.allSettled(writes)
  await new Promise((resolve) => setTimeout(resolve))
}

type FileCallOptions = {
  /** Requests only this number of bytes, from the beginning. The server sends fewer when the file is shorter. */
  firstBytes?: number
  signal?: AbortSignal
}

/** Calls a route that returns a file. Throws `ProblemError`. */
export async function callForFile<R extends Route>(
  route: R,
  input: RequestInput<R>,
  { firstBytes, signal }: FileCallOptions = {},
): Promise<{ name: string; content: Blob }> {
  const inputs = Inputs.parse(input)
  const init = buildRequest(route, inputs, newId(), firstBytes === undefined ? {} : { range: `bytes=0-${firstBytes - 1}` })
  const { content, headers } = await fetchParsed({ route, url: buildUrl(route, inputs), init, signal, read: readFile })
  // the name after `filename=`, with or without quotation marks
  const fileName = /filename="?([^";]*)/.exec(headers.get('content-disposition') ?? '')?.[1]
  return { name: fileName ?? 'export', content }
}

type SignedOutListener = () => Promise<boolean>
let signedOutListener: SignedOutListener = () => Promise.resolve(false)

/** Sets the listener for the end of the session. If it resolves to true, the user has signed in again and the call is repeated. */
export function setSignedOutListener(listener: SignedOutListener): void {
  signedOutListener = listener
}

/** Returns the address of a request to a route. */
export const addressOf = <R extends Route>(route: R, input: RequestInput<R>): string => buildUrl(route, Inputs.parse(input))

function buildUrl(route: Route, { params, query }: Inputs): string {
  // replaces each parameter in braces: `{id}` in `/api/contacts/{id}`
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== '') search.set(name, String(value))
  return search.size > 0 ? `${path}?${search}` : path
}

function buildRequest(route: Route, { body }: Inputs, idempotencyKey = newId(), extraHeaders: Record<string, string> = {}): RequestInit {
  const headers = new Headers({ accept: 'application/json', ...extraHeaders })
  if (route.method !== 'GET') headers.set('idempotency-key', idempotencyKey)
  if (body === undefined) return { method: route.method, headers }
  headers.set('content-type', 'application/json')
  return { method: route.method, headers, body: JSON.stringify(body) }
}

type PreparedRequest<T> = {
  route: Route
  url: string
  init: RequestInit
  signal: AbortSignal | undefined
  /** By default the timeout of reads, writes or files, depending on the route. */
  timeoutSeconds?: number | undefined
  /** Reads the whole body, so that a connection that is lost while the body arrives counts as a network error. */
  read: (response: Response) => Promise<T>
}
type ParsedResponse<T> = { content: T; headers: Headers; isRunning: boolean }

/** Sends a request and returns its parsed response. Throws `ProblemError` for an error response. */
async function fetchParsed<T>(request: PreparedRequest<T>): Promise<ParsedResponse<T>> {
  const response = await send(request)
  if (!(response instanceof Response)) return response
  const problem = await readProblem(response)
  // requests to /api/session sign in or find out whether a user is signed in, so they must not ask for a sign-in
  if (request.url !== '/api/session' && (await hasSignedInAgain(problem))) return fetchParsed(request)
  throw new ProblemError(problem)
}

/**
 * If the problem is that the session has ended, asks the user to sign in again. Resolves to true after a new sign-in, so that the caller
 * can repeat the request; otherwise to false.
 */
export const hasSignedInAgain = async ({ code }: Problem): Promise<boolean> => code === 'not_signed_in' && signedOutListener()

/**
 * Sends a request. Retries a journaled request twice after a network error, unless the browser is offline; the idempotency key prevents a
 * second write. A successful response is returned parsed, an error response is returned unread.
 */
async function send<T>(request: PreparedRequest<T>): Promise<ParsedResponse<T> | Response> {
  const delays = request.route.changes === 'journaled' ? retryDelaysMs : []
  for (const delay of delays) {
    if (!navigator.onLine) break
    try {
      return await sendOnce(request)
    } catch (cause) {
      if (request.signal?.aborted) throw cause
      await new Promise((resolve) => setTimeout(resolve, delay))
    }
  }
  return sendOnce(request)
}

function getTimeoutSeconds({ method, file, download }: Route): number {
  if (file || download) return fileTimeoutSeconds
  return method === 'GET' ? readTimeoutSeconds : writeTimeoutSeconds
}

async function sendOnce<T>({
  route,
  url,
  init,
  signal,
  timeoutSeconds = getTimeoutSeconds(route),
  read,
}: PreparedRequest<T>): Promise<ParsedResponse<T> | Response> {
  const timeout = AbortSignal.timeout(timeoutSeconds * 1000)
  try {
    const responseInDocument = route.method === 'GET' ? takeFirstResponse(url) : undefined
    const response = responseInDocument ?? (await fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, timeout]) : timeout }))
    const changeId = readChangeId(response.headers)
    if (changeId) rememberOwnChange(changeId) // before reading the body, because the event of this change may arrive meanwhile
    const { ok, status, headers } = response
    return ok ? { content: await read(response), headers, isRunning: status === 202 } : response
  } catch (cause) {
    if (signal?.aborted || cause instanceof ProblemError) throw cause
    throw createOfflineError(timeout.aborted ? `The server did not respond within ${timeoutSeconds} seconds.` : undefined)
  }
}

const readChangeId = (headers: Headers): string | undefined => headers.get('foyer-change') ?? undefined

/** Returns undefined for 202 (a job continues the change) and 204, which have no body. */
const readContent = async (response: Response) => ([202, 204].includes(response.status) ? undefined : await response.json())

async function readFile(response: Response): Promise<Blob> {
  try {
    return await response.blob()
  } catch {
    throw createOfflineError('The connection was lost before the file was complete. Please try again.')
  }
}

/** Reads the problem document of an error response. A response without one, for example of a proxy, has the code `internal`. */
export async function readProblem(response: Response): Promise<Problem> {
  const parsed = Problem.safeParse(await response.json().catch(() => undefined))
  if (parsed.success) return parsed.data
  const detail = `The server sent a response that cannot be read (${response.status}). Please try again.`
  return { type: 'about:blank', title: 'Error', status: response.status, code: 'internal', detail, request_id: '' }
}

/** Creates the error of a request that got no response. */
export function createOfflineError(detail = 'The server cannot be reached. Check your connection and try again.'): ProblemError {
  return new ProblemError({ type: 'about:blank', title: 'Offline', status: 0, code: 'offline', detail, request_id: '' })
}

// Requests to another CRM: at most four per second, with limits of time and size, repeated when they fail for a moment.
import { setTimeout as wait } from 'node:timers/promises'
import { isTooDeep } from '#server/platform/http/body.ts'
import { createHostList, OutboundFailure, type OutboundFetch } from '#server/platform/outbound/outbound.ts'
import { CrmFailure } from './failure.ts'

export type CrmClientOptions = {
  fetch: OutboundFetch
  allowedHosts: readonly string[]
  /** The address that the user has entered, such as `https://api.insightly.com/v3.1`. */
  apiUrl: string
  authorization: string
  /** The domain of the CRM. A redirect may lead to its hosts only, and to those of `allowedHosts`. */
  domain: string
  /** How often a request that fails for a moment is sent, 5 times by default. */
  maxAttempts?: number
  /** If the CRM asks to wait longer than this, the request fails. 60 by default. */
  maxWaitSeconds?: number
  signal?: AbortSignal | undefined
}

/** Reads JSON from the CRM. Throws `CrmFailure`, or the reason of the signal. */
export type CrmClient = { get: (path: string, query?: Record<string, string>) => Promise<unknown> }

/** Milliseconds between the starts of two requests, before the first repetition of a request, and until a response must be complete. */
const pauses = { request: 250, retry: 1000, timeout: 30_000 }

/** Shortens the pauses in tests. */
export const setCrmPauses = (shorter: Partial<typeof pauses>): void => void Object.assign(pauses, shorter)

const maxBytes = 32 * 1024 ** 2
/** How often one request is sent again because the CRM asked to wait. */
const maxWaits = 10
/** The maximum time that a failure tells the job of the sync to wait, also if the CRM asks for more. */
const maxRetryAfterSeconds = 24 * 60 * 60
const maxRedirects = 3

type CrmResponse = { status: number; headers: Headers; text: string }

export function createCrmClient({ apiUrl, maxAttempts = 5, maxWaitSeconds = 60, signal, ...options }: CrmClientOptions): CrmClient {
  const isListed = createHostList(options.allowedHosts)
  const neverAborts = new AbortController().signal
  const stopSignal = signal ?? neverAborts
  let base = apiUrl.replace(/\/+$/, '')
  let nextRequestAt = 0
  let isLimitReached = false

  return {
    get: async (path, query = {}) => {
      let failures = 0
      let waits = 0
      for (;;) {
        try {
          return await getOnce(`${path}${toSearch(query)}`)
        } catch (error) {
          stopSignal.throwIfAborted()
          const failure = toFailure(error)
          if (!failure.isTemporary) throw failure
          const seconds = failure.retryAfterSeconds
          if (seconds === undefined) {
            failures++
            if (failures >= maxAttempts) throw failure
            await pause(pauses.retry * 2 ** (failures - 1))
          } else {
            if (seconds > maxWaitSeconds || waits >= maxWaits) throw failure
            waits++
            await pause(seconds * 1000)
          }
        }
      }
    },
  }

  async function getOnce(path: string): Promise<unknown> {
    if (isLimitReached) throw new CrmFailure('limit')
    const response = await send(path)
    const isLast = response.headers.get('x-ratelimit-remaining')?.trim() === '0'
    if (response.status === 429) throw failureOfWait(response.headers, isLast)
    isLimitReached = isLast
    if (response.status >= 400) throw failureOfStatus(response.status)
    const value = parseJson(response.text)
    if (isTooDeep(value)) throw new CrmFailure('unusable')
    return value
  }

  /** Sends a request, and follows redirects to the hosts of the CRM. Later requests are sent to the host of the last redirect at once. */
  async function send(path: string): Promise<CrmResponse> {
    let url = new URL(base + path)
    for (let redirects = 0; ; redirects++) {
      await pace()
      const limit = AbortSignal.any([stopSignal, AbortSignal.timeout(pauses.timeout)])
      const headers = { authorization: options.authorization, accept: 'application/json' }
      const response = await options.fetch(url, { headers, maxBytes, signal: limit, returnsRedirects: true })
      const location = response.headers.get('location')
      if (response.status < 300 || response.status >= 400 || location === null)
        return { status: response.status, headers: response.headers, text: await readText(response, limit) }
      const target = URL.canParse(location, url.href) ? new URL(location, url) : undefined
      if (!target || redirects === maxRedirects || !isAllowedTarget(url, target)) throw new CrmFailure('redirect')
      if (target.href.endsWith(path)) base = target.href.slice(0, -path.length)
      url = target
    }
  }

  /** The key is sent to the hosts of the CRM and of the operator only. A redirect from https to http is not allowed. */
  function isAllowedTarget(from: URL, target: URL): boolean {
    if (target.protocol !== 'https:' && target.protocol !== from.protocol) return false
    const isOfCrm = target.hostname === options.domain || target.hostname.endsWith(`.${options.domain}`)
    return isOfCrm || isListed(target) || target.origin === from.origin
  }

  async function pace(): Promise<void> {
    const now = Date.now()
    const delay = nextRequestAt - now
    nextRequestAt = Math.max(now, nextRequestAt) + pauses.request
    if (delay > 0) await pause(delay)
  }

  async function pause(ms: number): Promise<void> {
    await wait(ms, undefined, { signal: stopSignal })
  }
}

const toSearch = (query: Record<string, string>): string =>
  Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query).toString()}`

/** Reads the body. If the connection breaks off or stays silent, the failure says this, and not that the JSON cannot be read. */
async function readText(response: Response, limit: AbortSignal): Promise<string> {
  try {
    return await response.text()
  } catch (error) {
    limit.throwIfAborted()
    throw error instanceof OutboundFailure ? error : new CrmFailure('unreachable', { cause: error })
  }
}

function toFailure(error: unknown): CrmFailure {
  if (error instanceof CrmFailure) return error
  if (error instanceof Error && error.name === 'TimeoutError') return new CrmFailure('no_answer', { cause: error })
  if (!(error instanceof OutboundFailure)) throw error
  if (error.reason === 'unreachable' || error.reason === 'broken_off') return new CrmFailure('unreachable', { cause: error })
  if (error.reason === 'too_large') return new CrmFailure('unusable', { cause: error })
  return new CrmFailure('address', { message: error.message, cause: error })
}

function failureOfStatus(status: number): CrmFailure {
  const cause = new Error(`The CRM responded with status ${status}`)
  if (status === 401 || status === 403) return new CrmFailure('key', { cause })
  if (status === 404 || status === 405) return new CrmFailure('address', { cause })
  return new CrmFailure(status >= 500 || status === 408 ? 'failed' : 'unusable', { cause })
}

/**
 * Returns the failure of a response that asks to wait. Without a time the request may be sent again soon, unless it was the last of the
 * day.
 */
function failureOfWait(headers: Headers, isLast: boolean): CrmFailure {
  const text = headers.get('retry-after')?.trim() ?? ''
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  if (text === '' || Number.isNaN(seconds)) return new CrmFailure(isLast ? 'limit' : 'waiting')
  return new CrmFailure('waiting', { retryAfterSeconds: Math.min(Math.max(0, seconds), maxRetryAfterSeconds) })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // the error is not kept as the cause, because it quotes the text; JSON that ends too early comes from a connection that broke off
    if (/^\s*[[{]/.test(text)) throw new CrmFailure('unreachable')
    throw new CrmFailure('unusable', { message: 'This address does not answer like Insightly.' })
  }
}

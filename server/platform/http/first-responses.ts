import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FirstResponses } from './pages.ts'

// The document of a screen contains the responses to the requests that the screen sends first, so that the browser need not send them.

/** The maximum time for which a document waits for the responses. */
const maxWaitMs = 250
/** The headers that say where a request comes from. */
const originHeaders = ['host', 'user-agent', 'forwarded', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host']

/** Returns the headers of a request that say where it comes from, for a request in this process; without cookies. */
export const forwardedHeaders = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(originHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])))

/**
 * Requests addresses of the API in this process, with the session of the request for the document. Leaves out the responses that failed or
 * took longer than `maxWaitMs`; the browser requests them itself.
 */
export async function loadFirstResponses(
  server: FastifyInstance,
  { headers, socket }: FastifyRequest,
  addresses: readonly string[],
): Promise<FirstResponses> {
  const sentHeaders = { ...forwardedHeaders(headers), ...(headers.cookie !== undefined && { cookie: headers.cookie }) }
  const signal = AbortSignal.timeout(maxWaitMs)
  const load = async (url: string): Promise<[string, string][]> => {
    const request = server.inject({ method: 'GET', url, headers: sentHeaders, remoteAddress: socket.remoteAddress ?? '', signal })
    const { statusCode, body } = await rejectOnAbort(request, signal)
    return statusCode === 200 ? [[url, body]] : []
  }
  const results = await Promise.allSettled(addresses.map(load))
  return new Map(results.flatMap((result) => (result.status === 'fulfilled' ? result.value : [])))
}

/** Rejects when the signal is aborted, even if the promise never settles. */
async function rejectOnAbort<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => aborted.reject(signal.reason))
  return Promise.race([promise, aborted.promise])
}

// Requests to addresses that users enter. They may reach the public internet, and only those hosts of private networks that the operator
// allows (docs/decisions/0024-ai-port.md).
import { lookup as lookupAddress, type LookupAddress } from 'node:dns'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { errorCode } from '../error-code.ts'
import { ErrorWithReason } from '../error-with-reason.ts'
import { isPublicAddress } from './public-address.ts'

/**
 * `unreachable`: no connection, an unknown name, or no response. `broken_off`: the connection was closed within the body of the response.
 */
export type OutboundReason = 'protocol' | 'credentials' | 'private' | 'redirect' | 'too_large' | 'unreachable' | 'broken_off'

/** A request that was not sent, or whose response is not passed on. The message is a sentence for the user, without the address. */
export class OutboundFailure extends ErrorWithReason<OutboundReason> {
  override readonly name = 'OutboundFailure'

  constructor(reason: OutboundReason, cause?: unknown) {
    super(reason, messages[reason], cause)
  }
}

const messages: Record<OutboundReason, string> = {
  protocol: 'The address must begin with https:// or http://.',
  credentials: 'The address must not contain a user name or a password.',
  private: 'This address is in a private network. The operator of this server can allow it with FOYER_ALLOWED_HOSTS.',
  redirect: 'The address leads to another one. Enter that address.',
  too_large: 'The response is too large.',
  unreachable: 'Nothing answers at this address.',
  broken_off: 'The connection broke off before the response was complete.',
}

export type OutboundOptions = {
  /** The hosts, such as `ollama`, or `192.168.1.5:8080` for one port only, that need not be public. */
  allowedHosts: readonly string[]
  /** Whether a further address need not be public. */
  isAllowed?: (url: URL) => Promise<boolean>
  /** Finds the addresses of a name, by default with the system's resolver. */
  lookup?: LookupFunction
}

type OutboundInit = {
  method?: string
  headers?: Record<string, string>
  body?: string
  signal?: AbortSignal
  /** The maximum size of the response, in bytes. A response with an error status may have at most 1 MiB. */
  maxBytes: number
  /** The maximum size of a server-sent event, in bytes, because its reader keeps an event until it is complete. */
  maxEventBytes?: number
  /** Returns a redirect as a response without a body. Its target must be requested with this function too, which checks it. */
  returnsRedirects?: boolean
}

const maxErrorBytes = 1024 ** 2

/** The largest status that a `Response` can have. Some servers send others, such as 999. */
const maxStatus = 599

/** Sends a request and returns the response as soon as its headers have arrived. Throws `OutboundFailure`, or the reason of the signal. */
export type OutboundFetch = (address: string | URL, init: OutboundInit) => Promise<Response>

/**
 * Creates a `fetch` that refuses addresses that are not public, as literals and as results of DNS: it checks the address to which the
 * connection is made, so a name that resolves differently later cannot pass. It follows no redirects.
 */
export function createOutboundFetch({ allowedHosts, isAllowed, lookup = lookupAddress }: OutboundOptions): OutboundFetch {
  const agents = { 'http:': new HttpAgent({ keepAlive: true }), 'https:': new HttpsAgent({ keepAlive: true }) }
  const guardedLookup = guardLookup(lookup)
  const isListed = createHostList(allowedHosts)

  return async (address, { method = 'GET', headers, body, signal, maxBytes, maxEventBytes = Infinity, returnsRedirects = false }) => {
    const url = new URL(address)
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new OutboundFailure('protocol')
    if (url.username !== '' || url.password !== '') throw new OutboundFailure('credentials')
    const isExempt = isListed(url) || (await isAllowed?.(url)) === true
    if (!isExempt && isPrivateHost(url)) throw new OutboundFailure('private') // a connection to a literal address does not call `lookup`
    const options: RequestOptions = { method, headers: { 'accept-encoding': 'identity', ...headers }, signal, agent: agents[url.protocol] }
    const message = await send(url, { ...options, lookup: isExempt ? lookup : guardedLookup }, body)
    const status = Math.min(message.statusCode ?? 0, maxStatus)
    if (status === 304 && isConditional(headers)) {
      message.destroy()
      return new Response(null, { status })
    }
    if (status < 200 || (status >= 300 && status < 400)) {
      message.destroy()
      if (!returnsRedirects || !message.headers.location) throw new OutboundFailure('redirect')
      return new Response(null, { status, headers: { location: message.headers.location } })
    }
    return toResponse(message, status, signal, {
      bytes: status >= 400 ? Math.min(maxBytes, maxErrorBytes) : maxBytes,
      eventBytes: maxEventBytes,
    })
  }
}

/** Whether the request allows a response without content (304), which says that the content is the same as before. */
const isConditional = (headers: Record<string, string> = {}): boolean => 'if-none-match' in headers || 'if-modified-since' in headers

/**
 * Throws `OutboundFailure` for an address that is refused before its name is looked up: a literal address that is not public, or a name of
 * this machine. The hosts that the operator allows are accepted.
 */
export function requireOutboundAddress(address: string, allowedHosts: readonly string[]): void {
  const url = new URL(address)
  if (isPrivateHost(url) && !createHostList(allowedHosts)(url)) throw new OutboundFailure('private')
}

/** Whether the host of an address is a literal address that is not public, or `localhost`, which is always this machine (RFC 6761). */
function isPrivateHost({ hostname }: URL): boolean {
  const literal = hostname.replace(/^\[|\]$/g, '')
  return isIP(literal) === 0 ? /(^|\.)localhost\.?$/.test(hostname) : !isPublicAddress(literal)
}

/** Returns a function that says whether the host of an address, with any port or with its port, is in the list of the operator. */
export function createHostList(allowedHosts: readonly string[]): (url: URL) => boolean {
  const hosts = new Set(allowedHosts.map((host) => host.trim().toLowerCase()))
  return (url) => hosts.has(url.hostname) || hosts.has(hostWithPort(url))
}

/** Returns the host and the port, also the default port, of an address. */
export const hostWithPort = ({ hostname, port, protocol }: URL): string => `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`

/** Wraps a lookup so that it fails with `OutboundFailure` if any address of the name is not public. */
function guardLookup(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, options, (error, result, family) => {
      const addresses = listAddresses(result)
      const isPublic = addresses.length > 0 && addresses.every(isPublicAddress)
      callback(error ?? (isPublic ? null : new OutboundFailure('private')), result, family)
    })
}

const listAddresses = (result: string | LookupAddress[] | undefined): string[] =>
  typeof result === 'string' ? [result] : (result ?? []).map(({ address }) => address)

/**
 * Sends a request and returns the response. Many servers close a connection that was idle for some seconds. If such a connection is closed
 * while the request is on its way, the server has not read it, and it is sent once more on a new connection.
 */
function send(url: URL, options: RequestOptions, body: string | undefined): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options)
  let hasResponse = false
  request.on('response', (message) => {
    // an abort is also an error of the response, and an error without a listener would end the process
    message.on('error', () => {})
    hasResponse = true
    resolve(message)
  })
  request.on('error', (error) => {
    if (options.signal?.aborted) return reject(options.signal.reason)
    if (!hasResponse && request.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(errorCode(error)))
      return resolve(send(url, { ...options, agent: false }, body))
    reject(error instanceof OutboundFailure ? error : new OutboundFailure('unreachable', error))
  })
  // a response that changes to another protocol (101) is neither a response nor an error
  request.on('close', () => reject(new OutboundFailure('unreachable')))
  request.end(body)
  return promise
}

type ResponseLimits = { bytes: number; eventBytes: number }

function toResponse(message: IncomingMessage, status: number, signal: AbortSignal | undefined, limits: ResponseLimits): Response {
  const headers = new Headers()
  for (const [name, values] of Object.entries(message.headersDistinct)) for (const value of values ?? []) headers.append(name, value)
  const isEmpty = status === 204 || status === 205
  if (isEmpty) message.resume()
  return new Response(isEmpty ? null : limitBytes(message, signal, limits), { status, headers })
}

/**
 * Returns the body of a response. Reading it fails with `OutboundFailure` when the body or one of its events is too large, which closes the
 * connection, and when the connection breaks off; and with the reason of the signal.
 */
function limitBytes(
  message: IncomingMessage,
  signal: AbortSignal | undefined,
  limits: ResponseLimits,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let bytes = 0
  const countEvent = limits.eventBytes === Infinity ? () => 0 : createEventCounter()
  return new ReadableStream({
    start: (controller) => {
      message.on('data', (chunk: Buffer<ArrayBuffer>) => {
        bytes += chunk.byteLength
        if (bytes > limits.bytes || countEvent(chunk) > limits.eventBytes) message.destroy(new OutboundFailure('too_large'))
        else controller.enqueue(chunk)
        if ((controller.desiredSize ?? 0) <= 0) message.pause()
      })
      message.on('end', () => controller.close())
      message.on('error', (error) => {
        if (signal?.aborted) return controller.error(signal.reason)
        controller.error(error instanceof OutboundFailure ? error : new OutboundFailure('broken_off', error))
      })
    },
    pull: () => {
      message.resume()
    },
    cancel: () => {
      message.removeAllListeners('data').removeAllListeners('end').destroy() // what has arrived would still be emitted
    },
  })
}

/** Returns a function that takes the next chunk of a stream of events, and returns the size of the event that is not complete. */
function createEventCounter(): (chunk: Buffer) => number {
  let bytes = 0
  let lastBytes = Buffer.alloc(0)
  return (chunk) => {
    const text = Buffer.concat([lastBytes, chunk])
    const blankLine = Math.max(text.lastIndexOf('\n\n'), text.lastIndexOf('\n\r\n'))
    bytes = blankLine === -1 ? bytes + chunk.byteLength : text.byteLength - blankLine
    lastBytes = text.subarray(-2) // a blank line may be split over chunks
    return bytes
  }
}

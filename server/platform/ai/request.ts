import type * as z from 'zod/mini'
import type { OutboundFetch } from '../outbound/outbound.ts'
import { AiFailure, failureOfError, failureOfResponse } from './failure.ts'
import type { Connection } from './types.ts'

type JsonRequest<T> = {
  /** The path after the base address, such as `/models`. */
  path: string
  /** The JSON to send with POST; without it the request is a GET. */
  body?: object
  schema: z.ZodMiniType<T>
  signal?: AbortSignal
  timeoutMs: number
  /** The maximum size of the response. */
  maxBytes: number
  hasPictures?: boolean
  hasTools?: boolean
}

/** Requests JSON from an endpoint. Throws `AiFailure`, or the reason of the signal if it aborts. */
export async function requestJson<T>(
  fetch: OutboundFetch,
  { baseUrl, key }: Pick<Connection, 'baseUrl' | 'key'>,
  { path, body, schema, signal, timeoutMs, maxBytes, hasPictures = false, hasTools = false }: JsonRequest<T>,
): Promise<T> {
  const limit = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(`${baseUrl.replace(/\/+$/, '')}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { ...(body && { 'content-type': 'application/json' }), ...(key && { authorization: `Bearer ${key}` }) },
      body: body && JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      maxBytes,
    })
    const text = await response.text()
    if (!response.ok) throw failureOfResponse({ status: response.status, body: text, hasPictures, hasTools })
    return readJson(schema, text)
  } catch (error) {
    signal?.throwIfAborted()
    throw limit.aborted ? new AiFailure('no_answer') : failureOfError(error)
  }
}

function readJson<T>(schema: z.ZodMiniType<T>, text: string): T {
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    // some services send errors with status 200; otherwise another server than an AI endpoint answers at this address
    throw new AiFailure(/^\s*\{\s*"error"\s*:\s*\{/.test(text) ? 'failed' : 'address')
  }
}

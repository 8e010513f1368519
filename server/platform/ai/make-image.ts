import * as z from 'zod/mini'
import { hostWithPort, type OutboundFetch } from '../outbound/outbound.ts'
import { AiFailure, failureOfError } from './failure.ts'
import { pictureTypeOf } from './pictures.ts'
import { requestJson } from './request.ts'
import type { Connection, ModelRequest, Picture, TokenUse } from './types.ts'

/** `endpoint` reaches the endpoints of connections, `outbound` only what every request may reach. */
export type Fetches = { endpoint: OutboundFetch; outbound: OutboundFetch }

const timeoutMs = 180_000
const maxPictureBytes = 25 * 1024 ** 2
const maxResponseBytes = 2 * maxPictureBytes // enough for base64, which needs four bytes for three

const ImageResponse = z.looseObject({
  data: z.array(z.looseObject({ b64_json: z.optional(z.nullable(z.string())), url: z.optional(z.nullable(z.string())) })),
  usage: z.optional(z.nullable(z.looseObject({ input_tokens: z.optional(z.number()), output_tokens: z.optional(z.number()) }))),
})

/**
 * Makes a picture with the connection's model for pictures. The request has no `response_format`, which new models refuse, so the endpoint
 * answers with base64 or with an address. Throws `AiFailure`.
 */
export async function makeImage(
  fetches: Fetches,
  { imageModel, ...connection }: Connection,
  { prompt, signal }: ModelRequest & { prompt: string },
): Promise<{ picture: Picture; use: TokenUse }> {
  if (imageModel === undefined) throw new AiFailure('no_pictures', 'No model for pictures is chosen on the account page.')
  const { data, usage } = await requestJson(fetches.endpoint, connection, {
    path: '/images/generations',
    body: { model: imageModel, prompt, n: 1, size: '1024x1024' },
    schema: ImageResponse,
    signal,
    timeoutMs,
    maxBytes: maxResponseBytes,
  })
  const bytes = await readPicture(fetches, connection.baseUrl, data[0] ?? {}, signal)
  const mimeType = bytes && pictureTypeOf(bytes)
  if (bytes === undefined || mimeType === undefined) throw new AiFailure('empty', 'The AI service made no picture.')
  return { picture: { bytes, mimeType }, use: { inputTokens: usage?.input_tokens, outputTokens: usage?.output_tokens } }
}

async function readPicture(
  { endpoint, outbound }: Fetches,
  baseUrl: string,
  { b64_json, url }: z.infer<typeof ImageResponse>['data'][number],
  signal: AbortSignal | undefined,
): Promise<Uint8Array | undefined> {
  const base64 = b64_json ?? url?.match(/^data:image\/\w+;base64,(.*)$/s)?.[1]
  if (base64) return Buffer.from(base64, 'base64')
  const address = URL.parse(url ?? '')
  if (!address) return undefined
  const isAtEndpoint = hostWithPort(address) === hostWithPort(new URL(baseUrl))
  const limit = AbortSignal.timeout(timeoutMs)
  try {
    const response = await (isAtEndpoint ? endpoint : outbound)(address, {
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      maxBytes: maxPictureBytes,
    })
    return response.ok ? await response.bytes() : undefined
  } catch (error) {
    signal?.throwIfAborted()
    throw limit.aborted ? new AiFailure('no_answer') : failureOfError(error)
  }
}

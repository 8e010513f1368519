// The AI SDK. It is loaded on first use, because it takes 43 to 75 MB of memory.
import type { LanguageModel } from 'ai'
import { OutboundFailure, type OutboundFetch } from '../outbound/outbound.ts'
import { AiFailure } from './failure.ts'
import { readTextToolCalls } from './text-tool-calls.ts'
import type { Connection } from './types.ts'

export type Sdk = Awaited<ReturnType<typeof importSdk>>

let loaded: Promise<Sdk> | undefined

/** Returns the modules of the AI SDK. Rejects when they could not be loaded; the next call then tries again. */
export function loadSdk(): Promise<Sdk> {
  loaded ??= importSdk().catch((error: unknown) => {
    loaded = undefined
    throw error
  })
  return loaded
}

async function importSdk() {
  const [ai, { createOpenAICompatible }] = await Promise.all([import('ai'), import('@ai-sdk/openai-compatible')])
  globalThis.AI_SDK_LOG_WARNINGS = false
  // A model that is given as a text is looked up at the hosted gateway of the SDK's makers, to which nothing may be sent.
  globalThis.AI_SDK_DEFAULT_PROVIDER = { specificationVersion: 'v4', languageModel: refuse, embeddingModel: refuse, imageModel: refuse }
  return { ...ai, createOpenAICompatible }
}

const refuse = (): never => {
  throw new Error('A model must be an object, never a name')
}

/** The maximum size of a streamed response. The limits of an answer end it much earlier. */
const maxBytes = 256 * 1024 ** 2
/** A file of 10 MB in one event needs 14 MB. */
const maxEventBytes = 20 * 1024 ** 2

/** The models by `fetch` and connection. */
const models = new WeakMap<OutboundFetch, Map<string, LanguageModel>>()
/** The maximum number of models of one `fetch`; above it the model that has not been used for the longest time is removed. */
const maxModels = 50

/**
 * Returns the chat model of a connection. A request fails when its response does not begin within `firstMs`. All answers of one connection
 * with the same `firstMs` share one model, because each model keeps its own schemas of the responses in memory.
 */
export function findModel(sdk: Sdk, fetch: OutboundFetch, connection: Connection, firstMs: number): LanguageModel {
  const { baseUrl, key, model } = connection
  const modelsOfFetch = models.get(fetch) ?? new Map<string, LanguageModel>()
  models.set(fetch, modelsOfFetch)
  const name = JSON.stringify([baseUrl, key, model, firstMs])
  const languageModel = modelsOfFetch.get(name) ?? createModel(sdk, fetch, connection, firstMs)
  modelsOfFetch.delete(name)
  modelsOfFetch.set(name, languageModel) // moves it to the end of the map
  const [oldest] = modelsOfFetch.keys()
  if (modelsOfFetch.size > maxModels && oldest !== undefined) modelsOfFetch.delete(oldest)
  return languageModel
}

function createModel(sdk: Sdk, fetch: OutboundFetch, connection: Connection, firstMs: number): LanguageModel {
  const { baseUrl, key, model } = connection
  const provider = sdk.createOpenAICompatible({
    name: 'endpoint',
    baseURL: baseUrl,
    apiKey: key,
    includeUsage: true,
    fetch: async (input, init) => {
      const silence = new AbortController()
      // The limits of the SDK begin with the headers of the response.
      const timer = setTimeout(() => silence.abort(new DOMException('No response', 'TimeoutError')), firstMs)
      const signal = init?.signal ? AbortSignal.any([init.signal, silence.signal]) : silence.signal
      const { method, body } = init ?? {}
      const headers = Object.fromEntries(new Headers(init?.headers))
      try {
        const response = await fetch(addressOf(input), {
          method,
          headers,
          body: typeof body === 'string' ? body : undefined,
          signal,
          maxBytes,
          maxEventBytes,
        })
        if (!response.ok || !response.headers.get('content-type')?.startsWith('text/html')) return response
        await response.body?.cancel()
        throw new AiFailure('address') // the response is a web page
      } catch (error) {
        const isLost = error instanceof OutboundFailure && error.reason === 'unreachable'
        throw isLost ? new TypeError('fetch failed', { cause: error }) : error // the error after which the SDK tries again
      } finally {
        clearTimeout(timer)
      }
    },
  })
  return sdk.wrapLanguageModel({
    model: provider(model),
    middleware: [readTextToolCalls, sdk.extractReasoningMiddleware({ tagName: 'think' })],
  })
}

const addressOf = (input: string | URL | Request): string | URL => (input instanceof Request ? input.url : input)

import * as z from 'zod/mini'
import { hostWithPort, type OutboundFetch } from '../outbound/outbound.ts'
import { AiFailure } from './failure.ts'
import { requestJson } from './request.ts'
import type { Connection } from './types.ts'

const ModelList = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) })

/** Returns the names of the endpoint's models in alphabetical order. Throws `AiFailure`. */
export async function listModels(
  fetch: OutboundFetch,
  endpoint: Pick<Connection, 'baseUrl' | 'key'>,
  timeoutMs = 15_000,
): Promise<string[]> {
  const request = { path: '/models', schema: ModelList, timeoutMs, maxBytes: 5 * 1024 ** 2 }
  const { data } = await requestJson(fetch, endpoint, request).catch(toAddressFailure)
  return [...new Set(data.map(({ id }) => id))].toSorted()
}

/** A response 404 with the word "model" fails with the reason `model`. Here the address is wrong, because the request names no model. */
function toAddressFailure(error: unknown): never {
  throw error instanceof AiFailure && error.reason === 'model' ? new AiFailure('address', undefined, error) : error
}

export type LocalServer = { name: string; baseUrl: string }

/** The AI servers that people run on their machine, at their default addresses. */
export const wellKnownServers: readonly LocalServer[] = [
  { name: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1' },
  { name: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1' },
  { name: 'llama.cpp', baseUrl: 'http://127.0.0.1:8080/v1' },
  { name: 'vLLM', baseUrl: 'http://127.0.0.1:8000/v1' },
]

/** A server on this machine answers within this time if it runs. */
const localTimeoutMs = 500
/** A server that has answered need not answer again for this time. */
const foundMs = 60_000

export type LocalServers = {
  find: () => Promise<(LocalServer & { models: string[] })[]>
  /** Whether `url` is at a well-known server that answers as an AI endpoint now, or has done so within the last minute. */
  isFound: (url: URL) => Promise<boolean>
}

/** Looks for AI servers on this machine. `fetch` must be able to reach them. */
export function createLocalServers(fetch: OutboundFetch, servers: readonly LocalServer[]): LocalServers {
  const foundAt = new Map<string, number>()

  async function readModels({ baseUrl }: LocalServer): Promise<string[] | undefined> {
    const models = await listModels(fetch, { baseUrl, key: undefined }, localTimeoutMs).catch(() => undefined)
    if (models) foundAt.set(baseUrl, performance.now())
    return models
  }

  return {
    find: async () => {
      const results = await Promise.all(servers.map(async (server) => ({ ...server, models: await readModels(server) })))
      return results.flatMap(({ models, ...server }) => (models ? [{ ...server, models }] : []))
    },
    isFound: async (url) => {
      const server = servers.find(
        ({ baseUrl }) => hostWithPort(new URL(baseUrl)) === hostWithPort(url).replace(/^(localhost|\[::1\]):/, '127.0.0.1:'),
      )
      if (!server) return false
      const last = foundAt.get(server.baseUrl)
      return (last !== undefined && performance.now() - last < foundMs) || (await readModels(server)) !== undefined
    },
  }
}

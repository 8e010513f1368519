import type { OutboundFetch } from '../outbound/outbound.ts'

/** The maximum number of remembered models. Above it, all are forgotten. */
const maxModels = 1000

/**
 * Returns a `fetch` that sends a request again without `temperature` if the model refuses it with status 400, as OpenAI's reasoning models
 * do. Later requests to this model are sent without it at once.
 */
export function withoutRefusedTemperature(fetch: OutboundFetch): OutboundFetch {
  const modelsWithoutTemperature = new Set<string>()
  return async (address, init) => {
    const request = parseObject(init.body)
    if (request?.['temperature'] === undefined) return fetch(address, init)
    const model = JSON.stringify([String(address), request['model']])
    const { temperature: _, ...others } = request
    const sendWithout = (): Promise<Response> => fetch(address, { ...init, body: JSON.stringify(others) })
    if (modelsWithoutTemperature.has(model)) return sendWithout()
    const response = await fetch(address, init)
    if (response.status !== 400 || !/temperature/i.test(await response.clone().text())) return response
    await response.body?.cancel()
    if (modelsWithoutTemperature.size >= maxModels) modelsWithoutTemperature.clear()
    modelsWithoutTemperature.add(model)
    return sendWithout()
  }
}

/** Returns the object of a JSON body; undefined for other bodies. */
function parseObject(body: unknown): Record<string, unknown> | undefined {
  if (typeof body !== 'string' || !body.startsWith('{')) return undefined
  return JSON.parse(body)
}

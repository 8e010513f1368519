import type { AiSettings } from '#server/platform/ai/settings.ts'
import type { Capabilities } from '#server/platform/ai/types.ts'
import type { AiContext, EndpointContext } from './context.ts'

// What the model of the operator's connection can do.

export const unknownCapabilities: Capabilities = { tools: null, structured_output: null, vision: null, images: null }

/**
 * What was found out about the operator's connection in this process. `retryAfter`: the earliest time of the next try, in milliseconds
 * since 1970; Infinity after a success.
 */
type ProbeResult = { capabilities: Capabilities; retryAfter: number }
const probes = new WeakMap<AiSettings, ProbeResult>()
const retryMs = 10 * 60 * 1000

/** Returns what the operator's model can do, as far as this process knows. */
export const findOperatorCapabilities = ({ settings }: AiContext): Capabilities =>
  probes.get(settings.ai)?.capabilities ?? unknownCapabilities

/**
 * Finds out in the background what the operator's model can do, once per process. It makes no picture, because a picture costs more than
 * all the rest.
 */
export function probeOperator({ ai, settings, now }: EndpointContext): void {
  const { connection } = settings.ai
  const time = now().getTime()
  if (!connection || time < (probes.get(settings.ai)?.retryAfter ?? 0)) return
  probes.set(settings.ai, { capabilities: unknownCapabilities, retryAfter: time + retryMs })
  const { baseUrl, key, model } = connection
  void ai.probe({ baseUrl, key: key?.reveal(), model, imageModel: undefined }).then(({ capabilities }) => {
    // null: the endpoint gave no usable answer, so it is asked again after `retryMs`
    if (capabilities.tools !== null) probes.set(settings.ai, { capabilities, retryAfter: Infinity })
  })
}

import type { AiSettings } from '#server/platform/ai/settings.ts'
import type { Capabilities } from '#server/platform/ai/types.ts'
import type { AiContext, EndpointContext } from './context.ts'

// What the model of the operator's connection can do.

export const unknownCapabilities: Capabilities = { tools: null, structured_output: null, vision: null, images: null }

/**
 * What was found out about the operator's connection in this process. `retryAfter`: the earliest time of the next try, in milliseconds
 * since 1970; Infinity if everything is known.
 */
type ProbeResult = { capabilities: Capabilities; retryAfter: number }
const probes = new WeakMap<AiSettings, ProbeResult>()
/** The minimum time between two probes, if the first one left something unknown. */
const retryPauseMs = 10 * 60 * 1000

/** Returns what the operator's model can do, as far as this process knows. */
export const findOperatorCapabilities = ({ settings }: AiContext): Capabilities =>
  probes.get(settings.ai)?.capabilities ?? unknownCapabilities

/**
 * Starts a probe in the background that finds out what the operator's model can do: one per process, and another one after `retryPauseMs`
 * if something is still unknown. It makes no picture, because a picture costs more than all the rest.
 */
export function startOperatorProbe({ ai, settings, now }: EndpointContext): void {
  const { connection } = settings.ai
  const time = now().getTime()
  const { capabilities, retryAfter } = probes.get(settings.ai) ?? { capabilities: unknownCapabilities, retryAfter: 0 }
  if (!connection || time < retryAfter) return
  probes.set(settings.ai, { capabilities, retryAfter: time + retryPauseMs })
  const { baseUrl, key, model } = connection
  void ai.probe({ baseUrl, key: key?.reveal(), model, imageModel: undefined }).then((result) => {
    const known = { ...capabilities, ...onlyKnown(result.capabilities) }
    const { tools, structured_output, vision } = known
    const isComplete = [tools, structured_output, vision].every((isAble) => isAble !== null)
    probes.set(settings.ai, { capabilities: known, retryAfter: isComplete ? Infinity : time + retryPauseMs })
  })
}

/** Returns the capabilities without those that are unknown. */
export const onlyKnown = (capabilities: Capabilities): Partial<Capabilities> =>
  Object.fromEntries(Object.entries(capabilities).filter(([, isAble]) => isAble !== null))

// Requests to an endpoint that an owner enters, before and after it is saved.
import { setTimeout } from 'node:timers/promises'
import type { ConnectionToTest } from '#contract/ai.ts'
import { AiFailure } from '#server/platform/ai/failure.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { addCapabilities, findStoredConnection } from './connections.store.ts'
import type { AiContext, EndpointContext } from './context.ts'
import { originOf, readKey } from './keys.ts'
import { onlyKnown, unknownCapabilities } from './operator.ts'

/** Shorter than the timeout of the browser, so that the browser receives a message about the endpoint. */
const maxTestMs = 75_000

type Endpoint = { base_url: string; key?: string | undefined }

/** Returns the names of the endpoint's models, or the reason why they cannot be listed. */
export async function listModels(context: EndpointContext, owner: string, endpoint: Endpoint) {
  const key = await findKey(context, owner, endpoint)
  try {
    return { failure: null, problem: null, models: await context.ai.listModels({ baseUrl: endpoint.base_url, key }) }
  } catch (error) {
    if (!(error instanceof AiFailure)) throw error
    return { failure: error.reason, problem: error.message, models: [] }
  }
}

/**
 * Tests a connection. If it is the stored connection, stores what its models can do, even if the endpoint answers only after `maxMs`, when
 * the test has already been reported as failed.
 */
export async function testConnection(context: EndpointContext, owner: string, connection: ConnectionToTest, maxMs = maxTestMs) {
  const key = await findKey(context, owner, connection)
  const timeout = setTimeout(maxMs, noAnswer, { ref: false })
  const { failure, problem, capabilities } = await Promise.race([probeAndStore(context, owner, { ...connection, key }), timeout])
  return { failure: failure ?? null, problem: problem || null, capabilities }
}

async function probeAndStore(
  context: EndpointContext,
  owner: string,
  { base_url, key, model, image_model = '' }: Omit<ConnectionToTest, 'key'> & { key: string | undefined },
) {
  const result = await context.ai.probe({ baseUrl: base_url, key, model, imageModel: image_model || undefined })
  const capabilities = onlyKnown(result.capabilities)
  if (Object.keys(capabilities).length > 0)
    await context.database.transaction(callerFor(owner), 'Tested the AI connection', () =>
      addCapabilities(owner, { base_url, model, image_model }, capabilities),
    )
  return result
}

const noAnswer = { failure: 'no_answer', problem: new AiFailure('no_answer').message, capabilities: unknownCapabilities } as const

/** Returns the key for a request. `key` undefined: the stored key, if it was stored for the same origin. Empty: no key. */
async function findKey(context: AiContext, owner: string, { base_url, key }: Endpoint): Promise<string | undefined> {
  if (key !== undefined) return key || undefined
  const storedConnection = await context.database.read(callerFor(owner), () => findStoredConnection(owner))
  if (!storedConnection || originOf(storedConnection.base_url) !== originOf(base_url)) return undefined
  const storedKey = readKey(context, owner, storedConnection)
  return storedKey === 'lost' ? undefined : storedKey.key
}

// Requests to an endpoint that an owner enters, before and after it is saved.
import { setTimeout } from 'node:timers/promises'
import type { Capabilities, ConnectionToTest } from '#contract/ai.ts'
import { AiFailure } from '#server/platform/ai/failure.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { addCapabilities, findStoredConnection } from './connections.store.ts'
import type { AiContext, EndpointContext } from './context.ts'
import { originOf, readKey } from './keys.ts'
import { unknownCapabilities } from './operator.ts'

/** Shorter than the timeout of the browser, so that it shows a sentence about the endpoint. */
const maxTestMs = 75_000

type Endpoint = { base_url: string; key?: string | undefined }

/** Returns the names of the endpoint's models, or why there are none. */
export async function listModels(context: EndpointContext, owner: string, endpoint: Endpoint) {
  const key = await findKey(context, owner, endpoint)
  try {
    return { failure: null, problem: null, models: await context.ai.listModels({ baseUrl: endpoint.base_url, key }) }
  } catch (error) {
    if (!(error instanceof AiFailure)) throw error
    return { failure: error.reason, problem: error.message, models: [] }
  }
}

/** Tries a connection. If it is the stored one, what its models can do is stored with it. */
export async function testConnection(context: EndpointContext, owner: string, tested: ConnectionToTest) {
  const { base_url, model, image_model = '' } = tested
  const key = await findKey(context, owner, tested)
  const probe = context.ai.probe({ baseUrl: base_url, key, model, imageModel: image_model || undefined })
  const result = await Promise.race([probe, waitForTimeout()])
  const { failure, problem, capabilities } = result ?? noAnswer
  const known: Partial<Capabilities> = Object.fromEntries(Object.entries(capabilities).filter(([, value]) => value !== null))
  if (Object.keys(known).length > 0)
    await context.database.transaction(callerFor(owner), 'Tested the AI connection', () =>
      addCapabilities(owner, { base_url, model, image_model }, known),
    )
  return { failure: failure ?? null, problem: problem || null, capabilities }
}

const noAnswer = { failure: 'no_answer', problem: new AiFailure('no_answer').message, capabilities: unknownCapabilities } as const

const waitForTimeout = (): Promise<undefined> => setTimeout(maxTestMs, undefined, { ref: false })

/** Returns the entered key, or else the stored one if it was stored for the same origin. */
async function findKey(context: AiContext, owner: string, { base_url, key }: Endpoint): Promise<string | undefined> {
  if (key !== undefined) return key || undefined
  const stored = await context.database.read(callerFor(owner), () => findStoredConnection(owner))
  if (!stored || originOf(stored.base_url) !== originOf(base_url)) return undefined
  const read = readKey(context, owner, stored)
  return read === 'lost' ? undefined : read.key
}

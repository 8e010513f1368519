import type { AiConnection, NewAiConnection } from '#contract/ai.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { findStoredConnection, upsertConnection, type StoredConnection } from './connections.store.ts'
import type { AiContext, EndpointContext } from './context.ts'
import { originOf, readKey, sealKey } from './keys.ts'
import { findOperatorCapabilities, probeOperator, unknownCapabilities } from './operator.ts'

/** A key of which four characters are shown must be so long that these do not help to guess it. */
const minShownKeyLength = 12

/** Returns the connection of the owner as the account page shows it. Never contains a key, nor the address of the operator's connection. */
export async function describeConnection(context: EndpointContext, owner: string): Promise<AiConnection> {
  const stored = await context.database.read(callerFor(owner), () => findStoredConnection(owner))
  const operator = context.settings.ai.connection
  const common = { has_operator_connection: operator !== undefined }
  if (stored) {
    const { base_url, model, image_model, input_price, output_price } = stored
    const capabilities = { ...unknownCapabilities, ...stored.capabilities }
    return {
      source: 'own',
      base_url,
      ...describeKey(context, owner, stored),
      model,
      image_model,
      capabilities,
      input_price,
      output_price,
      ...common,
    }
  }
  probeOperator(context)
  return {
    source: operator ? 'operator' : 'off',
    base_url: '',
    key_state: 'none',
    key_end: '',
    model: operator?.model ?? '',
    image_model: operator?.imageModel ?? '',
    capabilities: findOperatorCapabilities(context),
    input_price: null,
    output_price: null,
    ...common,
  }
}

function describeKey(context: AiContext, owner: string, stored: StoredConnection): Pick<AiConnection, 'key_state' | 'key_end'> {
  const read = readKey(context, owner, stored)
  if (read === 'lost') return { key_state: 'lost', key_end: '' }
  if (read.key === undefined) return { key_state: 'none', key_end: '' }
  return { key_state: 'stored', key_end: read.key.length < minShownKeyLength ? '' : read.key.slice(-4) }
}

/** Stores the connection of the owner. Without a new key it keeps the stored one, if the address has the same origin. */
export async function saveConnection(context: AiContext, owner: string, { key, ...connection }: NewAiConnection): Promise<void> {
  await context.database.transaction(callerFor(owner), 'Changed the AI connection', async () => {
    const stored = await findStoredConnection(owner)
    const isSameModel =
      stored?.base_url === connection.base_url && stored.model === connection.model && stored.image_model === connection.image_model
    await upsertConnection(owner, {
      ...connection,
      sealed_key: key === undefined ? findSealedKey(stored, connection.base_url) : sealKey(context, owner, connection.base_url, key),
      capabilities: isSameModel ? stored.capabilities : {},
    })
  })
}

const findSealedKey = (stored: StoredConnection | undefined, baseUrl: string): string =>
  stored && originOf(stored.base_url) === originOf(baseUrl) ? stored.sealed_key : ''

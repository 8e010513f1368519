import type { AiConnection, NewAiConnection } from '#contract/ai.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { findStoredConnection, upsertConnection, type StoredConnection } from './connections.store.ts'
import type { AiContext, EndpointContext } from './context.ts'
import { originOf, readKey, sealKey } from './keys.ts'
import { findOperatorCapabilities, startOperatorProbe, unknownCapabilities } from './operator.ts'

/** The minimum length of a key whose last four characters are shown. They would help to guess a shorter key. */
const minShownKeyLength = 12

/** Returns the connection of the owner as the account page shows it. Never contains a key, nor the address of the operator's connection. */
export async function describeConnection(context: EndpointContext, owner: string): Promise<AiConnection> {
  const storedConnection = await context.database.read(callerFor(owner), () => findStoredConnection(owner))
  const operator = context.settings.ai.connection
  const common = { has_operator_connection: operator !== undefined }
  if (storedConnection) {
    const { base_url, model, image_model, input_price, output_price } = storedConnection
    const capabilities = { ...unknownCapabilities, ...storedConnection.capabilities }
    return {
      source: 'own',
      base_url,
      ...describeKey(context, owner, storedConnection),
      model,
      image_model,
      capabilities,
      input_price,
      output_price,
      ...common,
    }
  }
  startOperatorProbe(context)
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

function describeKey(context: AiContext, owner: string, storedConnection: StoredConnection): Pick<AiConnection, 'key_state' | 'key_end'> {
  const storedKey = readKey(context, owner, storedConnection)
  if (storedKey === 'lost') return { key_state: 'lost', key_end: '' }
  if (storedKey.key === undefined) return { key_state: 'none', key_end: '' }
  return { key_state: 'stored', key_end: storedKey.key.length < minShownKeyLength ? '' : storedKey.key.slice(-4) }
}

/** Stores the connection of the owner. Without a new key it keeps the stored one, if the address has the same origin. */
export async function saveConnection(context: AiContext, owner: string, { key, ...connection }: NewAiConnection): Promise<void> {
  await context.database.transaction(callerFor(owner), 'Changed the AI connection', async () => {
    const storedConnection = await findStoredConnection(owner)
    const isSameModel =
      storedConnection?.base_url === connection.base_url &&
      storedConnection.model === connection.model &&
      storedConnection.image_model === connection.image_model
    await upsertConnection(owner, {
      ...connection,
      sealed_key:
        key === undefined ? findSealedKey(storedConnection, connection.base_url) : sealKey(context, owner, connection.base_url, key),
      capabilities: isSameModel ? storedConnection.capabilities : {},
    })
  })
}

const findSealedKey = (storedConnection: StoredConnection | undefined, baseUrl: string): string =>
  storedConnection && originOf(storedConnection.base_url) === originOf(baseUrl) ? storedConnection.sealed_key : ''

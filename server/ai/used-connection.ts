import type { Connection } from '#server/platform/ai/types.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import type { AiContext } from './context.ts'
import { findStoredConnection, type StoredConnection } from './connections.store.ts'
import { originOf, readKey } from './keys.ts'
import { findOperatorCapabilities, unknownCapabilities } from './operator.ts'

/**
 * The connection that an owner uses. `isLimited`: its tokens count towards the operator's limit of a day. Prices are in US dollars per
 * million tokens.
 */
export type UsedConnection = { connection: Connection; isLimited: boolean; inputPrice: number | null; outputPrice: number | null }

/** Returns the own connection of the owner, or else that of the operator. */
export async function findUsedConnection(context: AiContext, owner: string): Promise<UsedConnection | 'off' | 'key lost'> {
  const storedConnection = await context.database.read(callerFor(owner), () => findStoredConnection(owner))
  if (storedConnection) return openStored(context, owner, storedConnection)
  const { connection } = context.settings.ai
  if (!connection) return 'off'
  const { baseUrl, key, model, imageModel, inputPrice, outputPrice } = connection
  return {
    connection: { baseUrl, key: key?.reveal(), model, imageModel, capabilities: findOperatorCapabilities(context) },
    isLimited: true,
    inputPrice,
    outputPrice,
  }
}

/** Whether the tokens of the connection that the owner uses count towards the limit of a day. */
export async function isLimited(context: AiContext, owner: string): Promise<boolean> {
  const storedConnection = await context.database.read(callerFor(owner), () => findStoredConnection(owner))
  return storedConnection ? belongsToOperator(context, storedConnection.base_url) : context.settings.ai.connection !== undefined
}

function openStored(context: AiContext, owner: string, storedConnection: StoredConnection): UsedConnection | 'key lost' {
  const storedKey = readKey(context, owner, storedConnection)
  if (storedKey === 'lost') return 'key lost'
  return {
    connection: {
      baseUrl: storedConnection.base_url,
      key: storedKey.key,
      model: storedConnection.model,
      imageModel: storedConnection.image_model || undefined,
      capabilities: { ...unknownCapabilities, ...storedConnection.capabilities },
    },
    isLimited: belongsToOperator(context, storedConnection.base_url),
    inputPrice: storedConnection.input_price,
    outputPrice: storedConnection.output_price,
  }
}

/** Whether the operator provides this endpoint: the origin of the operator's connection, or a server on this machine. */
function belongsToOperator({ settings }: AiContext, baseUrl: string): boolean {
  const { hostname, origin } = new URL(baseUrl)
  const operatorUrl = settings.ai.connection?.baseUrl
  return /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname) || (operatorUrl !== undefined && origin === originOf(operatorUrl))
}

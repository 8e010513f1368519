// Connections to other CRMs: they are listed, tried, added and removed, and their keys are stored encrypted.
import { maxConnections, type CrmConnection, type NewCrmConnection } from '#contract/crmConnections.ts'
import { callerFor, type Caller } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { deleteOrStartJob } from '#server/platform/records/large-delete.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { createSeal } from '#server/platform/security/seal.ts'
import { createCrmClient, type CrmClient, type CrmClientOptions } from './client.ts'
import * as store from './connections.store.ts'
import type { StoredConnection } from './connections.store.ts'
import { connectors } from './connectors.ts'
import { CrmFailure } from './failure.ts'
import { stopIfRunning } from './start.ts'
import { readLastSyncs } from './syncs.store.ts'

/** The services of this feature. */
export type SyncContext = Pick<AppContext, 'database' | 'now' | 'installationKey' | 'outbound'> & {
  settings: Pick<AppContext['settings'], 'allowedHosts'>
}

/** The minimum length of a key whose last four characters are shown, so that they do not help to guess it. */
const minShownKeyLength = 12

/** Returns the connections of the owner as the screen shows them, newest first. Reads in the open transaction. */
export async function listConnections({ installationKey }: Pick<SyncContext, 'installationKey'>, owner: string): Promise<CrmConnection[]> {
  return toCrmConnections(installationKey, owner, await store.readConnections(owner))
}

/** Returns one connection. Throws `not_found`. Reads in the open transaction. */
export async function readConnection(
  { installationKey }: Pick<SyncContext, 'installationKey'>,
  owner: string,
  id: string,
): Promise<CrmConnection> {
  const stored = await store.findConnection(owner, id)
  const [connection] = stored ? await toCrmConnections(installationKey, owner, [stored]) : []
  if (!connection) throw new Refusal('not_found')
  return connection
}

async function toCrmConnections(installationKey: string, owner: string, stored: readonly StoredConnection[]): Promise<CrmConnection[]> {
  const syncs = await readLastSyncs(
    owner,
    stored.map(({ id }) => id),
  )
  const syncOf = new Map(syncs.map(({ connection_id, ...sync }) => [connection_id, sync]))
  return stored.map((each) => {
    const { sealed_key: _, ...connection } = each
    const key = readKey(installationKey, owner, each)
    return {
      ...connection,
      key_state: key === undefined ? 'lost' : 'stored',
      key_end: key === undefined || key.length < minShownKeyLength ? '' : key.slice(-4),
      last_sync: syncOf.get(each.id) ?? null,
    }
  })
}

/**
 * Adds a connection. Tries its address and key first, unless `check` is false. Throws `invalid` with a sentence at the field that is wrong,
 * and for a connection that exists already.
 */
export async function addConnection(
  context: SyncContext,
  caller: Caller,
  { crm_type, api_url, api_key, check }: NewCrmConnection,
  signal: AbortSignal,
): Promise<CrmConnection> {
  const { database, installationKey } = context
  const { owner } = caller
  const id = newId()
  const sealed_key = createCrmSeal(installationKey).seal(api_key, [owner, originOf(api_url)])
  const newConnection = { id, crm_type, api_url: api_url.replace(/\/+$/, ''), sealed_key }
  await database.read(caller, () => refuseSurplus(installationKey, owner, newConnection))
  if (check) await tryConnection(context, { ...newConnection, api_key }, signal)
  await database.transaction(caller, 'Added CRM connection', async () => {
    await store.lockConnections()
    await refuseSurplus(installationKey, owner, newConnection)
    await store.insertConnection(owner, newConnection)
  })
  return database.read(caller, () => readConnection(context, owner, id))
}

/**
 * Replaces the key of a connection. Tries it first, unless `check` is false. Throws `not_found`, and `invalid` for a key that is refused.
 */
export async function replaceKey(
  context: SyncContext,
  caller: Caller,
  id: string,
  { api_key, check }: { api_key: string; check: boolean },
  signal: AbortSignal,
): Promise<CrmConnection> {
  const { database, installationKey } = context
  const { owner } = caller
  const stored = await database.read(caller, () => store.findConnection(owner, id))
  if (!stored) throw new Refusal('not_found')
  if (check) await tryConnection(context, { ...stored, api_key }, signal)
  await database.transaction(callerFor(owner), 'Replaced key', async () => {
    if (!(await store.lockConnection(owner, id))) throw new Refusal('not_found')
    await store.upsertKey(owner, id, createCrmSeal(installationKey).seal(api_key, [owner, originOf(stored.api_url)]))
  })
  return database.read(caller, () => readConnection(context, owner, id))
}

/**
 * Refuses a connection with the address and key of another one, because it would copy each contact twice, and a connection above the
 * maximum.
 */
async function refuseSurplus(
  installationKey: string,
  owner: string,
  newConnection: Pick<StoredConnection, 'api_url' | 'sealed_key'>,
): Promise<void> {
  const connections = await store.readConnections(owner)
  const key = readKey(installationKey, owner, newConnection)
  if (connections.some((each) => each.api_url === newConnection.api_url && readKey(installationKey, owner, each) === key))
    throw new Refusal('invalid', { fields: { api_key: 'This connection exists already' } })
  if (connections.length >= maxConnections)
    throw new Refusal('invalid', { fields: { api_url: `At most ${maxConnections} connections. Delete one first` } })
}

async function tryConnection(
  context: SyncContext,
  { crm_type, ...connection }: Pick<StoredConnection, 'crm_type' | 'api_url'> & { api_key: string },
  signal: AbortSignal,
): Promise<void> {
  try {
    // without repetitions and pauses, because the user waits
    await connectors[crm_type].check(openClient(context, { crm_type, ...connection }, { signal, maxAttempts: 1, maxWaitSeconds: 0 }))
  } catch (error) {
    if (!(error instanceof CrmFailure)) throw error
    throw new Refusal('invalid', { fields: { [error.reason === 'key' ? 'api_key' : 'api_url']: error.message } }, error)
  }
}

/** Returns a client for the requests of a connection. */
export function openClient(
  { outbound, settings }: Pick<SyncContext, 'outbound' | 'settings'>,
  { crm_type, api_url, api_key }: Pick<StoredConnection, 'crm_type' | 'api_url'> & { api_key: string },
  options: Pick<CrmClientOptions, 'signal' | 'maxAttempts' | 'maxWaitSeconds'>,
): CrmClient {
  const { domain, authorize } = connectors[crm_type]
  const { allowedHosts } = settings
  return createCrmClient({ fetch: outbound, allowedHosts, apiUrl: api_url, authorization: authorize(api_key), domain, ...options })
}

/**
 * Deletes a connection; its contacts stay. Throws `not_found`. With very many contacts a job unlinks them first: see `deleteOrStartJob`.
 */
export async function removeConnection(services: Pick<SyncContext, 'database' | 'now'>, caller: Caller, id: string): Promise<void> {
  const { database } = services
  await stopIfRunning(services, caller.owner, id)
  const records = { table: 'crm_connections', singular: 'CRM connection', plural: 'CRM connections', ids: [id] }
  await deleteOrStartJob(database, caller, [records], () =>
    database.longTransaction(caller, 'Deleted CRM connection', 'small', async () => {
      if (!(await store.deleteConnection(caller.owner, id))) throw new Refusal('not_found')
    }),
  )
}

/** Returns the key of a connection; undefined if it was sealed with another key of the installation. */
export const readKey = (
  installationKey: string,
  owner: string,
  { api_url, sealed_key }: Pick<StoredConnection, 'api_url' | 'sealed_key'>,
): string | undefined => createCrmSeal(installationKey).unseal(sealed_key, [owner, originOf(api_url)])

/** The key is sealed for the origin of its address, so that it can never be sent to another origin. */
const originOf = (apiUrl: string): string => new URL(apiUrl).origin

const createCrmSeal = (installationKey: string) => createSeal(installationKey, 'keys of CRM connections')

import type { CrmType } from '#contract/crmConnections.ts'
import { sql } from '#server/platform/database/database.ts'

/** A stored connection to another CRM. `sealed_key` is the encrypted key; empty if the row of the key is missing. */
export type StoredConnection = {
  id: string
  crm_type: CrmType
  api_url: string
  created_at: string
  sealed_key: string
  last_synced_at: string | null
  contacts: number
}

const select = `select c.id, c.crm_type, c.api_url, c.created_at, coalesce(k.sealed_key, '') as sealed_key,
    (select max(s.finished_at) from crm_syncs s where s.user_id = $1 and s.connection_id = c.id and s.status = 'done') as last_synced_at,
    (select count(*) from crm_contacts p where p.user_id = $1 and p.crm_connection_id = c.id)::int as contacts
  from crm_connections c left join crm_connection_keys k on k.user_id = c.user_id and k.id = c.id where c.user_id = $1`

export const readConnections = (owner: string): Promise<StoredConnection[]> =>
  sql<StoredConnection>(`${select} order by c.id desc`, [owner])

export async function findConnection(owner: string, id: string): Promise<StoredConnection | undefined> {
  const [connection] = await sql<StoredConnection>(`${select} and c.id = $2`, [owner, id])
  return connection
}

/** Blocks other transactions of the owner that add connections, until the end of this transaction. */
export const lockConnections = (): Promise<unknown> =>
  sql(`select pg_advisory_xact_lock(hashtextextended('crm connections ' || app.owner()::text, 0))`)

export async function insertConnection(
  owner: string,
  { id, crm_type, api_url, sealed_key }: Pick<StoredConnection, 'id' | 'crm_type' | 'api_url' | 'sealed_key'>,
): Promise<void> {
  await Promise.all([
    sql('insert into crm_connections (user_id, id, crm_type, api_url) values ($1, $2, $3, $4)', [owner, id, crm_type, api_url]),
    sql('insert into crm_connection_keys (user_id, id, sealed_key) values ($1, $2, $3)', [owner, id, sealed_key]),
  ])
}

/** Replaces the key of a connection. Announces this as a change of the connection. */
export async function upsertKey(owner: string, id: string, sealedKey: string): Promise<void> {
  await sql(
    `with stored as (
       insert into crm_connection_keys (user_id, id, sealed_key) values ($1, $2, $3)
       on conflict (user_id, id) do update set sealed_key = excluded.sealed_key returning user_id)
     insert into unjournaled_writes (user_id, table_name) select user_id, 'crm_connections' from stored`,
    [owner, id, sealedKey],
  )
}

/**
 * Deletes the connection. Its contacts stay, without a connection. Its key and its syncs stay too, for an undo. Raises `large_delete` if it
 * has very many contacts. Returns false if there is no such connection.
 */
export async function deleteConnection(owner: string, id: string): Promise<boolean> {
  const [, deleted] = await Promise.all([
    sql(`select app.refuse_large_delete('crm_connections', $1, 1000)`, [[id]]),
    sql('delete from crm_connections where user_id = $1 and id = $2 returning id', [owner, id]),
  ])
  return deleted.length > 0
}

/** Locks the connection of a running sync, so that it is not deleted before the commit. Returns false if it is gone. */
export async function lockConnection(owner: string, id: string): Promise<boolean> {
  return (await sql('select id from crm_connections where user_id = $1 and id = $2 for key share', [owner, id])).length > 0
}

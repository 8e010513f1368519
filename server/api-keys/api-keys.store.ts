import type { ApiKey } from '#contract/apiKeys.ts'
import type { Scope } from '#contract/actors.ts'
import { sql } from '#server/platform/database/database.ts'

const columns = 'id, name, key_prefix, scopes, created_at, last_used_at, expires_at'

/** Returns the keys of the owner, newest first. An expired key is not active. */
export const readKeys = (owner: string, now: Date): Promise<ApiKey[]> =>
  sql<ApiKey>(
    `select ${columns}, is_active and (expires_at is null or expires_at > $2) as is_active
     from api_keys where user_id = $1 order by created_at desc, id desc`,
    [owner, now],
  )

/** Blocks other transactions of the owner that add keys, until the end of this transaction. */
export const lockKeys = (owner: string): Promise<unknown> =>
  sql(`select pg_advisory_xact_lock(hashtextextended('api keys ' || $1::text, 0))`, [owner])

type AddedKey = Pick<ApiKey, 'name' | 'key_prefix' | 'scopes' | 'expires_at'> & { key_hash: string; created_at: Date }

/** Inserts a key and returns it. */
export async function insertKey(owner: string, key: AddedKey): Promise<ApiKey> {
  const [row] = await sql<ApiKey>(
    `insert into api_keys (user_id, name, key_hash, key_prefix, scopes, created_at, expires_at) values ($1, $2, $3, $4, $5, $6, $7)
     returning ${columns}, is_active`,
    [owner, key.name, key.key_hash, key.key_prefix, key.scopes, key.created_at, key.expires_at],
  )
  if (!row) throw new Error('The API key was not inserted')
  return row
}

/** Deletes a key. Returns false when the owner has no such key. */
export async function deleteKey(owner: string, id: string): Promise<boolean> {
  return (await sql('delete from api_keys where user_id = $1 and id = $2 returning id', [owner, id])).length > 0
}

/** A key that requests can use. `last_used_at` is a time in ISO format. */
type ActiveKey = { id: string; user_id: string; scopes: Scope[]; last_used_at: string | null }

/** Finds a key that requests can use (switched on and not expired), of any owner. */
export async function findActiveKey(hash: string, now: Date): Promise<ActiveKey | undefined> {
  const [key] = await sql<ActiveKey>('select id, user_id, scopes, last_used_at from app.api_key_by_hash($1, $2)', [hash, now])
  return key
}

/** Stores the last use, unless another request has stored a use within `intervalMs` before it. */
export async function storeLastUse(owner: string, id: string, now: Date, intervalMs: number): Promise<void> {
  await sql(
    `update api_keys set last_used_at = $3
     where user_id = $1 and id = $2 and (last_used_at is null or last_used_at <= $3::timestamptz - make_interval(secs => $4))`,
    [owner, id, now, intervalMs / 1000],
  )
}

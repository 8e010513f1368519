// API keys: other programs call the API with them, within the rights that the user gave to each key.
import { randomBytes } from 'node:crypto'
import { apiKeyRoutes, maxApiKeys, type ApiKey, type NewApiKey } from '#contract/apiKeys.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import type { Feature } from '#server/platform/feature/feature.ts'
import { mount } from '#server/platform/http/mount.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { deleteKey, insertKey, lockKeys, readKeys } from './api-keys.store.ts'
import { createKeyFinder, hashKey } from './identify.ts'

export const apiKeyFeature: Feature = {
  mount: (router, context) => {
    const { database, now } = context
    router.finders.user.push(createKeyFinder(database, now))
    mount(router, apiKeyRoutes, {
      list: async ({ caller }) => ({ rows: await database.read(caller, () => readKeys(caller.owner, now())) }),
      create: ({ caller, body }) => createKey(context, caller, body),
      delete: async ({ caller, params }) => {
        const isDeleted = await database.transaction(caller, 'Deleted API key', () => deleteKey(caller.owner, params.id))
        if (!isDeleted) throw new Refusal('not_found')
      },
    })
  },
  webScreens: [{ path: '/api-keys', module: 'web/api-keys/ApiKeysPage.tsx' }],
  takeoutTables: [
    {
      table: 'api_keys',
      name: 'api_keys',
      columns: ['id', 'name', 'key_prefix', 'scopes', 'is_active', 'created_at', 'last_used_at', 'expires_at'],
    },
  ],
}

/** Creates a key and returns it. Throws `invalid` for an expiry in the past, and above the maximum number of keys. */
async function createKey(
  { database, now }: Pick<AppContext, 'database' | 'now'>,
  caller: Caller,
  { name, scopes, expires_at }: NewApiKey,
): Promise<ApiKey & { key: string }> {
  const { owner } = caller
  const created_at = now()
  if (expires_at !== null && new Date(expires_at) <= created_at)
    throw new Refusal('invalid', { fields: { expires_at: 'Choose a time in the future' } })
  const key = `sk_${randomBytes(32).toString('hex')}`
  const added = { name, key_hash: hashKey(key), key_prefix: key.slice(0, 12), scopes: [...new Set(scopes)], created_at, expires_at }
  return database.transaction(caller, 'Created API key', async () => {
    const [, existing] = await Promise.all([lockKeys(owner), readKeys(owner, created_at)])
    if (existing.length >= maxApiKeys) throw new Refusal('invalid', { fields: { name: `At most ${maxApiKeys} keys. Delete one first` } })
    return { ...(await insertKey(owner, added)), key }
  })
}

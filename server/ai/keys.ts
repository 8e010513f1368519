import { createSeal } from '#server/platform/security/seal.ts'
import type { StoredConnection } from './connections.store.ts'
import type { AiContext } from './context.ts'

/** Encrypts the key of an owner for the origin of its endpoint, so that it can never be sent to another origin. */
export const sealKey = ({ secret }: Pick<AiContext, 'secret'>, owner: string, baseUrl: string, key: string): string =>
  key === '' ? '' : createAiSeal(secret).seal(key, [owner, originOf(baseUrl)])

/**
 * Reads the stored key of an owner. `lost`: it cannot be decrypted, for example because the secret of the installation has changed since.
 */
export function readKey(
  { secret }: Pick<AiContext, 'secret'>,
  owner: string,
  storedConnection: StoredConnection,
): { key: string | undefined } | 'lost' {
  if (storedConnection.sealed_key === '') return { key: undefined }
  const key = createAiSeal(secret).unseal(storedConnection.sealed_key, [owner, originOf(storedConnection.base_url)])
  return key === undefined ? 'lost' : { key }
}

/** Returns scheme, host and port of an address. */
export const originOf = (baseUrl: string): string => new URL(baseUrl).origin

const createAiSeal = (secret: string) => createSeal(secret, 'keys of AI connections')

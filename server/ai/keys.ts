import { createSeal } from '#server/platform/security/seal.ts'
import type { StoredConnection } from './connections.store.ts'
import type { AiContext } from './context.ts'

/** Encrypts the key of an owner for the origin of its endpoint, so that it can never be sent to another origin. */
export const sealKey = ({ installationKey }: Pick<AiContext, 'installationKey'>, owner: string, baseUrl: string, key: string): string =>
  key === '' ? '' : createAiSeal(installationKey).seal(key, [owner, originOf(baseUrl)])

/**
 * Reads the stored key of an owner. `lost`: it cannot be decrypted, for example because the key of the installation was replaced.
 */
export function readKey(
  { installationKey }: Pick<AiContext, 'installationKey'>,
  owner: string,
  storedConnection: StoredConnection,
): { key: string | undefined } | 'lost' {
  if (storedConnection.sealed_key === '') return { key: undefined }
  const key = createAiSeal(installationKey).unseal(storedConnection.sealed_key, [owner, originOf(storedConnection.base_url)])
  return key === undefined ? 'lost' : { key }
}

/** Returns scheme, host and port of an address. */
export const originOf = (baseUrl: string): string => new URL(baseUrl).origin

const createAiSeal = (installationKey: string) => createSeal(installationKey, 'keys of AI connections')

import { createSeal } from '#server/platform/security/seal.ts'

const createWebhookSeal = (installationKey: string) => createSeal(installationKey, 'secrets of webhooks')

/** Encrypts the secret of an endpoint. */
export const sealSecret = (installationKey: string, owner: string, id: string, secret: string): string =>
  createWebhookSeal(installationKey).seal(secret, [owner, id])

/** Returns the secret of an endpoint; undefined if it was sealed with another key of the installation. */
export const unsealSecret = (
  installationKey: string,
  owner: string,
  { id, sealed_secret }: { id: string; sealed_secret: string },
): string | undefined => createWebhookSeal(installationKey).unseal(sealed_secret, [owner, id])

import { createSeal } from '#server/platform/security/seal.ts'

const createWebhookSeal = (installationSecret: string) => createSeal(installationSecret, 'secrets of webhooks')

/** Encrypts the secret of an endpoint. */
export const sealSecret = (installationSecret: string, owner: string, id: string, secret: string): string =>
  createWebhookSeal(installationSecret).seal(secret, [owner, id])

/** Returns the secret of an endpoint; undefined if it was sealed with another key of the installation. */
export const unsealSecret = (
  installationSecret: string,
  owner: string,
  { id, sealed_secret }: { id: string; sealed_secret: string },
): string | undefined => createWebhookSeal(installationSecret).unseal(sealed_secret, [owner, id])

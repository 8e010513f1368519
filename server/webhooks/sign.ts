import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'

/** Returns a new secret in the format of Standard Webhooks: 32 random bytes in base64 after a prefix. */
export const newSecret = (): string => `${prefix}${randomBytes(32).toString('base64')}`

/**
 * Returns the headers of a message by the specification of Standard Webhooks (https://www.standardwebhooks.com): id, time, and an HMAC of
 * both and the body. The time is that of the attempt, so that receivers can refuse recorded messages.
 */
export function signMessage(secret: string, id: string, body: string, now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const key = Buffer.from(secret.slice(prefix.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}

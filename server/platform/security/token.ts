import { createHash, randomBytes } from 'node:crypto'

/** A random secret of 256 bits: the token for the user, its hash for the table. */
export function newToken(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: hashToken(token) }
}

/** SHA-256, which is enough for long random secrets. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

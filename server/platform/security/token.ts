import { createHash, randomBytes } from 'node:crypto'

/** A secret that is only ever compared: 256 random bits for its holder, the hash for the table. */
export function newToken(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: hashToken(token) }
}

/** SHA-256; enough for secrets that are random and long. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

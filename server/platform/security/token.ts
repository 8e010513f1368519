import { createHash, randomBytes } from 'node:crypto'

/** Creates a random secret of 256 bits. The user gets the token; the database stores only its hash. */
export function newToken(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: hashToken(token) }
}

/** Hashes with SHA-256, which is sufficient for long random secrets. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

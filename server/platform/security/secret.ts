import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { OperatorError } from '../operator-error.ts'

/**
 * Reads the key that signs links, and from which the password of the application's role on an external server is derived; it encrypts
 * nothing. Creates the file when it does not exist. Machines that share a database must have the same file. Throws an `OperatorError` when
 * the file has fewer than 32 characters.
 */
export function readSecret(file: string): string {
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  }
  const secret = readFileSync(file, 'utf8').trim()
  if (secret.length < 32) throw new OperatorError(`${file} does not contain a key: a key has at least 32 characters.`)
  return secret
}

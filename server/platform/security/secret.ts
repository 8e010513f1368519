import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { OperatorError } from '../operator-error.ts'

/**
 * Reads the key that seals the secrets of this installation. Creates its file on first use. Machines that share a database must share the
 * file. Throws an `OperatorError` when the file has less than 32 characters.
 */
export function readSecret(file: string): string {
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  }
  const secret = readFileSync(file, 'utf8').trim()
  if (secret.length < 32) throw new OperatorError(`${file} holds no key: it must have at least 32 characters.`)
  return secret
}

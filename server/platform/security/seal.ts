import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts secrets that are needed again, such as the keys of other services, before they are stored. */
export type Seal = {
  /** Encrypts a text. `boundTo` says to what it belongs, such as its owner; it is not contained in the result. */
  seal: (text: string, boundTo: readonly string[]) => string
  /**
   * Returns the text that was sealed with the same `boundTo`. Returns undefined if it was altered, belongs to something else, or was
   * sealed with another key of the installation.
   */
  unseal: (sealed: string, boundTo: readonly string[]) => string | undefined
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Creates a seal. A seal cannot read texts that were sealed for another `purpose`. */
export function createSeal(installationKey: string, purpose: string): Seal {
  const key = new Uint8Array(hkdfSync('sha256', installationKey, '', `seal ${purpose}`, 32))
  return {
    seal: (text, boundTo) => {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(encode(boundTo))
      return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url')
    },
    unseal: (sealed, boundTo) => {
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes.length < nonceBytes + tagBytes) return undefined
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
      decipher.setAAD(encode(boundTo)).setAuthTag(bytes.subarray(-tagBytes))
      const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes))
      try {
        return Buffer.concat([text, decipher.final()]).toString()
      } catch {
        return undefined // the tag does not match
      }
    },
  }
}

/** Returns different bytes for different lists, because JSON separates the texts. */
const encode = (boundTo: readonly string[]): Buffer => Buffer.from(JSON.stringify(boundTo))

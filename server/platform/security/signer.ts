import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'

/** Signs texts that are given to clients, such as links, and verifies them when they come back. */
export type Signer = {
  /** Returns a token that contains the text in readable form and works until `expiresAt`. */
  sign: (text: string, expiresAt: Date) => string
  /** Returns the text of a token, or whether the token is unknown (altered, or signed with another key) or expired. */
  verify: (token: string, now: Date) => { text: string } | 'unknown' | 'expired'
}

/** Creates a signer. Tokens of signers with another `purpose` are unknown to it. */
export function createSigner(installationKey: string, purpose: string): Signer {
  const key = createSecretKey(createHmac('sha256', installationKey).update(`signer ${purpose}`).digest()) // made once, because Node needs long for it
  const signatureOf = (payload: string): string => createHmac('sha256', key).update(payload).digest('base64url')
  return {
    sign: (text, expiresAt) => {
      const payload = Buffer.from(`${expiresAt.getTime()} ${text}`).toString('base64url')
      return `${payload}.${signatureOf(payload)}`
    },
    verify: (token, now) => {
      const [payload = '', signature = '', ...others] = token.split('.')
      // compares the texts, not the decoded bytes: several base64url texts have the same bytes, and only one of them may be valid
      const [received, expected] = [Buffer.from(signature), Buffer.from(signatureOf(payload))]
      if (others.length > 0 || received.length !== expected.length || !timingSafeEqual(received, expected)) return 'unknown'
      const [, expiresAt = '', text = ''] = /^(\d+) (.*)$/s.exec(Buffer.from(payload, 'base64url').toString()) ?? []
      return Number(expiresAt) > now.getTime() ? { text } : 'expired'
    },
  }
}

// The proof of work of visitors (ALTCHA): the browser searches for a number whose hash begins in a certain way, which takes it about a
// second, and the server needs one hash to check it. No third party takes part.
import { createHmac, createSecretKey, randomUUID } from 'node:crypto'
import { verifySolution, type Challenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import * as z from 'zod/mini'

/** The algorithm of each challenge, which browsers compute without a library. */
const algorithm = 'PBKDF2/SHA-256'

/**
 * `iterations`: the number of iterations of one hash. `prefix`: the hexadecimal digits with which the wanted hash begins. Two digits need
 * 256 hashes on average.
 */
let difficulty = { iterations: 2000, prefix: '00' }

/** Sets the difficulty of all later challenges of this process. Tests use the lowest one. */
export function setProofDifficulty(newDifficulty: typeof difficulty): void {
  difficulty = newDifficulty
}

export type ProofOfWork = {
  /**
   * Returns a challenge that only the page token with this id can use. `factor` multiplies the work. The challenge has no expiry of its
   * own, because the package would compare it with the clock of the machine instead of the clock of the application. A challenge cannot be
   * used after its token has expired.
   */
  createChallenge: (tokenId: string, factor: number) => Challenge
  /** Whether `proof` is a solved and unaltered challenge of the page token with this id. */
  verify: (tokenId: string, proof: string) => Promise<boolean>
}

const Proof = z.object({
  challenge: z.object({
    parameters: z.object({
      algorithm: z.literal(algorithm),
      nonce: z.string(),
      salt: z.string(),
      cost: z.number(),
      keyLength: z.number(),
      keyPrefix: z.string(),
      data: z.strictObject({ token: z.string() }),
    }),
    signature: z.string(),
  }),
  solution: z.object({ counter: z.number(), derivedKey: z.string() }),
})

/** Creates the functions for challenges. All processes of an installation have its key, so they accept each other's challenges. */
export function createProofOfWork(installationKey: string): ProofOfWork {
  const hmacSignatureSecret = createHmac('sha256', installationKey).update('proof of work').digest('hex')
  const key = createSecretKey(hmacSignatureSecret, 'utf8')
  return {
    // `createChallenge` of the package is not used, because it signs in another thread and each view of a page would wait for it
    createChallenge: (tokenId, factor) => {
      const parameters = {
        // `verifySolution` checks the signature of the JSON with sorted names, so these names are sorted too
        algorithm,
        cost: difficulty.iterations * factor,
        data: { token: tokenId },
        keyLength: 32,
        keyPrefix: difficulty.prefix,
        nonce: createHex(),
        salt: createHex(),
      }
      return { parameters, signature: createHmac('sha256', key).update(JSON.stringify(parameters)).digest('hex') }
    },
    verify: async (tokenId, proof) => {
      const parsed = Proof.safeParse(parseJson(proof))
      // the token decides how long a challenge can be used and that it is used once, so a proof for another token is not accepted
      if (!parsed.success || parsed.data.challenge.parameters.data.token !== tokenId) return false
      const { verified } = await verifySolution({ ...parsed.data, deriveKey, hmacSignatureSecret })
      return verified
    },
  }
}

/**
 * Returns a random UUID as 32 hexadecimal digits. Node keeps random bytes for UUIDs in memory; for others it would ask the system each
 * time.
 */
const createHex = (): string => randomUUID().replaceAll('-', '')

/** Parses the JSON text in base64; undefined for anything else. */
function parseJson(proof: string): unknown {
  try {
    return JSON.parse(Buffer.from(proof, 'base64').toString())
  } catch {
    return undefined
  }
}

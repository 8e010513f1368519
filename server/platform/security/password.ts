import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'

/**
 * The parameters of scrypt. A hash takes about 0.2 s and 32 MiB on a small server. OWASP's Password Storage Cheat Sheet lists N=2^15, r=8,
 * p=3 as equivalent to N=2^17, r=8, p=1, with less memory.
 */
let cost = { logN: 15, r: 8, p: 3 }
const maxMemoryBytes = 256 * 1024 * 1024

/** Sets the parameters of new hashes. Tests lower them, because each sign-up and each sign-in computes a hash. */
export function setHashCost(newCost: typeof cost): void {
  cost = newCost
}

/**
 * Returns `scrypt$logN$r$p$salt$hash`. The parameters are stored with the hash, so that they can be raised later. Callers must limit how
 * many hashes are computed at the same time, because each occupies one of the few threads of libuv.
 */
export async function computeHash(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password, salt, cost)
  return ['scrypt', cost.logN, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/**
 * Whether the password matches the stored hash. Takes the same time without a stored hash, so that the duration does not reveal whether an
 * account exists.
 */
export async function isCorrectPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, logN, r, p, salt, hash] = (stored ?? '').split('$')
  if (!salt || !hash) {
    await derive(password, Buffer.alloc(16), cost)
    return false
  }
  const expected = Buffer.from(hash, 'base64url')
  const derived = await derive(password, Buffer.from(salt, 'base64url'), { logN: Number(logN), r: Number(r), p: Number(p) })
  return expected.length === derived.length && timingSafeEqual(expected, derived)
}

const derive = (password: string, salt: Buffer, { logN, r, p }: typeof cost): Promise<Buffer> =>
  scryptAsync(password.normalize('NFKC'), salt, { N: 2 ** logN, r, p, maxmem: maxMemoryBytes })

function scryptAsync(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, 32, options, (error, key) => (error ? reject(error) : resolve(key)))
  })
}

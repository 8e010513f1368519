import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'

/** scrypt at 2^15 x 8 x 3: about 0.2 s and 32 MiB on a small server (OWASP's equal of 2^17 x 8 x 1 in less memory). */
const cost = { logN: 15, r: 8, p: 3 }
const maxRunning = 2
const maxMemoryBytes = 256 * 1024 * 1024

let running = 0
const waiting: (() => void)[] = []

/** `scrypt$logN$r$p$salt$hash`: stored with its parameters, so that later hashes may use others. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password, salt, cost)
  return ['scrypt', cost.logN, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** Takes as long for an unknown account (no hash) as for a known one. */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, logN, r, p, salt, hash] = (stored ?? '').split('$')
  if (!salt || !hash) {
    await derive(password, Buffer.alloc(16), cost)
    return false
  }
  const expected = Buffer.from(hash, 'base64url')
  const found = await derive(password, Buffer.from(salt, 'base64url'), { logN: Number(logN), r: Number(r), p: Number(p) })
  return expected.length === found.length && timingSafeEqual(expected, found)
}

/** Two at a time: more would fill the thread pool, for which file reads and DNS look-ups wait too. */
async function derive(password: string, salt: Buffer, { logN, r, p }: typeof cost): Promise<Buffer> {
  if (running < maxRunning) running++
  else await new Promise<void>((resume) => waiting.push(resume)) // `running` stays the same
  try {
    return await scryptAsync(password.normalize('NFKC'), salt, { N: 2 ** logN, r, p, maxmem: maxMemoryBytes })
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

function scryptAsync(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, 32, options, (error, key) => (error ? reject(error) : resolve(key)))
  })
}

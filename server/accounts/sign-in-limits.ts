// Limits the failed attempts to sign in (docs/decisions/0019-limits-of-sign-in.md). Only failures count: an attempt is counted before the
// password is verified, so that attempts at the same time cannot exceed a limit, and given back when the password is right.
import { networksOf, verifyCounted, type Attempts, type Counter } from '#server/platform/http/limits.ts'

const quarterHour = 15 * 60
const hour = 60 * 60
const day = 24 * hour

/** Counters with the same name and window: one for each key. */
type Counted = { name: string; windowSeconds: number }
type Limit = Counted & { max: number }

/** The maximum number of failures of a known browser. Above one of them, the browser counts as unknown. */
const ofBrowser: Limit[] = [
  { name: 'sign in of browser in a day', windowSeconds: day, max: 50 },
  { name: 'sign in of browser', windowSeconds: quarterHour, max: 10 },
]
/** The maximum number of failures of unknown browsers of a network, for one account and for all accounts. */
const ofNetwork = {
  oneAccount: { name: 'sign in to account', windowSeconds: quarterHour, max: 10 },
  allAccounts: { name: 'sign in', windowSeconds: quarterHour, max: 60 },
}
/** The numbers of failures of unknown browsers above which an account is under attack, and under a long attack. */
const attack = {
  short: { name: 'attack', windowSeconds: quarterHour, max: 20 },
  long: { name: 'long attack', windowSeconds: day, max: 1000 },
}
/** The maximum number of failures of a network for an account that is under attack, and under a long attack. */
const underAttack = {
  short: { name: 'sign in under attack', windowSeconds: hour, max: 2 },
  long: { name: 'sign in under long attack', windowSeconds: day, max: 1 },
}
/** The failures of unknown browsers that the owner has not been told. They are forgotten after 30 days. */
const untold: Counted = { name: 'failed sign-ins', windowSeconds: 30 * day }
/** The owner is told of at least this number of failures; fewer are usually typing errors in an email. */
const minTold = 3
const attackMails: Counted = { name: 'told of attack', windowSeconds: day }
const networksOfUser: Counted = { name: 'network of user', windowSeconds: 90 * day }

const counterOf = ({ name, windowSeconds }: Counted, ...key: string[]): Counter => ({ key: [name, ...key], windowSeconds })

/** An attempt that is within the limits. */
export type SignInAttempt = {
  /** The attempt is one of a known browser and not of a stranger. */
  isKnown: boolean
  /** Returns the result of `isRight`, which verifies the password. The attempt counts as a failure only if the result is false. */
  verify: (isRight: () => Promise<boolean>) => Promise<boolean>
  /** Must be called after a wrong password. Returns true once a day, when the account comes under attack. */
  recordFailure: () => Promise<boolean>
}

/** `browser`: the id of a known browser. `email`: in the form in which accounts are looked up. */
type Origin = { email: string; address: string; browser: string | undefined }

/** Begins an attempt. Throws `too_many_requests` when a limit is reached; the password must then not be verified. */
export async function beginSignIn(attempts: Attempts, { email, address, browser }: Origin): Promise<SignInAttempt> {
  const countersOfBrowser = browser === undefined ? undefined : await countOfBrowser(attempts, browser)
  if (countersOfBrowser)
    return { isKnown: true, verify: (isRight) => verifyCounted(attempts, countersOfBrowser, isRight), recordFailure: async () => false }
  const { counters, isUnderAttack } = await countOfUnknown(attempts, email, address)
  return {
    isKnown: false,
    verify: (isRight) => verifyCounted(attempts, counters, isRight),
    recordFailure: async () => {
      await attempts.add(counterOf(untold, email))
      return isUnderAttack && (await attempts.add(counterOf(attackMails, email))) === 1
    },
  }
}

/** Returns the failures of unknown browsers since the last call, and forgets them; undefined if there are only few. */
export async function takeFailures(attempts: Attempts, email: string): Promise<{ count: number; since: Date } | undefined> {
  const failures = await attempts.take(counterOf(untold, email))
  return failures && failures.count >= minTold ? failures : undefined
}

/** Returns the counters of the attempt; undefined if the browser has too many failures to count as known. */
async function countOfBrowser(attempts: Attempts, browser: string): Promise<Counter[] | undefined> {
  const counters = ofBrowser.map((limit) => counterOf(limit, browser))
  const counts = await Promise.all(counters.map((counter) => attempts.add(counter)))
  if (ofBrowser.every(({ max }, index) => (counts[index] ?? 0) <= max)) return counters
  await attempts.giveBack(...counters)
  return undefined
}

/** Counts an attempt of an unknown browser. A refused attempt is given back to the counters before the one that refused it. */
async function countOfUnknown(
  attempts: Attempts,
  email: string,
  address: string,
): Promise<{ counters: Counter[]; isUnderAttack: boolean }> {
  const counters: Counter[] = []
  const reserve = async (limit: Limit, ...key: string[]): Promise<void> => {
    for (const network of networksOf(address)) {
      const counter = counterOf(limit, network.name, ...key)
      await attempts.reserve(counter, limit.max * network.share)
      counters.push(counter)
    }
  }
  const isAbove = async (limit: Limit): Promise<boolean> => {
    const counter = counterOf(limit, email)
    const count = await attempts.add(counter)
    counters.push(counter)
    return count > limit.max
  }
  try {
    await reserve(ofNetwork.allAccounts)
    await reserve(ofNetwork.oneAccount, email)
    const isUnderLongAttack = await isAbove(attack.long)
    const isUnderAttack = (await isAbove(attack.short)) || isUnderLongAttack
    if (isUnderAttack) await reserve(underAttack.short, email)
    if (isUnderLongAttack) await reserve(underAttack.long, email)
    return { counters, isUnderAttack }
  } catch (error) {
    await attempts.giveBack(...counters)
    throw error
  }
}

/**
 * Returns true when a user signs in from a network for the first time in 90 days. IPv6 networks of 48 bits count here, because a phone
 * changes its network of 64 bits often.
 */
export async function isNewNetwork(attempts: Attempts, owner: string, address: string): Promise<boolean> {
  const name = networksOf(address).at(-1)?.name ?? address
  return (await attempts.renew(counterOf(networksOfUser, owner, name))) === 1
}

// Limits the failed attempts to sign in (docs/decisions/0019-limits-of-sign-in.md). An attempt is counted before the password is verified,
// so that simultaneous attempts cannot exceed a limit. It is taken back from the counters when the password is right, so only failures
// count.
import { listCountedNetworks, verifyCounted, type Attempts, type Counter } from '#server/platform/http/limits.ts'

const quarterHour = 15 * 60
const hour = 60 * 60
const day = 24 * hour

/** A group of counters with the same name, one for each key (browser, email or network). A counter begins again after `windowSeconds`. */
type CounterGroup = { name: string; windowSeconds: number }
type Limit = CounterGroup & { max: number }

/** The maximum numbers of failures of a known browser. Above one of them, the browser counts as unknown. */
const browserLimits: Limit[] = [
  { name: 'sign in of browser in a day', windowSeconds: day, max: 50 },
  { name: 'sign in of browser', windowSeconds: quarterHour, max: 10 },
]
/** The maximum number of failures of unknown browsers of a network, for one account and for all accounts. */
const networkLimits = {
  oneAccount: { name: 'sign in to account', windowSeconds: quarterHour, max: 10 },
  allAccounts: { name: 'sign in', windowSeconds: quarterHour, max: 60 },
}
/** The numbers of failures of unknown browsers above which an account is under attack (`short`), and under a long attack (`long`). */
const attackThresholds = {
  short: { name: 'attack', windowSeconds: quarterHour, max: 20 },
  long: { name: 'long attack', windowSeconds: day, max: 1000 },
}
/** The maximum number of failures of a network for an account that is under attack, and under a long attack. */
const networkLimitsUnderAttack = {
  short: { name: 'sign in under attack', windowSeconds: hour, max: 2 },
  long: { name: 'sign in under long attack', windowSeconds: day, max: 1 },
}
/** Counts the failures of unknown browsers that the next sign-in reports to the owner. They are forgotten after 30 days. */
const unreportedFailures: CounterGroup = { name: 'failed sign-ins', windowSeconds: 30 * day }
/** Fewer failures are not reported to the owner, because usually another user has mistyped an email. */
const minReportedFailures = 3
/** Counts the mails about an attack, of which an owner gets at most one in a day. */
const attackMails: CounterGroup = { name: 'told of attack', windowSeconds: day }
/** Remembers the networks of a user for 90 days after the last sign-in from each. */
const networksOfUser: CounterGroup = { name: 'network of user', windowSeconds: 90 * day }

const counterOf = ({ name, windowSeconds }: CounterGroup, ...key: string[]): Counter => ({ key: [name, ...key], windowSeconds })

/** An attempt that is within the limits. */
export type SignInAttempt = {
  /** True if the browser counts as known: the user has signed in with it before, and it has not failed too often. */
  isKnownClient: boolean
  /** Returns the result of `isRight`, which verifies the password. The attempt counts as a failure only if the result is false. */
  verify: (isRight: () => Promise<boolean>) => Promise<boolean>
  /** Must be called after a wrong password. Returns true when the owner must get a mail about an attack, at most once a day. */
  recordFailure: () => Promise<boolean>
}

/**
 * The client of an attempt. `email`: in the form in which accounts are looked up. `ip`: the network address of the browser. `browserId`:
 * the id of a known browser.
 */
type SignInClient = { email: string; ip: string; browserId: string | undefined }

/** Begins an attempt. Throws `too_many_requests` when the network has reached a limit; the password must then not be verified. */
export async function beginSignIn(attempts: Attempts, { email, ip, browserId }: SignInClient): Promise<SignInAttempt> {
  const browserCounters = browserId === undefined ? undefined : await countAttemptOfKnownBrowser(attempts, browserId)
  if (browserCounters)
    return {
      isKnownClient: true,
      verify: (isRight) => verifyCounted(attempts, browserCounters, isRight),
      recordFailure: async () => false,
    }
  const { counters, isUnderAttack } = await countAttemptOfUnknownBrowser(attempts, email, ip)
  return {
    isKnownClient: false,
    verify: (isRight) => verifyCounted(attempts, counters, isRight),
    recordFailure: async () => {
      await attempts.add(counterOf(unreportedFailures, email))
      return isUnderAttack && (await attempts.add(counterOf(attackMails, email))) === 1
    },
  }
}

/** Returns the failures of unknown browsers since the last call, and forgets them; undefined if there are fewer than three. */
export async function takeFailures(attempts: Attempts, email: string): Promise<{ count: number; since: Date } | undefined> {
  const failures = await attempts.take(counterOf(unreportedFailures, email))
  return failures && failures.count >= minReportedFailures ? failures : undefined
}

/** Counts an attempt of a known browser. Returns its counters; undefined if the browser has too many failures to count as known. */
async function countAttemptOfKnownBrowser(attempts: Attempts, browserId: string): Promise<Counter[] | undefined> {
  const counters = browserLimits.map((limit) => counterOf(limit, browserId))
  const counts = await Promise.all(counters.map((counter) => attempts.add(counter)))
  if (browserLimits.every(({ max }, index) => (counts[index] ?? 0) <= max)) return counters
  await attempts.giveBack(...counters)
  return undefined
}

/**
 * Counts an attempt of an unknown browser under several counters, one after the other. If a counter refuses the attempt, the attempt is
 * taken back from the counters that have counted it already.
 */
async function countAttemptOfUnknownBrowser(
  attempts: Attempts,
  email: string,
  ip: string,
): Promise<{ counters: Counter[]; isUnderAttack: boolean }> {
  const counters: Counter[] = []
  const reserve = async (limit: Limit, ...key: string[]): Promise<void> => {
    for (const network of listCountedNetworks(ip)) {
      const counter = counterOf(limit, network.name, ...key)
      await attempts.reserve(counter, limit.max * network.limitFactor)
      counters.push(counter)
    }
  }
  const countAndCheckExceeded = async (limit: Limit): Promise<boolean> => {
    const counter = counterOf(limit, email)
    const count = await attempts.add(counter)
    counters.push(counter)
    return count > limit.max
  }
  try {
    await reserve(networkLimits.allAccounts)
    await reserve(networkLimits.oneAccount, email)
    const isUnderLongAttack = await countAndCheckExceeded(attackThresholds.long)
    const isUnderAttack = (await countAndCheckExceeded(attackThresholds.short)) || isUnderLongAttack
    if (isUnderAttack) await reserve(networkLimitsUnderAttack.short, email)
    if (isUnderLongAttack) await reserve(networkLimitsUnderAttack.long, email)
    return { counters, isUnderAttack }
  } catch (error) {
    await attempts.giveBack(...counters)
    throw error
  }
}

/**
 * Remembers for 90 days that a user has used a network. Returns true if the network was not remembered before. Of IPv6 addresses only the
 * first 48 bits count here, because a phone changes its network of 64 bits often.
 */
export async function rememberNetwork(attempts: Attempts, owner: string, ip: string): Promise<boolean> {
  const name = listCountedNetworks(ip).at(-1)?.name ?? ip // the last network is the largest
  return (await attempts.renew(counterOf(networksOfUser, owner, name))) === 1
}

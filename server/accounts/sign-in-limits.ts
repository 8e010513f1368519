// Limits the failed attempts to sign in (docs/decisions/0019-limits-of-sign-in.md). Only failures count: an attempt is counted before the
// password is verified, so that attempts at the same time cannot exceed a limit, and given back when the password is right.
import { networksOf, type Attempts, type Counter } from '#server/platform/http/limits.ts'

const quarterHour = 15 * 60
const hour = 60 * 60
const day = 24 * hour
/** The time in seconds after which the failures that the owner has not been told are forgotten. */
const noticeWindow = 30 * day

/** The maximum number of failures of a known browser in 15 minutes and in a day. Above it, the browser counts as unknown. */
const maxOfBrowser = { quarterHour: 10, day: 50 }
/** The maximum number of failures of a network in 15 minutes, for one account and for all accounts. */
const maxOfNetwork = { oneAccount: 10, allAccounts: 60 }
/** The numbers of failures of an account from unknown browsers above which it is under attack. */
const attack = { quarterHour: 20, day: 1000 }
/** The maximum number of failures of a network for an account that is under attack: in an hour, and in a day after a long attack. */
const maxUnderAttack = { hour: 2, day: 1 }
/** The owner is told of at least this number of failures; fewer are usually typing errors in an email. */
const minTold = 3

/** Failures of which the owner has not been told. */
type FailedSignIns = { count: number; since: Date }

/** An attempt that is within the limits. Exactly one of the functions must be called when the password has been verified. */
export type SignInAttempt = {
  /** Returns the failures since the last sign-in, except those of this browser or network; undefined if there are only few. */
  succeed: () => Promise<FailedSignIns | undefined>
  /** Returns true once a day, when the account comes under attack. */
  fail: () => Promise<boolean>
}

/** `browser`: the id of a known browser. `email`: in the form in which accounts are looked up. */
type Origin = { email: string; address: string; browser: string | undefined }

/** Begins an attempt. Throws `too_many_requests` when a limit is reached; the password must then not be verified. */
export async function beginSignIn(attempts: Attempts, { email, address, browser }: Origin): Promise<SignInAttempt> {
  const failures: Counter = { key: ['failed sign-ins', email], windowSeconds: noticeWindow }
  const known = browser === undefined ? undefined : await countOfBrowser(attempts, browser)
  const counted = known ?? (await countOfUnknown(attempts, email, address))
  return {
    succeed: async () => {
      await Promise.all(counted.counters.map((counter) => attempts.giveBack(counter)))
      const total = await attempts.take(failures)
      const others = (total?.count ?? 0) - counted.ownFailures
      return total && others >= minTold ? { count: others, since: total.since } : undefined
    },
    fail: async () => {
      await attempts.add(failures)
      if (!counted.isUnderAttack) return false
      return (await attempts.add({ key: ['told of attack', email], windowSeconds: day })) === 1
    },
  }
}

/** The counters of an attempt, the earlier failures of the same browser or network, and whether the account is under attack. */
type Counted = { counters: Counter[]; ownFailures: number; isUnderAttack: boolean }

/** Returns undefined if the browser has too many failures to count as known. */
async function countOfBrowser(attempts: Attempts, browser: string): Promise<Counted | undefined> {
  const ofDay: Counter = { key: ['sign in of browser in a day', browser], windowSeconds: day }
  const ofQuarterHour: Counter = { key: ['sign in of browser', browser], windowSeconds: quarterHour }
  const [dayCount, count] = [await attempts.add(ofDay), await attempts.add(ofQuarterHour)]
  if (dayCount > maxOfBrowser.day || count > maxOfBrowser.quarterHour) return undefined
  return { counters: [ofDay, ofQuarterHour], ownFailures: count - 1, isUnderAttack: false }
}

async function countOfUnknown(attempts: Attempts, email: string, address: string): Promise<Counted> {
  const counters: Counter[] = []
  const networks = networksOf(address)
  const count = async (limit: number, windowSeconds: number, name: string, ...key: string[]): Promise<void> => {
    for (const network of networks) {
      const counter = { key: [name, network.name, ...key], windowSeconds }
      await attempts.count(counter, limit * network.share)
      counters.push(counter)
    }
  }
  const add = async (windowSeconds: number, name: string): Promise<number> => {
    const counter = { key: [name, email], windowSeconds }
    counters.push(counter)
    return attempts.add(counter)
  }
  await count(maxOfNetwork.allAccounts, quarterHour, 'sign in')
  await count(maxOfNetwork.oneAccount, quarterHour, 'sign in', email)
  const isUnderLongAttack = (await add(day, 'sign in in a day')) > attack.day
  const isUnderAttack = (await add(quarterHour, 'sign in')) > attack.quarterHour || isUnderLongAttack
  if (isUnderAttack) await count(maxUnderAttack.hour, hour, 'sign in under attack', email)
  if (isUnderLongAttack) await count(maxUnderAttack.day, day, 'sign in under long attack', email)
  return { counters, ownFailures: 0, isUnderAttack }
}

/**
 * Returns true when a user signs in from a network for the first time in 90 days. IPv6 networks of 48 bits count here, because a phone
 * changes its network of 64 bits often.
 */
export async function isNewNetwork(attempts: Attempts, owner: string, address: string): Promise<boolean> {
  const name = networksOf(address).at(-1)?.name ?? address
  return (await attempts.add({ key: ['network of user', owner, name], windowSeconds: 90 * day })) === 1
}

// Computes and verifies password hashes, a few at a time. Known and unknown callers wait in different queues, so that a flood of
// sign-ins from unknown browsers does not keep known browsers out (docs/decisions/0019-limits-of-sign-in.md).
import { createLimiter } from '#server/platform/database/limiter.ts'
import { createWaitingCalls } from '#server/platform/database/waiting-calls.ts'
import { computeHash, isCorrectPassword } from '#server/platform/security/password.ts'

/**
 * The caller that waits for a hash. `isKnown`: it has the cookie of a known browser, a session or a reset link. `queue`: the id of a known
 * browser or user, or the network of an unknown caller; callers of one queue wait for each other, and the queues take turns.
 */
export type HashCaller = { isKnown: boolean; queue: string }

/**
 * Unknown callers have two hashes at a time and known callers have one, which leaves one of libuv's four threads for file reads and DNS
 * lookups. A hash takes about 0.2 s on a small server.
 */
const unknownCallers = createLimiter({
  maxRunning: 2,
  maxRunningOfAll: 2,
  maxWaiting: 20,
  waitingCalls: createWaitingCalls({ maxCalls: 40 }),
})
const knownCallers = createLimiter({ maxRunning: 1, maxRunningOfAll: 1, maxWaiting: 3, waitingCalls: createWaitingCalls({ maxCalls: 20 }) })

/** Returns the hash of a new password. Throws `too_many_requests` or `overloaded` if too many callers wait. */
export const hashPassword = (password: string, caller: HashCaller): Promise<string> => inTurn(caller, () => computeHash(password))

/**
 * Whether the password matches the stored hash. Takes the same time without a stored hash, so that the duration does not reveal whether an
 * account exists. Throws `too_many_requests` or `overloaded` if too many callers wait.
 */
export const isPassword = (password: string, storedHash: string | undefined, caller: HashCaller): Promise<boolean> =>
  inTurn(caller, () => isCorrectPassword(password, storedHash))

const inTurn = <T>({ isKnown, queue }: HashCaller, work: () => Promise<T>): Promise<T> =>
  (isKnown ? knownCallers : unknownCallers).run(queue, {}, work)

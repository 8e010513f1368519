// Computes and verifies password hashes, a few at a time. Known and unknown clients wait in different queues, so that a flood of
// sign-ins from unknown browsers does not keep known browsers out (docs/decisions/0019-limits-of-sign-in.md).
import { createLimiter } from '#server/platform/database/limiter.ts'
import { createWaitingCalls } from '#server/platform/database/waiting-calls.ts'
import { computeHash, isCorrectPassword } from '#server/platform/security/password.ts'

/**
 * The queue in which a request waits for a hash. `isKnownClient`: the request has the cookie of a known browser, a session or a reset link.
 * `queueName`: the id of a known browser or user, or the network of an unknown client; the requests of one queue wait for each other, and
 * the queues take turns.
 */
export type HashQueue = { isKnownClient: boolean; queueName: string }

/**
 * Unknown clients have two hashes at a time and known clients have one, which leaves one of libuv's four threads for file reads and DNS
 * lookups. A hash takes about 0.2 s on a small server.
 */
const unknownClients = createLimiter({
  maxRunning: 2,
  maxRunningOfAll: 2,
  maxWaiting: 20,
  waitingCalls: createWaitingCalls({ maxCalls: 40 }),
})
const knownClients = createLimiter({ maxRunning: 1, maxRunningOfAll: 1, maxWaiting: 3, waitingCalls: createWaitingCalls({ maxCalls: 20 }) })

/** Returns the hash of a new password. Throws `too_many_requests` or `overloaded` if too many requests wait. */
export const hashPassword = (password: string, queue: HashQueue): Promise<string> => inTurn(queue, () => computeHash(password))

/**
 * Whether the password matches the stored hash. Takes the same time without a stored hash, so that the duration does not reveal whether an
 * account exists. Throws `too_many_requests` or `overloaded` if too many requests wait.
 */
export const isPassword = (password: string, storedHash: string | undefined, queue: HashQueue): Promise<boolean> =>
  inTurn(queue, () => isCorrectPassword(password, storedHash))

const inTurn = <T>({ isKnownClient, queueName }: HashQueue, work: () => Promise<T>): Promise<T> =>
  (isKnownClient ? knownClients : unknownClients).run(queueName, {}, work)

// Verifies the email and password of a sign-in, within limits of failures, and tells the owner of the account about attacks and new
// browsers.
import type { FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import type { FailedSignIns, SignIn } from '#contract/accounts.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import type { Attempts } from '#server/platform/http/limits.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { findUserWithHash, normalizeEmail } from './accounts.ts'
import type { KnownBrowsers } from './known-browsers.ts'
import { enqueueAttackMail, enqueueNewBrowserMail } from './mail.ts'
import { isPassword } from './passwords.ts'
import type { VerifiedUser } from './sessions.store.ts'
import { beginSignIn, rememberNetwork, takeFailures } from './sign-in-limits.ts'
import { visitorOf } from '#server/platform/http/visitor.ts'

/** The maximum number of sign-ins of an account in 15 minutes, so that sessions do not fill the database. */
const maxSignIns = 60

type Services = { context: AppContext; attempts: Attempts; browsers: KnownBrowsers }
type VerifiedSignIn = {
  user: VerifiedUser
  /**
   * Returns the failed sign-ins from unknown browsers that were not reported to the owner yet, if there were at least three, and forgets
   * them. Must be called last, because they would be lost if the sign-in failed after the call.
   */
  takeFailedSignIns: () => Promise<FailedSignIns | undefined>
}

/**
 * Verifies an email and a password. For an unknown email it throws the same error after the same time as for a wrong password, so that
 * nobody can find out which emails have accounts. Throws `wrong_credentials`, `too_many_requests` or `overloaded`.
 */
export async function verifySignIn(
  { context, attempts, browsers }: Services,
  { email: sentEmail, password }: z.output<typeof SignIn>,
  request: FastifyRequest,
): Promise<VerifiedSignIn> {
  const { database, mail, now, settings } = context
  const email = normalizeEmail(sentEmail)
  const visitor = visitorOf(request)
  const user = await findUserWithHash(database, visitor, email)
  const browserId = user && browsers.findId(request, user)
  const attempt = await beginSignIn(attempts, { email, ip: request.ip, browserId })
  const { isKnownClient } = attempt
  const hashQueue = { isKnownClient, queueName: isKnownClient && browserId !== undefined ? browserId : visitor.queueName }
  const isVerified = await attempt.verify(() => isPassword(password, user?.passwordHash, hashQueue))
  const notify = async (owner: string, label: string, send: () => Promise<void>): Promise<void> => {
    if (mail.isConfigured) await database.transaction(callerFor(owner), label, send)
  }
  if (!user || !isVerified) {
    const isNewAttack = await attempt.recordFailure()
    if (user && isNewAttack) await notify(user.id, 'Was told of failed sign-ins', () => enqueueAttackMail(email, settings.address))
    throw new Refusal('wrong_credentials')
  }
  await attempts.count({ key: ['sign-ins', user.id], limit: maxSignIns })
  const isFromNewNetwork = await rememberNetwork(attempts, user.id, request.ip)
  if (browserId === undefined && isFromNewNetwork)
    await notify(user.id, 'Was told of a new browser', () => enqueueNewBrowserMail(email, settings.address, request.ip, now()))
  return {
    user,
    takeFailedSignIns: async () => {
      const failures = await takeFailures(attempts, email)
      return failures && { count: failures.count, since: failures.since.toISOString() }
    },
  }
}

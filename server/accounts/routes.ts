import { accountRoutes } from '#contract/accounts.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import type { Feature } from '#server/platform/feature/feature.ts'
import { mount, type Router } from '#server/platform/http/mount.ts'
import { Refusal } from '#server/platform/refusal.ts'
import * as accounts from './accounts.ts'
import { deleteExpired } from './expired.store.ts'
import { sendResetMail } from './mail.ts'
import { createSessions } from './sessions.ts'
import { deleteSession, deleteSessions, listSessions } from './sessions.store.ts'

/** The maximum number of sign-in attempts, and of mails with a reset link, per account in 15 minutes. All network addresses count together. */
const maxAttemptsOfAccount = 20

export const accountFeature: Feature = {
  mount: mountAccounts,
  schedules: (tableOwner, now) => [
    { name: 'expired sessions and links', everySeconds: 60 * 60, run: () => deleteExpired(tableOwner, now()) },
  ],
  ownedTables: [
    { table: 'users', name: 'account', ownerColumn: 'id', columns: ['id', 'email', 'created_at'] },
    { table: 'profiles', name: 'profile' },
  ],
  screens: [
    { path: '/auth', module: 'web/accounts/AuthPage.tsx', isPublic: true },
    { path: '/account', module: 'web/accounts/AccountPage.tsx' },
  ],
}

function mountAccounts(router: Router, context: AppContext): void {
  const { database, now, mail, settings } = context
  const sessions = createSessions(database, { now, isHttps: settings.address.startsWith('https:') })
  router.finders.user.push(sessions.identify)
  const countAttempt = (action: 'sign in' | 'reset', email: string): Promise<void> =>
    router.countAttempt(maxAttemptsOfAccount, action, accounts.normalizeEmail(email))

  mount(router, accountRoutes, {
    instance: async () => ({ sign_up_open: settings.isSignUpOpen, sends_mail: mail.sends }),
    signUp: async ({ body }) => {
      if (!settings.isSignUpOpen) throw new Refusal('sign_up_closed')
      return accounts.signUp(database, body)
    },
    signIn: async ({ body, request, reply }) => {
      await countAttempt('sign in', body.email)
      const user = await accounts.verifyCredentials(database, body)
      const { id, token } = await sessions.begin(user, request, reply)
      const signedIn = await accounts.describeOwner(database, callerFor(user.id))
      return { ...signedIn, session_id: id, token }
    },
    whoAmI: async ({ caller, session }) => ({ ...(await accounts.describeOwner(database, caller)), session_id: session }),
    signOut: async ({ caller, session, reply }) => {
      await database.transaction(caller, 'Signed out', () => deleteSession(caller.owner, session))
      sessions.forget(caller.owner)
      sessions.clearCookie(reply)
    },
    sessions: async ({ caller, session }) => {
      const rows = await database.read(caller, () => listSessions(caller.owner, now()))
      return { rows: rows.map((row) => ({ ...row, current: row.id === session })) }
    },
    endSession: async ({ caller, params }) => {
      const isDeleted = await database.transaction(caller, 'Ended a session', () => deleteSession(caller.owner, params.id))
      if (!isDeleted) throw new Refusal('not_found')
      sessions.forget(caller.owner)
    },
    endOtherSessions: async ({ caller, session }) => {
      await database.transaction(caller, 'Ended other sessions', () => deleteSessions(caller.owner, session))
      sessions.forget(caller.owner)
    },
    profile: async ({ caller }) => (await accounts.describeOwner(database, caller)).profile,
    updateProfile: ({ caller, body }) => accounts.changeProfile(database, caller, body),
    changeEmail: ({ caller, body }) => accounts.changeEmail(database, caller, body),
    changePassword: async ({ caller, body, session }) => {
      await accounts.changePassword(database, caller, body.current_password, body.new_password, session)
      sessions.forget(caller.owner)
    },
    deleteAccount: async ({ caller, body, reply }) => {
      await accounts.deleteAccount(database, caller, body.password)
      sessions.forget(caller.owner)
      sessions.clearCookie(reply)
    },
    requestPasswordReset: async ({ body }) => {
      if (!mail.sends) throw new Refusal('mail_off')
      await countAttempt('reset', body.email)
      await accounts.startPasswordReset(database, body.email, now(), (token, expiresAt) =>
        sendResetMail(accounts.normalizeEmail(body.email), settings.address, token, expiresAt),
      )
    },
    resetPassword: async ({ body }) => sessions.forget(await accounts.resetPassword(database, body.token, body.password, now())),
  })
}

import { accountRoutes } from '#contract/accounts.ts'
import { accountSettingsRoutes } from '#contract/accountSettings.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import type { Feature } from '#server/platform/feature/feature.ts'
import { mount, type Router } from '#server/platform/http/mount.ts'
import { Refusal } from '#server/platform/refusal.ts'
import * as accounts from './accounts.ts'
import { deleteExpired } from './expired.store.ts'
import { createKnownBrowsers } from './known-browsers.ts'
import { enqueueEmailChangedMail, enqueueResetMail } from './mail.ts'
import { createSessions } from './sessions.ts'
import { deleteSession, deleteSessions, listSessions } from './sessions.store.ts'
import { verifySignIn } from './sign-in.ts'
import { rememberNetwork } from './sign-in-limits.ts'
import { visitorOf } from '#server/platform/http/visitor.ts'

/** The maximum number of mails with a reset link per account in 15 minutes. All network addresses count together. */
const maxResetsOfAccount = 20

export const accountFeature: Feature = {
  mount: mountAccounts,
  schedules: (tableOwner, now) => [
    { name: 'expired sessions and links', everySeconds: 60 * 60, run: () => deleteExpired(tableOwner, now()) },
  ],
  takeoutTables: [
    { table: 'users', name: 'account', ownerColumn: 'id', columns: ['id', 'email', 'created_at'] },
    { table: 'profiles', name: 'profile' },
  ],
  tablesForSessionsOnly: ['profiles'],
  webScreens: [
    { path: '/auth', module: 'web/accounts/AuthPage.tsx', isPublic: true },
    { path: '/account', module: 'web/accounts/AccountPage.tsx' },
  ],
}

function mountAccounts(router: Router, context: AppContext): void {
  const { database, now, mail, settings } = context
  const isHttps = settings.address.startsWith('https:')
  // `sessions.forget` only removes the sessions of a user from the cache of this process; the next request reads them again
  const sessions = createSessions(database, { now, isHttps })
  router.finders.user.push(sessions.identify) // the user of a request is found by its session
  const browsers = createKnownBrowsers({ installationKey: context.installationKey, now, isHttps })
  const { attempts } = router
  const services = { database, attempts }

  mount(router, accountRoutes, {
    instance: async () => ({ sign_up_open: settings.isSignUpOpen, sends_mail: mail.isConfigured }),
    signUp: async ({ body, request }) => {
      if (!settings.isSignUpOpen) throw new Refusal('sign_up_closed')
      const user = await accounts.signUp(database, visitorOf(request), body)
      // a sign-in from a known network sends no mail about a new browser, so the first sign-in sends none
      await rememberNetwork(attempts, user.id, request.ip)
      return user
    },
    signIn: async ({ body, request, reply }) => {
      const { user, takeFailedSignIns } = await verifySignIn({ context, attempts, browsers }, body, request)
      const { id, token } = await sessions.begin(user, request, reply)
      browsers.remember(reply, user)
      const account = await accounts.describeOwner(database, callerFor(user.id))
      return { ...account, session_id: id, token, failed_sign_ins: await takeFailedSignIns() }
    },
    whoAmI: async ({ caller, session }) => ({ ...(await accounts.describeOwner(database, caller)), session_id: session }),
    signOut: async ({ caller, session, reply }) => {
      await database.transaction(caller, 'Signed out', () => deleteSession(caller.owner, session))
      sessions.forget(caller.owner)
      sessions.clearCookie(reply)
    },
  })

  mount(router, accountSettingsRoutes, {
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
    changeEmail: async ({ caller, body, session }) => {
      const notify = async (oldEmail: string): Promise<void> => (mail.isConfigured ? enqueueEmailChangedMail(oldEmail) : undefined)
      const user = await accounts.changeEmail(services, caller, body, { session, notify })
      sessions.forget(caller.owner)
      return user
    },
    changePassword: async ({ caller, body, session, reply }) => {
      const user = await accounts.changePassword(services, caller, body.current_password, body.new_password, session)
      sessions.forget(caller.owner)
      browsers.remember(reply, user) // the new password has made all browsers of the user unknown, also this one
    },
    deleteAccount: async ({ caller, body, reply }) => {
      await accounts.deleteAccount(services, caller, body.password)
      sessions.forget(caller.owner)
      sessions.clearCookie(reply)
    },
    requestPasswordReset: async ({ body, request }) => {
      if (!mail.isConfigured) throw new Refusal('mail_off')
      await router.countAttempt(maxResetsOfAccount, 'reset', accounts.normalizeEmail(body.email))
      await accounts.startPasswordReset(database, visitorOf(request), body.email, now(), (token, expiresAt) =>
        enqueueResetMail(accounts.normalizeEmail(body.email), settings.address, token, expiresAt),
      )
    },
    resetPassword: async ({ body, request, reply }) => {
      const user = await accounts.resetPassword(database, visitorOf(request), body, now())
      sessions.forget(user.id)
      browsers.remember(reply, user) // the reader of the link is the owner of the account
    },
  })
}

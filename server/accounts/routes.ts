import { accountRoutes } from '#contract/accounts.ts'
import { actingAs } from '#server/platform/database/transaction.ts'
import type { House } from '#server/platform/feature.ts'
import { mount, type Door } from '#server/platform/http/mount.ts'
import { Refusal } from '#server/platform/refusal.ts'
import * as accounts from './accounts.ts'
import { sendResetMail } from './mail.ts'
import { deleteSession, deleteSessions, listSessions } from './sessions.store.ts'
import type { Sessions } from './sessions.ts'

/** Sign-ins, and mails with a link, that one account has in a quarter of an hour, from all network addresses together. */
const triesPerAccount = 20

export function mountAccounts(door: Door, house: House, sessions: Sessions): void {
  const { database, now, mail, settings } = house
  const countFor = (what: 'sign in' | 'reset', email: string): Promise<void> =>
    door.countTry(triesPerAccount, what, accounts.normaliseEmail(email))

  mount(door, accountRoutes, {
    instance: async () => ({ sign_up_open: settings.signUpOpen, sends_mail: mail.sends }),
    signUp: async ({ body }) => {
      if (!settings.signUpOpen) throw new Refusal('sign_up_closed')
      return accounts.signUp(database, body)
    },
    signIn: async ({ body, request, reply }) => {
      await countFor('sign in', body.email)
      const owner = await accounts.proveIdentity(database, body)
      const { id, token } = await sessions.begin(owner, request, reply)
      const signedIn = await accounts.describeOwner(database, actingAs(owner))
      return { ...signedIn, session_id: id, token }
    },
    whoAmI: async ({ who, session }) => ({ ...(await accounts.describeOwner(database, who)), session_id: session }),
    signOut: async ({ who, session, reply }) => {
      await database.transaction(who, 'Signed out', () => deleteSession(who.owner, session))
      sessions.forget(who.owner)
      sessions.clearCookie(reply)
    },
    sessions: async ({ who, session }) => {
      const rows = await database.read(who, () => listSessions(who.owner, now()))
      return { rows: rows.map((row) => ({ ...row, current: row.id === session })) }
    },
    endSession: async ({ who, params }) => {
      const ended = await database.transaction(who, 'Ended a session', () => deleteSession(who.owner, params.id))
      if (!ended) throw new Refusal('not_found')
      sessions.forget(who.owner)
    },
    endOtherSessions: async ({ who, session }) => {
      await database.transaction(who, 'Ended other sessions', () => deleteSessions(who.owner, session))
      sessions.forget(who.owner)
    },
    profile: async ({ who }) => (await accounts.describeOwner(database, who)).profile,
    updateProfile: ({ who, body }) => accounts.changeProfile(database, who, body),
    changeEmail: ({ who, body }) => accounts.changeEmail(database, who, body),
    changePassword: async ({ who, body, session }) => {
      await accounts.changePassword(database, who, body.current_password, body.new_password, session)
      sessions.forget(who.owner)
    },
    deleteAccount: async ({ who, body, reply }) => {
      await accounts.deleteAccount(database, who, body.password)
      sessions.forget(who.owner)
      sessions.clearCookie(reply)
    },
    requestPasswordReset: async ({ body }) => {
      if (!mail.sends) throw new Refusal('mail_off')
      await countFor('reset', body.email)
      await accounts.startPasswordReset(database, body.email, now(), (token) =>
        sendResetMail(accounts.normaliseEmail(body.email), settings.address, token),
      )
    },
    resetPassword: async ({ body }) => sessions.forget(await accounts.resetPassword(database, body.token, body.password, now())),
  })
}

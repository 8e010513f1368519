// Accounts: sign-up, credentials, profile, and the reset of a forgotten password.
import countryToCurrency from 'country-to-currency'
import type * as z from 'zod/mini'
import type { ProfilePatch } from '#contract/accountSettings.ts'
import type { Profile, SignIn, SignUp } from '#contract/accounts.ts'
import { sql, type Database } from '#server/platform/database/database.ts'
import { callerFor, type Caller } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { constraintName } from '#server/platform/error-code.ts'
import { verifyCounted, type Attempts, type Counter } from '#server/platform/http/limits.ts'
import { editRow } from '#server/platform/journal/edit.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { hashToken, newToken } from '#server/platform/security/token.ts'
import { countryOfZone, isTimezone, requireTimezone } from '#server/platform/time/zones.ts'
import { hashPassword, isPassword } from './passwords.ts'
import { deleteSessions } from './sessions.store.ts'
import * as store from './store.ts'
import type { Visitor } from '#server/platform/http/visitor.ts'

/** The lifetime of a reset link, which lets its reader choose a new password. */
const resetLifeMs = 60 * 60 * 1000
/** The maximum number of wrong passwords in 15 minutes in all sessions of an account. */
const maxWrongPasswords = 10

/** Creates an account with its profile. Country and currency are derived from the browser's time zone; both can be edited. */
export async function signUp(database: Database, visitor: Visitor, { email, password, full_name, timezone }: z.output<typeof SignUp>) {
  const owner = newId()
  const normalizedEmail = normalizeEmail(email)
  const passwordHash = await hashPassword(password, { isKnownClient: false, queueName: visitor.queueName })
  const zone = isTimezone(timezone) ? timezone : 'UTC'
  const country = countryOfZone(zone)
  const currency = currencyOf(country)
  await refuseTakenEmail(() =>
    database.transaction({ ...callerFor(owner), queueName: visitor.queueName }, 'Signed up', async () => {
      await store.insertUser(owner, normalizedEmail, passwordHash)
      await store.insertProfile(owner, { full_name, timezone: zone, country, currency })
    }),
  )
  return { id: owner, email: normalizedEmail }
}

/** A user with the hash of the password, as it is stored. That somebody knows the password is not verified yet. */
export type UserWithHash = { id: string; passwordHash: string }

/** Returns the user with this email; undefined if there is none. */
export async function findUserWithHash(database: Database, visitor: Visitor, email: string): Promise<UserWithHash | undefined> {
  const [user] = await database.read(visitor, () =>
    sql<{ id: string; password_hash: string }>('select id, password_hash from app.user_by_email($1)', [normalizeEmail(email)]),
  )
  return user && { id: user.id, passwordHash: user.password_hash }
}

/** Returns the signed-in user with the profile. */
export async function describeOwner(database: Database, caller: Caller) {
  const [user, profile] = await database.read(caller, () => Promise.all([store.findUser(caller.owner), store.findProfile(caller.owner)]))
  if (!user || !profile) throw new Refusal('not_signed_in')
  return { user, profile }
}

/** Reads the country of the owner's profile (ISO 3166, or empty), which applies to phone numbers without a country code. */
export const readOwnerCountry = async (owner: string): Promise<string> => (await store.findProfile(owner))?.country ?? ''

/** Reads the email of the owner's account, to which mails about the workspace go. */
export async function readOwnerEmail(owner: string): Promise<string> {
  const user = await store.findUser(owner)
  if (!user) throw new Refusal('not_found')
  return user.email
}

/** Changes the fields of the patch. Throws `conflict` when one of them was changed since `version`. */
export async function changeProfile(database: Database, caller: Caller, patch: ProfilePatch): Promise<Profile> {
  if (patch.timezone !== undefined) requireTimezone(patch.timezone)
  const { owner } = caller
  const { version, ...input } = patch
  const isRegionSet = patch.timezone !== undefined || patch.country !== undefined || patch.currency !== undefined
  const fields: typeof input = isRegionSet ? { ...input, region_confirmed: true } : input
  return editRow({
    database,
    caller,
    table: 'profiles',
    id: owner,
    version,
    fields,
    read: () => readProfile(owner),
    update: (currentVersion) =>
      database.batch(caller, labelOf(input), () => store.updateProfile(owner, { ...fields, version: currentVersion })),
  })
}

/** Returns the label of a change of the profile in the history. */
function labelOf({ first_steps_hidden: isHidden, region_confirmed: isConfirmed, ...others }: ProfilePatch): string {
  if (Object.keys(others).length > 0) return 'Updated profile'
  if (isHidden === undefined) return isConfirmed ? 'Confirmed time zone and currency' : 'Updated profile'
  return isHidden ? 'Hid first steps' : 'Showed first steps'
}

/**
 * Changes the email and ends all sessions of the user except `session`. If the new email differs from the old one, calls `notify` with the
 * old email in the same transaction.
 */
export async function changeEmail(
  services: PasswordServices,
  caller: Caller,
  { email, password }: z.output<typeof SignIn>,
  { session, notify }: { session: string; notify: (oldEmail: string) => Promise<void> },
) {
  const lockPassword = await requirePassword(services, caller, password)
  const normalizedEmail = normalizeEmail(email)
  await refuseTakenEmail(() =>
    services.database.transaction(caller, 'Changed email', async () => {
      await lockPassword()
      const user = await store.findUser(caller.owner)
      await store.updateEmail(caller.owner, normalizedEmail)
      await deleteSessions(caller.owner, session)
      if (user && user.email !== normalizedEmail) await notify(user.email)
    }),
  )
  return { id: caller.owner, email: normalizedEmail }
}

/** Changes the password and ends all sessions of the user except `session`. Returns the user with the new hash. */
export async function changePassword(
  services: PasswordServices,
  caller: Caller,
  currentPassword: string,
  newPassword: string,
  session: string,
): Promise<UserWithHash> {
  const lockPassword = await requirePassword(services, caller, currentPassword, 'current_password')
  const passwordHash = await hashPassword(newPassword, { isKnownClient: true, queueName: caller.owner })
  await services.database.transaction(caller, 'Changed password', async () => {
    await lockPassword()
    await store.updatePassword(caller.owner, passwordHash)
    await deleteSessions(caller.owner, session)
  })
  return { id: caller.owner, passwordHash }
}

/** Erases the account and all its data. */
export async function deleteAccount(services: PasswordServices, caller: Caller, password: string): Promise<void> {
  const lockPassword = await requirePassword(services, caller, password)
  await services.database.transaction({ ...caller, timeoutMs: 10 * 60_000 }, 'Deleted account', async () => {
    await lockPassword()
    await store.eraseAccount()
  })
}

/**
 * Creates the token of a reset link and calls `send` with the token and the time at which it expires. Does nothing for an unknown email.
 */
export async function startPasswordReset(
  database: Database,
  visitor: Caller,
  email: string,
  now: Date,
  send: (token: string, expiresAt: Date) => Promise<void>,
): Promise<void> {
  const normalizedEmail = normalizeEmail(email)
  const [user] = await database.read(visitor, () => sql<{ id: string }>('select id from app.user_by_email($1)', [normalizedEmail]))
  if (!user) return
  const { token, hash } = newToken()
  const expiresAt = new Date(now.getTime() + resetLifeMs)
  await database.transaction(callerFor(user.id), 'Asked for a new password', async () => {
    if (await store.insertReset(user.id, normalizedEmail, hash, expiresAt)) await send(token, expiresAt)
  })
}

/**
 * Sets a new password and ends all sessions of the user. `token` is the token of a reset link, which works once. Returns the user with
 * the new hash.
 */
export async function resetPassword(
  database: Database,
  visitor: Visitor,
  { token, password }: { token: string; password: string },
  now: Date,
): Promise<UserWithHash> {
  const hash = hashToken(token)
  const [reset] = await database.read(visitor, () =>
    sql<{ user_id: string }>('select user_id from app.password_reset_by_token($1, $2)', [hash, now]),
  )
  if (!reset) throw new Refusal('link_expired')
  // only the reader of the mail has the token, so the client is known, and does not wait behind unknown clients
  const passwordHash = await hashPassword(password, { isKnownClient: true, queueName: reset.user_id })
  await database.transaction(callerFor(reset.user_id), 'Changed password', async () => {
    if (!(await store.consumeReset(reset.user_id, hash))) throw new Refusal('link_expired')
    await store.updatePassword(reset.user_id, passwordHash)
    await deleteSessions(reset.user_id)
  })
  return { id: reset.user_id, passwordHash }
}

/** Returns the email in lower case without surrounding spaces. Accounts are stored and looked up with this form of the email. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase()

async function readProfile(owner: string): Promise<Profile> {
  const profile = await store.findProfile(owner)
  if (!profile) throw new Refusal('not_found')
  return profile
}

/** The services of the functions that verify the current password. `attempts` counts wrong passwords. */
type PasswordServices = { database: Database; attempts: Attempts }

/** Throws `wrong_password` if this is not the current password of the caller, and `too_many_requests` after too many wrong passwords. */
export async function verifyPassword(services: PasswordServices, caller: Caller, password: string): Promise<void> {
  await requirePassword(services, caller, password)
}

/**
 * Throws `wrong_password` for the request field `field` if this is not the current password, and `too_many_requests` after too many wrong
 * passwords in all sessions of the account. The returned function must be called first in the transaction that relies on the password: it
 * locks the password, and throws `wrong_password` if the password has changed since it was verified.
 */
async function requirePassword(
  { database, attempts }: PasswordServices,
  caller: Caller,
  password: string,
  field = 'password',
): Promise<() => Promise<void>> {
  const refusal = new Refusal('wrong_password', { fields: { [field]: 'That is not your current password.' } })
  const counter: Counter = { key: ['password in a session', caller.owner] }
  const user = await database.read(caller, () => store.findUser(caller.owner))
  await attempts.reserve(counter, maxWrongPasswords)
  const isRight = await verifyCounted(attempts, [counter], () =>
    isPassword(password, user?.password_hash, { isKnownClient: true, queueName: caller.owner }),
  )
  if (!user || !isRight) throw refusal
  return async () => {
    if (!(await store.lockPassword(user.id, user.password_hash))) throw refusal
  }
}

/** Runs `work`. Throws `email_taken` if another account has the email. */
async function refuseTakenEmail<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (constraintName(error) === 'users_email_key') {
      throw new Refusal('email_taken', { fields: { email: 'An account with this email exists already. Sign in instead.' } }, error)
    }
    throw error
  }
}

/** Returns the currency of the country (ISO 4217); US dollars if the country is unknown. */
function currencyOf(country: string): string {
  const currencies: Record<string, string> = countryToCurrency
  return currencies[country] ?? 'USD'
}

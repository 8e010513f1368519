// What the user changes on the account page: profile, email, password, sessions and the account itself.
import * as z from 'zod/mini'
import { credentials, Email, FullName, NewPassword, Password, Profile, User } from './accounts.ts'
import { exampleId } from './examples.ts'
import { Instant } from './fields.ts'
import { defineRoutes } from './route.ts'

const Timezone = z.string().check(z.trim(), z.minLength(1, 'Choose a time zone'), z.maxLength(64))
/** Two letters of ISO 3166; empty when unknown. */
const Country = z.string().check(z.regex(/^([A-Z]{2})?$/, 'Choose a country'))
/** Three letters of ISO 4217. */
const Currency = z.string().check(z.regex(/^[A-Z]{3}$/, 'Choose a currency'))

export const Session = z.object({
  id: z.uuid(),
  created_at: Instant,
  last_seen_at: Instant,
  /** The User-Agent header of the sign-in, unchanged. */
  user_agent: z.string(),
  /** True for the session of this request. */
  current: z.boolean(),
})
export type Session = z.infer<typeof Session>

export const ProfilePatch = z.strictObject({
  full_name: z.optional(FullName),
  timezone: z.optional(Timezone),
  country: z.optional(Country),
  currency: z.optional(Currency),
  /** Confirms the time zone, country and currency as they are. Setting one of them confirms them too. */
  region_confirmed: z.optional(z.literal(true)),
  first_steps_hidden: z.optional(z.boolean()),
  version: z.optional(z.int32().check(z.gte(1))),
})
export type ProfilePatch = z.infer<typeof ProfilePatch>

export const EmailChange = z.strictObject({ email: Email, password: Password })
export const PasswordChange = z.strictObject({ current_password: Password, new_password: NewPassword })
const PasswordReset = z.strictObject({ token: z.string().check(z.minLength(1), z.maxLength(200)), password: NewPassword })

export const accountSettingsRoutes = defineRoutes({
  sessions: {
    method: 'GET',
    path: '/api/sessions',
    summary: 'The active sessions of the user, most recently used first',
    caller: 'user',
    isForSessionsOnly: true,
    changes: 'nothing',
    out: z.object({ rows: z.array(Session) }),
    example: {},
  },
  endSession: {
    method: 'DELETE',
    path: '/api/sessions/{id}',
    summary: 'End one session',
    caller: 'user',
    isForSessionsOnly: true,
    changes: { noUndo: 'An ended session cannot be reopened; signing in starts a new one.' },
    params: z.strictObject({ id: z.uuid() }),
    example: { params: { id: exampleId('session') } },
  },
  endOtherSessions: {
    method: 'DELETE',
    path: '/api/sessions',
    summary: 'End all sessions of the user except the session of this request',
    caller: 'user',
    isForSessionsOnly: true,
    changes: { noUndo: 'An ended session cannot be reopened; signing in starts a new one.' },
    example: {},
  },
  updateProfile: {
    method: 'PATCH',
    path: '/api/profile',
    summary: 'Change name, time zone, country or currency, or hide the first steps',
    caller: 'user',
    isForSessionsOnly: true,
    changes: 'journaled',
    body: ProfilePatch,
    out: Profile,
    responseIfRepeated: { fromRoute: 'profile' },
    errors: ['conflict'],
    example: { body: { full_name: 'Augusta Ada King', country: 'GB', currency: 'GBP' } },
  },
  profile: {
    method: 'GET',
    path: '/api/profile',
    summary: 'Name, time zone, country and currency',
    caller: 'user',
    changes: 'nothing',
    out: Profile,
    example: {},
  },
  changeEmail: {
    method: 'POST',
    path: '/api/account/email',
    summary: 'Change the email used to sign in, and end all other sessions; requires the password',
    caller: 'user',
    isForSessionsOnly: true,
    changes: { noUndo: 'The old email may belong to someone else by now.' },
    body: EmailChange,
    out: User,
    errors: ['wrong_password', 'email_taken'],
    example: { body: { ...credentials, email: 'countess@example.org' } },
  },
  changePassword: {
    method: 'POST',
    path: '/api/account/password',
    summary: 'Change the password and end all sessions of the user except the session of this request',
    caller: 'user',
    isForSessionsOnly: true,
    changes: { noUndo: 'The old password is stored only as a hash.' },
    body: PasswordChange,
    errors: ['wrong_password'],
    example: { body: { current_password: credentials.password, new_password: 'engine no. 2' } },
  },
  deleteAccount: {
    method: 'POST',
    path: '/api/account/delete',
    summary: 'Permanently delete the account with everything in it',
    caller: 'user',
    isForSessionsOnly: true,
    changes: { noUndo: 'The purpose of this route is permanent deletion.' },
    body: z.strictObject({ password: Password }),
    errors: ['wrong_password'],
    example: { body: { password: credentials.password } },
  },
  requestPasswordReset: {
    method: 'POST',
    path: '/api/password-resets',
    summary: 'Email a link to choose a new password; the response is the same for unknown emails',
    caller: 'anyone',
    changes: { noUndo: 'A sent email cannot be recalled.' },
    body: z.strictObject({ email: Email }),
    errors: ['mail_off'],
    maxRequestsIn15Minutes: { perNetwork: 10 },
    example: { body: { email: credentials.email } },
  },
  resetPassword: {
    method: 'POST',
    path: '/api/password-resets/use',
    summary: 'Set a new password with the token of a reset link, and end all sessions of the user',
    caller: 'anyone',
    changes: { noUndo: 'The old password is stored only as a hash.' },
    body: PasswordReset,
    errors: ['link_expired'],
    maxRequestsIn15Minutes: { perNetwork: 30 },
    example: { body: { token: 'the part of the link after token=', password: 'engine no. 3' } },
  },
})

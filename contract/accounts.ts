// Sign-up, sign-in and the user who is signed in. Every screen needs these routes; those of the account page are in accountSettings.ts.
import * as z from 'zod/mini'
import { Instant, visibleText } from './fields.ts'
import { defineRoutes } from './route.ts'

export const passwordMinLength = 6
const passwordMaxLength = 1000

export const Email = z.string().check(z.trim(), z.maxLength(254, 'At most 254 characters'), z.email('Enter an email like name@example.com'))
export const NewPassword = z
  .string()
  .check(
    z.minLength(passwordMinLength, `At least ${passwordMinLength} characters`),
    z.maxLength(passwordMaxLength, `At most ${passwordMaxLength} characters`),
  )
export const Password = z.string().check(z.minLength(1, 'Enter your password'), z.maxLength(passwordMaxLength))
export const FullName = z.string().check(z.trim(), ...visibleText('Enter your full name'), z.maxLength(200, 'At most 200 characters'))
export const User = z.object({ id: z.uuid(), email: z.string() })

export const Profile = z.object({
  id: z.uuid(),
  full_name: z.string(),
  /** IANA name. */
  timezone: z.string(),
  country: z.string(),
  currency: z.string(),
  /** True if the user has set or confirmed the time zone, the country or the currency. They are guessed at sign-up. */
  region_confirmed: z.boolean(),
  /** True if the user has hidden the first steps, which are a checklist on the dashboard for new users. */
  first_steps_hidden: z.boolean(),
  updated_at: Instant,
  version: z.int(),
})
export type Profile = z.infer<typeof Profile>

/** The user who is signed in, with profile and session. */
export const SignedIn = z.object({ user: User, profile: Profile, session_id: z.uuid() })
export type SignedIn = z.infer<typeof SignedIn>

/**
 * Sign-in attempts with a wrong password since the last sign-in, in browsers that the user has not used before. `since` is the time of the
 * first. Fewer than three attempts are not reported, because they are usually typing errors.
 */
const FailedSignIns = z.object({ count: z.int(), since: Instant })
export type FailedSignIns = z.infer<typeof FailedSignIns>

export const SignUp = z.strictObject({
  full_name: FullName,
  email: Email,
  password: NewPassword,
  /** The time zone of the browser; unknown names become UTC. */
  timezone: z._default(z.string().check(z.maxLength(64)), 'UTC'),
})

export const SignIn = z.strictObject({ email: Email, password: Password })

export const credentials = { email: 'ada@example.org', password: 'engine no. 1' }

export const accountRoutes = defineRoutes({
  instance: {
    method: 'GET',
    path: '/api/instance',
    summary: 'Settings of this server that the sign-in page shows',
    caller: 'anyone',
    changes: 'nothing',
    out: z.object({ sign_up_open: z.boolean(), sends_mail: z.boolean() }),
    example: {},
  },
  signUp: {
    method: 'POST',
    path: '/api/users',
    summary: 'Create an account without signing in',
    caller: 'anyone',
    changes: { noUndo: 'The account can only be deleted, on the account page.' },
    body: SignUp,
    out: User,
    status: 201,
    errors: ['email_taken', 'sign_up_closed'],
    maxRequestsIn15Minutes: { perNetwork: 20 },
    example: { body: { ...credentials, email: 'new@example.org', full_name: 'Ada Lovelace', timezone: 'Europe/London' } },
  },
  signIn: {
    method: 'POST',
    path: '/api/session',
    summary: 'Sign in: sets the session cookie, and also returns its token, for API clients',
    caller: 'anyone',
    changes: { noUndo: 'The session can only be ended, by signing out.' },
    body: SignIn,
    out: z.object({ ...SignedIn.shape, token: z.string(), failed_sign_ins: z.optional(FailedSignIns) }),
    errors: ['wrong_credentials'],
    example: { body: credentials },
  },
  whoAmI: {
    method: 'GET',
    path: '/api/session',
    summary: 'The user who is signed in',
    caller: 'user',
    isForSessionsOnly: true,
    changes: 'nothing',
    out: SignedIn,
    example: {},
  },
  signOut: {
    method: 'DELETE',
    path: '/api/session',
    summary: 'Sign out: the session ends for every tab',
    caller: 'user',
    isForSessionsOnly: true,
    changes: { noUndo: 'An ended session cannot be reopened; signing in starts a new one.' },
    example: {},
  },
})

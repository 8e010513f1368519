import { queryOptions, useQuery } from '@tanstack/react-query'
import { accountRoutes, type SignedIn } from '#contract/accounts.ts'
import { call, onSignedOut, ProblemError } from './client.ts'
import { hasUnsavedWork } from './forms.ts'
import { formatFor } from './format.ts'
import { queries } from './queries.ts'
import { createStore } from './store.ts'
import { forgetTabMemory, setTabMemoryOwner } from './tabMemory.ts'
import { createTabChannel } from './tabChannel.ts'

/** The signed-in person. Requested once, and again when the profile changes. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  meta: { tables: ['profiles'] },
  queryFn: async ({ signal }) => remember(await call(accountRoutes.whoAmI, {}, { signal })),
  staleTime: Infinity,
})

let current: SignedIn | undefined

/** The signed-in person. Throws on pages without a session. */
export function useSession(): SignedIn {
  const signedIn = useQuery(sessionQuery).data ?? current // a page that is being left may render after the query was removed
  if (!signedIn) throw new Error('This screen is shown to signed-in people only')
  return signedIn
}

type Credentials = { email: string; password: string }

/** Signs in, and tells the other tabs. */
export async function signIn(credentials: Credentials): Promise<SignedIn> {
  const { user, profile, session_id } = await call(accountRoutes.signIn, { body: credentials })
  const signedIn = remember({ user, profile, session_id })
  queries.setQueryData(sessionQuery.queryKey, signedIn)
  tabs.send({ signedIn: user.id })
  return signedIn
}

/** Signs out here and in every other tab. */
export async function signOut(): Promise<void> {
  try {
    await call(accountRoutes.signOut, {})
  } catch (error) {
    if (!(error instanceof ProblemError) || error.problem.code !== 'not_signed_in') throw error
  }
  await leaveEverywhere()
}

/** After the session has ended on the server: leaves the signed-in pages in every tab. This tab opens `to`. */
export async function leaveEverywhere(to: '/auth' | '/' = '/auth'): Promise<void> {
  tabs.send({ signedOut: true })
  await leave(to)
  forgetTabMemory()
}

/** Whether this browser has a valid session. Sends no request when it has never had one. */
export async function isSignedIn(): Promise<boolean> {
  if (!mayBeSignedIn()) return false
  try {
    await queries.fetchQuery(sessionQuery)
    return true
  } catch {
    return false // the sign-in page is shown whatever the error is
  }
}

/** Whether this browser has signed in and not signed out; the session may have expired. */
export const mayBeSignedIn = (): boolean => localStorage.getItem(marker) !== null

/** Set while a page with unsaved input asks for the password. `resolve(true)` after signing in again. */
export const signInAgain = createStore<{ email: string; resolve: (hasSignedIn: boolean) => void } | undefined>(undefined)

/** Opens the sign-in page or the landing page. With `returnLater` the sign-in page opens the current address afterwards. */
type Leave = (to: '/auth' | '/', returnLater: boolean) => Promise<void>
let openPage: Leave = () => Promise.resolve()

/** Follows the session: its end, and signing in and out in other tabs. `leavePage` navigates. Returns a function that stops it. */
export function watchSession(leavePage: Leave): () => void {
  openPage = leavePage
  onSignedOut(sessionEnded)
  return tabs.subscribe(({ signedOut, signedIn }) => {
    if (signedOut && current) void signedOutElsewhere()
    if (signedIn && current && signedIn !== current.user.id) location.reload()
  })
}

const marker = 'foyer-signed-in'
const tabs = createTabChannel<{ signedOut?: true; signedIn?: string }>('foyer-session')

function remember(signedIn: SignedIn): SignedIn {
  current = signedIn
  setTabMemoryOwner(signedIn.user.id)
  formatFor(signedIn.profile)
  localStorage.setItem(marker, '1')
  return signedIn
}

let signingInAgain: Promise<boolean> | undefined

/** With unsaved input the password is asked for on the page; otherwise the sign-in page is opened. True after signing in again. */
async function sessionEnded(): Promise<boolean> {
  if (!hasUnsavedWork() || !current) {
    await leave('/auth', true)
    return false
  }
  signingInAgain ??= askToSignInAgain(current.user.email)
  return signingInAgain
}

/** Signing out clears the tab memory, except for a page with unsaved input. */
async function signedOutElsewhere(): Promise<void> {
  if (!hasUnsavedWork()) forgetTabMemory()
  await sessionEnded()
}

async function askToSignInAgain(email: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  signInAgain.set({ email, resolve })
  const hasSignedIn = await promise
  signInAgain.set(undefined)
  signingInAgain = undefined
  if (hasSignedIn) return true
  await leave('/auth')
  forgetTabMemory()
  return false
}

async function leave(to: '/auth' | '/', returnLater = false): Promise<void> {
  localStorage.removeItem(marker)
  await openPage(to, returnLater)
  queries.clear()
  current = undefined
}

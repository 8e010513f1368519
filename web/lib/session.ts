import { queryOptions, useQuery } from '@tanstack/react-query'
import { accountRoutes, type FailedSignIns, type SignedIn } from '#contract/accounts.ts'
import { call, setSignedOutListener, ProblemError } from './client.ts'
import { dropFirstResponses } from './firstResponses.ts'
import { hasUnsavedWork } from './forms.ts'
import { setRegion } from './format.ts'
import { queries } from './queries.ts'
import { createStore } from './store.ts'
import { browserMemory } from './browserMemory.ts'
import { tabMemory } from './tabMemory.ts'
import { createTabChannel } from './tabChannel.ts'

/** The query of the signed-in user. It is fetched once, and again when the profile changes. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  meta: { tables: ['profiles'] },
  queryFn: async ({ signal }) => storeSession(await call(accountRoutes.whoAmI, {}, { signal })),
  staleTime: Infinity,
})

let currentSession: SignedIn | undefined
/** Stays after sign-out, because React may render parts of the page again before it shows the sign-in page. */
let lastSession: SignedIn | undefined

/** Returns the signed-in user; on a page that is being closed, the last one. Throws if nobody has signed in. */
export function useSession(): SignedIn {
  const signedIn = useQuery(sessionQuery).data ?? lastSession
  if (!signedIn) throw new Error('This screen is shown to signed-in people only')
  return signedIn
}

/** Returns the id of the signed-in user of this tab; undefined without a session. */
export const getUserId = (): string | undefined => currentSession?.user.id

type Credentials = { email: string; password: string }

/** Signs in and notifies the other tabs. Returns the failed sign-ins since the last sign-in, if there were several. */
export async function signIn(credentials: Credentials): Promise<FailedSignIns | undefined> {
  const { user, profile, session_id, failed_sign_ins } = await call(accountRoutes.signIn, { body: credentials })
  const signedIn = storeSession({ user, profile, session_id })
  queries.setQueryData(sessionQuery.queryKey, signedIn)
  tabs.send({ signedIn: user.id })
  return failed_sign_ins
}

let isSigningOut = false

/** Signs out in every tab. */
export async function signOut(): Promise<void> {
  isSigningOut = true
  try {
    await call(accountRoutes.signOut, {}).catch((error: unknown) => {
      if (!(error instanceof ProblemError) || error.problem.code !== 'not_signed_in') throw error
    })
    await closePagesInAllTabs()
  } finally {
    isSigningOut = false
  }
}

/** Closes the signed-in pages in every tab after the session has ended on the server. This tab then opens `page`. */
export async function closePagesInAllTabs(page: PublicPage = '/auth'): Promise<void> {
  tabs.send({ signedOut: true })
  await closePages(page, { isSignOut: true })
  for (const memory of memories) memory.clear()
}

/** Returns true when this browser has a valid session. Sends no request when no user is signed in by this browser. */
export async function isSignedIn(): Promise<boolean> {
  if (!mayBeSignedIn()) return false
  try {
    await queries.fetchQuery(sessionQuery)
    return true
  } catch {
    return false // the sign-in page is shown after any error
  }
}

/** Returns true from sign-in until sign-out in this browser, even if the session has expired on the server. */
export const mayBeSignedIn = (): boolean => localStorage.getItem(storageKey) !== null

/** The open password dialog of a page with unsaved input; undefined when it is closed. `resolve(true)` means: the user has signed in. */
export const signInAgainDialog = createStore<{ email: string; resolve: (hasSignedIn: boolean) => void } | undefined>(undefined)

/** The path of the sign-in page or of the landing page. Both can be opened without a session. */
type PublicPage = '/auth' | '/'
/** Opens a page that needs no session. With `shouldReturn`, signing in opens the current address again. */
type LeavePage = (page: PublicPage, options: { shouldReturn: boolean }) => Promise<void>
const stayOnPage: LeavePage = () => Promise.resolve()
let openPage = stayOnPage

/**
 * Opens another page with `leavePage` when the session ends, and reacts to sign-in and sign-out in other tabs. Returns a function that
 * stops watching.
 */
export function watchSession(leavePage: LeavePage): () => void {
  openPage = leavePage
  setSignedOutListener(onSessionEnd)
  const unsubscribe = tabs.subscribe(({ signedOut, signedIn, newEmail }) => {
    if (signedOut && currentSession) void onSignOutElsewhere()
    if (signedIn && currentSession && signedIn !== currentSession.user.id) location.reload()
    if (newEmail) storeEmail(newEmail)
  })
  return () => {
    unsubscribe()
    openPage = stayOnPage
  }
}

const storageKey = 'foyer-signed-in'
const memories = [tabMemory, browserMemory]
const tabs = createTabChannel<{ signedOut?: true; signedIn?: string; newEmail?: string }>('foyer-session')

function storeSession(signedIn: SignedIn): SignedIn {
  currentSession = signedIn
  lastSession = signedIn
  for (const memory of memories) memory.setOwner(signedIn.user.id)
  setRegion(signedIn.profile)
  localStorage.setItem(storageKey, '1')
  return signedIn
}

/** Stores the changed email address of the user in every tab. */
export function changeEmailInAllTabs(email: string): void {
  storeEmail(email)
  tabs.send({ newEmail: email })
}

function storeEmail(email: string): void {
  if (!currentSession) return
  const session = queries.getQueryData(sessionQuery.queryKey) ?? currentSession // only the query has later changes of the profile
  queries.setQueryData(sessionQuery.queryKey, storeSession({ ...session, user: { ...session.user, email } }))
}

/** Resolves when the open password dialog closes. */
let passwordDialogResult: Promise<boolean> | undefined

/**
 * Asks for the password if there is unsaved input, otherwise opens the sign-in page. Resolves to true when the user has signed in again.
 */
async function onSessionEnd(): Promise<boolean> {
  if (isSigningOut) return false // a request that was on its way at sign-out; `signOut` leaves the page
  if (!hasUnsavedWork() || !currentSession) {
    await closePages('/auth', { shouldReturn: true })
    return false
  }
  passwordDialogResult ??= askToSignInAgain(currentSession.user.email)
  return passwordDialogResult
}

/** Ends the session of this tab after sign-out in another tab. Unsaved input stays until the user has signed in again or leaves. */
async function onSignOutElsewhere(): Promise<void> {
  if (!hasUnsavedWork()) tabMemory.clear()
  await onSessionEnd()
}

async function askToSignInAgain(email: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  signInAgainDialog.set({ email, resolve })
  const hasSignedIn = await promise
  signInAgainDialog.set(undefined)
  passwordDialogResult = undefined
  if (hasSignedIn) return true
  await closePages('/auth')
  tabMemory.clear()
  return false
}

type SessionEndListener = (end: { isSignOut: boolean }) => void
const endListeners = new Set<SessionEndListener>()

/**
 * Calls the listener when the session of this tab has ended, before its pages are closed. The listener stays until a reload of the page.
 */
export function listenForSessionEnd(listener: SessionEndListener): void {
  endListeners.add(listener)
}

/** Opens `page` instead of the current signed-in page, and removes the session and its data from this tab. */
async function closePages(page: PublicPage, { shouldReturn = false, isSignOut = false } = {}): Promise<void> {
  localStorage.removeItem(storageKey)
  dropFirstResponses()
  for (const listener of endListeners) listener({ isSignOut })
  await openPage(page, { shouldReturn })
  queries.clear()
  currentSession = undefined
}

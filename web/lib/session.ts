import { queryOptions, useQuery } from '@tanstack/react-query'
import { accountRoutes, type SignedIn } from '#contract/accounts.ts'
import { call, onSignedOut, ProblemError } from './client.ts'
import { hasUnsavedWork } from './forms.ts'
import { formatFor } from './format.ts'
import { queries } from './queries.ts'
import { createStore } from './store.ts'
import { forgetTabMemory, setTabMemoryOwner } from './tabMemory.ts'
import { createTabChannel } from './tabChannel.ts'

/** Who is signed in; asked once, and again when the profile changes. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  meta: { tables: ['profiles'] },
  queryFn: async ({ signal }) => remember(await call(accountRoutes.whoAmI, {}, { signal })),
  staleTime: Infinity,
})

let lastKnown: SignedIn | undefined

/** Who is signed in, on screens that only signed-in people see. */
export function useSession(): SignedIn {
  const signedIn = useQuery(sessionQuery).data ?? lastKnown // a screen that is about to leave may outlive the answer
  if (!signedIn) throw new Error('This screen is shown to signed-in people only')
  return signedIn
}

type Credentials = { email: string; password: string }

/** Signs in, and lets the other tabs know. */
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

/** After the session is gone on the server: leaves the signed-in screens in every tab. `to` is where this tab goes. */
export async function leaveEverywhere(to: '/auth' | '/' = '/auth'): Promise<void> {
  tabs.send({ signedOut: true })
  await leave(to)
  forgetTabMemory()
}

/** Whether somebody is signed in already. Strangers are spared a request that would fail. */
export async function isSignedIn(): Promise<boolean> {
  if (!mayBeSignedIn()) return false
  try {
    await queries.fetchQuery(sessionQuery)
    return true
  } catch {
    return false // whatever the reason, the sign-in page is the right place
  }
}

/** Whether this browser knows of a session, as far as it can tell without asking the server. */
export const mayBeSignedIn = (): boolean => localStorage.getItem(marker) !== null

/** Open while a session has ended under unsaved work; `resolve(true)` once the person has signed in again. */
export const signInAgain = createStore<{ email: string; resolve: (again: boolean) => void } | undefined>(undefined)

/** Leads to the sign-in page or the landing page; with `comeBack` the sign-in page leads back to where this was. */
type Departure = (to: '/auth' | '/', comeBack: boolean) => Promise<void>
let depart: Departure = () => Promise.resolve()

/** The shell says how to get from a signed-in screen to the sign-in page, and hears of other tabs. Returns what stops it. */
export function watchSession(departure: Departure): () => void {
  depart = departure
  onSignedOut(sessionEnded)
  return tabs.subscribe(({ signedOut, signedIn }) => {
    if (signedOut && lastKnown) void signedOutElsewhere()
    if (signedIn && lastKnown && signedIn !== lastKnown.user.id) location.reload()
  })
}

const marker = 'foyer-signed-in'
const tabs = createTabChannel<{ signedOut?: true; signedIn?: string }>('foyer-session')

function remember(signedIn: SignedIn): SignedIn {
  lastKnown = signedIn
  setTabMemoryOwner(signedIn.user.id)
  formatFor(signedIn.profile)
  localStorage.setItem(marker, '1')
  return signedIn
}

let asking: Promise<boolean> | undefined

/** With unsaved work on the page the password is asked for over it; else the person goes to the sign-in page and comes back here. */
async function sessionEnded(): Promise<boolean> {
  if (!hasUnsavedWork() || !lastKnown) {
    await leave('/auth', true)
    return false
  }
  asking ??= askAgain(lastKnown.user.email)
  return asking
}

/** What this tab keeps goes with the session, unless somebody is in the middle of an edit here. */
async function signedOutElsewhere(): Promise<void> {
  if (!hasUnsavedWork()) forgetTabMemory()
  await sessionEnded()
}

async function askAgain(email: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  signInAgain.set({ email, resolve })
  const again = await promise
  signInAgain.set(undefined)
  asking = undefined
  if (again) return true
  await leave('/auth')
  forgetTabMemory()
  return false
}

async function leave(to: '/auth' | '/', comeBack = false): Promise<void> {
  localStorage.removeItem(marker)
  await depart(to, comeBack)
  queries.clear()
  lastKnown = undefined
}

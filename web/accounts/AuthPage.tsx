import { useEffect } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouter, useSearch } from '@tanstack/react-router'
import { isLive } from '#contract/liveFeatures.ts'
import { isSignedIn } from '#web/lib/session.ts'
import { AuthCard } from './AuthCard.tsx'
import { AuthForm } from './AuthForm.tsx'
import { instanceQuery } from './queries.ts'

const describeFoyer = (): string =>
  isLive('assistant')
    ? 'Your AI cloud workspace for files and an AI assistant.'
    : 'Your cloud workspace for files. Soon with an AI assistant.'

/** The sign-in page, or with `mode=sign-up` the sign-up page. Opens `next` immediately when the user is already signed in. */
export function AuthPage() {
  const { mode, next } = useSearch({ from: '/auth' })
  const { history } = useRouter()
  const instance = useQuery(instanceQuery)
  const isSignUpClosed = instance.data?.sign_up_open === false
  const openNext = (): void => history.replace(getSafeNextPath(next))
  useEffect(() => {
    const skipSignIn = async (): Promise<void> => {
      if (await isSignedIn()) history.replace(getSafeNextPath(next))
    }
    void skipSignIn()
  }, [history, next])
  if (mode === 'sign-up' && isSignUpClosed) return <SignUpClosedCard next={next} />
  return (
    <AuthCard
      title={mode === 'sign-up' ? 'Create Account' : 'Welcome Back'}
      description={describeFoyer()}
      below={<OtherModeLink mode={mode} next={next} canSignUp={!instance.isPending && !isSignUpClosed} />}
    >
      <AuthForm mode={mode ?? 'sign-in'} onSignedIn={openNext} />
    </AuthCard>
  )
}

/**
 * Returns the path to open after sign-in. To prevent open redirects, only a path of this server is allowed. For any other `next`, the path
 * is the dashboard.
 */
export function getSafeNextPath(next: string | undefined, origin = location.origin): string {
  const fallback = '/dashboard'
  if (!next?.startsWith('/') || !URL.canParse(next, origin)) return fallback
  const url = new URL(next, origin)
  // a path that begins with `//` opens another host, `/auth` opens this page again, and `/` opens the landing page
  const isExcluded = /^\/(\/|auth|$)/.test(url.pathname)
  if (url.origin !== origin || isExcluded) return fallback
  return url.pathname + url.search + url.hash
}

type OtherModeLinkProps = { mode: 'sign-up' | undefined; next: string | undefined; canSignUp: boolean }

/** A link from sign-in to sign-up, or back. */
function OtherModeLink({ mode, next, canSignUp }: OtherModeLinkProps) {
  const linksToSignUp = mode !== 'sign-up'
  if (linksToSignUp && !canSignUp) return null
  return (
    <>
      {linksToSignUp ? "Don't have an account? " : 'Already have an account? '}
      <Link className="link" to="/auth" search={{ next, mode: linksToSignUp ? 'sign-up' : undefined }} replace>
        {linksToSignUp ? 'Sign up' : 'Sign in'}
      </Link>
    </>
  )
}

function SignUpClosedCard({ next }: { next: string | undefined }) {
  return (
    <AuthCard
      title="Sign-up is closed"
      description="This server takes no new accounts at the moment. Ask the person who runs it to allow new accounts."
      below={<OtherModeLink mode="sign-up" next={next} canSignUp={false} />}
    >
      {null}
    </AuthCard>
  )
}

import { useEffect } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouter, useSearch } from '@tanstack/react-router'
import { isSignedIn } from '#web/lib/session.ts'
import { AuthCard } from './AuthCard.tsx'
import { AuthForm } from './AuthForm.tsx'
import { instanceQuery } from './queries.ts'

const aboutFoyer = 'Your AI cloud workspace for files and an AI assistant.'

/** The sign-in page, or with `mode=sign-up` the sign-up page. Opens `next` immediately when the user is already signed in. */
export function AuthPage() {
  const { mode, next } = useSearch({ from: '/auth' })
  const { history } = useRouter()
  const instance = useQuery(instanceQuery)
  const isSignUpClosed = instance.data?.sign_up_open === false
  const openNext = (): void => history.replace(getSafeNextPath(next))
  useEffect(() => {
    const skip = async (): Promise<void> => {
      if (await isSignedIn()) history.replace(getSafeNextPath(next))
    }
    void skip()
  }, [history, next])
  if (mode === 'sign-up' && isSignUpClosed) return <SignUpClosedCard next={next} />
  return (
    <AuthCard
      title={mode === 'sign-up' ? 'Create Account' : 'Welcome Back'}
      description={aboutFoyer}
      below={<OtherModeLink mode={mode} next={next} shown={!instance.isPending && !isSignUpClosed} />}
    >
      <AuthForm mode={mode ?? 'sign-in'} onSignedIn={openNext} />
    </AuthCard>
  )
}

/** Returns the path to open after sign-in. Prevents open redirects: only paths of this server are allowed, else it is the dashboard. */
export function getSafeNextPath(next: string | undefined, origin = location.origin): string {
  const fallback = '/dashboard'
  if (!next?.startsWith('/') || !URL.canParse(next, origin)) return fallback
  const url = new URL(next, origin)
  if (url.origin !== origin || /^\/(\/|auth|$)/.test(url.pathname)) return fallback // a path with `//` would open another host
  return url.pathname + url.search + url.hash
}

type OtherModeLinkProps = { mode: 'sign-up' | undefined; next: string | undefined; shown: boolean }

function OtherModeLink({ mode, next, shown }: OtherModeLinkProps) {
  const toSignUp = mode !== 'sign-up'
  if (toSignUp && !shown) return null
  return (
    <>
      {toSignUp ? "Don't have an account? " : 'Already have an account? '}
      <Link className="link" to="/auth" search={{ next, mode: toSignUp ? 'sign-up' : undefined }} replace>
        {toSignUp ? 'Sign up' : 'Sign in'}
      </Link>
    </>
  )
}

function SignUpClosedCard({ next }: { next: string | undefined }) {
  return (
    <AuthCard
      title="New accounts are closed"
      description="This server takes no new accounts at the moment. Ask whoever runs it to open them."
      below={<OtherModeLink mode="sign-up" next={next} shown />}
    >
      {null}
    </AuthCard>
  )
}

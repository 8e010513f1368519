import { useEffect, useEffectEvent, useState } from 'react'
import { Button } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { dropWaitingKeys } from '#web/lib/typeAhead.ts'
import { describeError } from '#web/lib/toasts.ts'
import { FailedState } from '#web/ui/FailedState.tsx'
import { PageBar } from '#web/ui/PageBar.tsx'
import { isServerReachable } from './connection/isServerReachable.ts'
import classes from './ErrorPages.module.css'

/** The page that is shown when a screen throws an error. */
export function ErrorPage({ error }: ErrorComponentProps) {
  useEffect(dropWaitingKeys, []) // the keys that were pressed while the screen was loading
  if (isLoadFailure(error)) return <NotLoadedPage />
  return (
    <main className={classes['page']} role="alert">
      <h1 className={classes['title']}>Unexpected Application Error!</h1>
      <p className={classes['text']}>{describeError(error)}</p>
      <div className={classes['actions']}>
        <Button onClick={() => location.reload()}>Reload</Button>
        <Button variant="default" component="a" href="/">
          Back to home
        </Button>
      </div>
    </main>
  )
}

/**
 * Prevents the router from reloading the page while the browser is offline. When the code of a screen cannot be loaded, the router reloads
 * the page once, because there may be a newer build. While offline, this reload would show the error page of the browser. If the reload is
 * marked as already done, the router shows our error page instead.
 */
export function preventRouterReloadWhenOffline(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    if (!navigator.onLine) sessionStorage.setItem(`tanstack_router_reload:${payload.message}`, '1')
  })
}

/** Matches the error messages for code that cannot be loaded: of Chrome and Firefox, of Safari, and of Vite. */
const loadFailurePattern = /dynamically imported module|module script failed|unable to preload css/i

const isLoadFailure = (error: unknown): boolean => error instanceof Error && loadFailurePattern.test(error.message)

/** The page that is shown when the code of a screen cannot be loaded. The page reloads when the browser is online again. */
function NotLoadedPage() {
  const [isRetrying, setIsRetrying] = useState(false)
  const retry = async (): Promise<void> => {
    setIsRetrying(true)
    // without the server, the browser would show its own error page
    if (await isServerReachable()) return location.reload() // a reload is needed, because browsers cache a failed module
    setIsRetrying(false)
  }
  const retryOnline = useEffectEvent(retry)
  useEffect(() => {
    const onOnline = (): void => void retryOnline()
    window.addEventListener('online', onOnline)
    return () => window.removeEventListener('online', onOnline)
  }, [])
  const reason = navigator.onLine
    ? 'The server cannot be reached, or Foyer has been updated. Try again in a moment.'
    : 'You seem to be offline. The page loads by itself when you are back.'
  return (
    <>
      <PageBar title="Not loaded" />
      <FailedState title="This page could not be loaded" reason={reason} onRetry={() => void retry()} isRetrying={isRetrying} />
    </>
  )
}

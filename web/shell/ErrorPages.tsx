import { useEffect, useEffectEvent, useState } from 'react'
import { Button } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { notFound } from '#web/brand/notFound.ts'
import { sentenceOf } from '#web/lib/toasts.ts'
import { DoorIllustration } from '#web/ui/DoorIllustration.tsx'
import { FailedState } from '#web/ui/FailedState.tsx'
import { PageBar } from '#web/ui/PageBar.tsx'
import classes from './ErrorPages.module.css'

/** Shown when a screen threw an error. */
export function ErrorPage({ error }: ErrorComponentProps) {
  if (isLoadFailure(error)) return <NotLoadedPage />
  return (
    <main className={classes['page']} role="alert">
      <h1 className={classes['title']}>Unexpected Application Error!</h1>
      <p className={classes['words']}>{sentenceOf(error)}</p>
      <div className={classes['actions']}>
        <Button onClick={() => location.reload()}>Reload</Button>
        <Button variant="default" component="a" href="/">
          Back to home
        </Button>
      </div>
    </main>
  )
}

/** Shown for unknown addresses. */
export function NotFoundPage() {
  useDocumentTitle(notFound.title)
  return (
    <main className={classes['page']}>
      <DoorIllustration />
      <h1 className={classes['title']}>{notFound.heading}</h1>
      <p className={classes['words']}>{notFound.text}</p>
      <div className={classes['actions']}>
        <Button component="a" href="/">
          {notFound.linkLabel}
        </Button>
      </div>
    </main>
  )
}

/**
 * When the code of a screen cannot be loaded, the router reloads the page once, because there may be a newer build. Without a network
 * the reload would end on the browser's own error page: this marks the reload as done, so that the router shows the error instead.
 */
export function preventReloadWhenOffline(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    if (!navigator.onLine) sessionStorage.setItem(`tanstack_router_reload:${payload.message}`, '1')
  })
}

const loadFailureMessage = /dynamically imported module|module script failed|unable to preload css/i // Chrome and Firefox, Safari, Vite

const isLoadFailure = (error: unknown): boolean => error instanceof Error && loadFailureMessage.test(error.message)

/** Shown when the code of a screen could not be loaded. Reloads the page when the network is back. */
function NotLoadedPage() {
  const [retrying, setRetrying] = useState(false)
  const retry = async (): Promise<void> => {
    setRetrying(true)
    if (await isServerReachable()) return location.reload() // browsers cache a module that failed to load
    setRetrying(false)
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
      <FailedState title="This page could not be loaded" reason={reason} onRetry={() => void retry()} retrying={retrying} />
    </>
  )
}

/** Asked before a reload, which without the server would end on the browser's own error page. */
const isServerReachable = (): Promise<boolean> =>
  fetch('/', { method: 'HEAD', redirect: 'manual', cache: 'no-store' }).then(
    () => true,
    () => false,
  )

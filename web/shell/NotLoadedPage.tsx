import { useEffect, useEffectEvent, useState } from 'react'
import { FailedState } from '#web/ui/FailedState.tsx'
import { PageBar } from '#web/ui/PageBar.tsx'

/** What is shown when the network did not bring a screen. It comes by itself with the network. */
export function NotLoadedPage() {
  const [retrying, setRetrying] = useState(false)
  const retry = async (): Promise<void> => {
    setRetrying(true)
    if (await isReachable()) return location.reload() // browsers remember a module that failed until then
    setRetrying(false)
  }
  const retryOnline = useEffectEvent(retry)
  useEffect(() => {
    const comeBack = (): void => void retryOnline()
    window.addEventListener('online', comeBack)
    return () => window.removeEventListener('online', comeBack)
  }, [])
  return (
    <>
      <PageBar title="Not loaded" />
      <FailedState title="This page could not be loaded" reason={reason()} onRetry={() => void retry()} retrying={retrying} />
    </>
  )
}

/** A reload without the server would end on the browser's own error page. */
const isReachable = (): Promise<boolean> =>
  fetch('/', { method: 'HEAD', redirect: 'manual', cache: 'no-store' }).then(
    () => true,
    () => false,
  )

const reason = (): string =>
  navigator.onLine
    ? 'The server cannot be reached, or Foyer has been updated. Try again in a moment.'
    : 'You seem to be offline. The page loads by itself when you are back.'

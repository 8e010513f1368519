import { useBlocker } from '@tanstack/react-router'
import { lazy, Suspense, useRef, useState, type ReactNode } from 'react'

const LeaveDialog = lazy(() => import('./LeaveDialog.tsx').then((module) => ({ default: module.LeaveDialog })))

type LeaveGuard = {
  /** The confirmation dialog; false while it is closed. The page must render it. */
  question: ReactNode
  /** Allows to leave without confirmation. Called after everything is saved. */
  free: () => void
  /** Calls `go`. When there are unsaved changes, waits until the user discards them. */
  leave: (go: () => void) => void
}

/** Asks for confirmation before a page with unsaved input is left by a link, by Back or by closing the tab. */
export function useLeaveGuard(dirty: boolean, onDiscard: () => void): LeaveGuard {
  const isFree = useRef(false)
  const blocker = useBlocker({
    shouldBlockFn: () => dirty && !isFree.current,
    enableBeforeUnload: () => dirty && !isFree.current,
    withResolver: true,
  })
  const [pending, setPending] = useState<() => void>()
  const discard = () => {
    onDiscard()
    setPending(undefined)
    if (!pending) return blocker.proceed?.()
    isFree.current = true
    pending()
  }
  const stay = () => {
    setPending(undefined)
    blocker.reset?.()
  }
  return {
    free: () => {
      isFree.current = true
    },
    leave: (go) => {
      if (dirty && !isFree.current) setPending(() => go)
      else go()
    },
    question: (blocker.status === 'blocked' || pending !== undefined) && (
      <Suspense>
        <LeaveDialog onStay={stay} onLeave={discard} />
      </Suspense>
    ),
  }
}

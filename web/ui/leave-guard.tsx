import { useBlocker } from '@tanstack/react-router'
import { lazy, Suspense, useRef, type ReactNode } from 'react'

const LeaveDialog = lazy(() => import('./LeaveDialog.tsx').then((module) => ({ default: module.LeaveDialog })))

type LeaveGuard = {
  /** The question, while it is asked; to be rendered by the page. */
  question: ReactNode
  /** From now on leaving is free: everything is saved. */
  free: () => void
}

/** Asks before a page with unsaved work is left, by links, Back or closing the tab. */
export function useLeaveGuard(dirty: boolean, onDiscard: () => void): LeaveGuard {
  const free = useRef(false)
  const blocker = useBlocker({
    shouldBlockFn: () => dirty && !free.current,
    enableBeforeUnload: () => dirty && !free.current,
    withResolver: true,
  })
  const leave = () => {
    onDiscard()
    blocker.proceed?.()
  }
  return {
    free: () => {
      free.current = true
    },
    question: blocker.status === 'blocked' && (
      <Suspense>
        <LeaveDialog onStay={blocker.reset} onLeave={leave} />
      </Suspense>
    ),
  }
}

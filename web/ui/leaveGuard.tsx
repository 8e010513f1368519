import { useBlocker } from '@tanstack/react-router'
import { lazy, Suspense, useRef, useState, type ReactNode } from 'react'

const LeaveDialog = lazy(() => import('./LeaveDialog.tsx').then((module) => ({ default: module.LeaveDialog })))

type LeaveGuard = {
  /** The question, while it is asked; to be rendered by the page. */
  question: ReactNode
  /** From now on leaving is free: everything is saved. */
  free: () => void
  /** Goes away by `go`, after the question where there is something to lose. */
  leave: (go: () => void) => void
}

/** Asks before a page with unsaved work is left, by links, Back or closing the tab. */
export function useLeaveGuard(dirty: boolean, onDiscard: () => void): LeaveGuard {
  const free = useRef(false)
  const blocker = useBlocker({
    shouldBlockFn: () => dirty && !free.current,
    enableBeforeUnload: () => dirty && !free.current,
    withResolver: true,
  })
  const [going, setGoing] = useState<() => void>()
  const discard = () => {
    onDiscard()
    setGoing(undefined)
    if (!going) return blocker.proceed?.()
    free.current = true
    going()
  }
  const stay = () => {
    setGoing(undefined)
    blocker.reset?.()
  }
  return {
    free: () => {
      free.current = true
    },
    leave: (go) => {
      if (dirty && !free.current) setGoing(() => go)
      else go()
    },
    question: (blocker.status === 'blocked' || going !== undefined) && (
      <Suspense>
        <LeaveDialog onStay={stay} onLeave={discard} />
      </Suspense>
    ),
  }
}

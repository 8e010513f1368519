import { useBlocker } from '@tanstack/react-router'
import { lazy, Suspense, useRef, type ReactNode } from 'react'

const LeaveDialog = lazy(() => import('./LeaveDialog.tsx').then((module) => ({ default: module.LeaveDialog })))

type LeaveGuard = {
  /** The question, while it is asked; to be rendered by the page. */
  question: ReactNode
  /** From now on leaving is free: everything is saved. */
  free: () => void
}

/** Asks before a page with unsaved work is left, by links, Back or closing the tab. `freely` names addresses that are never in question. */
export function useLeaveGuard(dirty: boolean, onDiscard: () => void, freely: (pathname: string) => boolean): LeaveGuard {
  const free = useRef(false)
  const blocker = useBlocker({
    shouldBlockFn: ({ next }) => dirty && !free.current && !freely(next.pathname),
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

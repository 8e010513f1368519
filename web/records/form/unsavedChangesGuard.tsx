import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { lazyPart } from '#web/lib/lazyPart.ts'

const loadLeaveDialog = () => import('#web/ui/LeaveDialog.tsx').then((module) => module.LeaveDialog)
// `lazyPart` adds the property `onLoadCancelled`: it is called if the code cannot be loaded, or if the user presses Escape before it is
// loaded
const LeaveDialog = lazyPart(loadLeaveDialog)

type UnsavedChangesGuard = {
  /** The confirmation dialog, which the page must render; false while the dialog is closed. */
  confirmation: ReactNode
  /** Lets the user leave without confirmation. The caller calls it after everything is saved. */
  allowLeaving: () => void
  /** Runs an action that leaves the page. If there are unsaved changes, runs it only after the user has discarded them. */
  confirmAndRun: (action: () => void) => void
}

/**
 * Asks for confirmation before the user leaves a page with unsaved changes by a link, by Back or by closing the tab. `onDiscard` must
 * restore the saved values: the page stays until the next page is loaded, and the user may go back to it before that.
 */
export function useUnsavedChangesGuard(hasUnsavedChanges: boolean, onDiscard: () => void): UnsavedChangesGuard {
  const isLeavingAllowed = useRef(false)
  useEffect(() => {
    if (!hasUnsavedChanges) return
    isLeavingAllowed.current = false // the user was allowed to leave, but this page is still open and has new changes
    void loadLeaveDialog().catch(() => undefined) // before it is needed, so that it opens without delay
  }, [hasUnsavedChanges])
  const blocker = useBlocker({
    shouldBlockFn: () => hasUnsavedChanges && !isLeavingAllowed.current,
    enableBeforeUnload: () => hasUnsavedChanges && !isLeavingAllowed.current,
    withResolver: true,
  })
  /** The action that runs after the user has discarded the changes; undefined if a link or Back opened the dialog. */
  const [pendingAction, setPendingAction] = useState<() => void>()
  const discard = () => {
    onDiscard()
    setPendingAction(undefined)
    if (!pendingAction) return blocker.proceed?.()
    isLeavingAllowed.current = true
    pendingAction()
  }
  const stay = () => {
    setPendingAction(undefined)
    blocker.reset?.()
  }
  return {
    allowLeaving: () => {
      isLeavingAllowed.current = true
    },
    confirmAndRun: (action) => {
      if (hasUnsavedChanges && !isLeavingAllowed.current) setPendingAction(() => action)
      else action()
    },
    confirmation: (blocker.status === 'blocked' || pendingAction !== undefined) && (
      <LeaveDialog onStay={stay} onLeave={discard} onLoadCancelled={stay} />
    ),
  }
}

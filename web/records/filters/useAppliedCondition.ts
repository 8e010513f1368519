import { useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Condition } from '#contract/lists.ts'

/**
 * Called with the new condition on a field, or with undefined to remove it. Only an editor's first change adds an entry to the browser
 * history.
 */
export type ChangeCondition = (condition: Condition | undefined, options: { addsHistoryEntry: boolean }) => void

/** The delay after a tick, so that several ticks in a row send one request. */
const delayMs = 250

/** Passes the condition of an editor to the list, at once or shortly after the last tick. No change is lost when the editor closes. */
export function useAppliedCondition(condition: Condition | undefined, onChange: ChangeCondition) {
  const router = useRouter()
  const [pathname] = useState(() => router.state.location.pathname)
  /** `latest` is the newest condition of the editor, `applied` the last one that was passed to `onChange`. */
  const state = useRef({ latest: condition, applied: condition, hasApplied: false })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const callback = useRef(onChange)
  useEffect(() => {
    callback.current = onChange
  })
  const apply = useCallback((): void => {
    clearTimeout(timer.current)
    if (router.state.location.pathname !== pathname) return // another page must not get the filter of this list
    const { latest, applied, hasApplied } = state.current
    if (JSON.stringify(latest) === JSON.stringify(applied)) return
    state.current = { latest, applied: latest, hasApplied: true }
    callback.current(latest, { addsHistoryEntry: !hasApplied })
  }, [router, pathname])
  useEffect(() => apply, [apply])
  return {
    get: (): Condition | undefined => state.current.latest,
    set: (next: Condition | undefined, { isDelayed = false } = {}): void => {
      state.current.latest = next
      if (!isDelayed) return apply()
      clearTimeout(timer.current)
      timer.current = setTimeout(apply, delayMs)
    },
  }
}

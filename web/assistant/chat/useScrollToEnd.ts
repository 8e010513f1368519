import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'

/** The end counts as visible at this distance in px, because scroll positions are rounded. */
const tolerancePx = 32
/** At a smaller distance in px the button that scrolls to the end would cover the last buttons and save nothing. */
const minButtonDistancePx = 120

/**
 * Keeps the end of a growing content visible while the user is at the end. Scrolls to the end when the last item changes. Content that grows
 * because the user opens something in it keeps its place: it has the focus, and `isWriting` is false. The elements of the returned refs are
 * the box that scrolls and its content.
 */
export function useScrollToEnd(lastId: string | undefined, isWriting: boolean) {
  const box = useRef<HTMLElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  const [isAtEnd, setAtEnd] = useState(true)
  const isUserInside = useEffectEvent(() => !isWriting && content.current?.contains(document.activeElement) === true)
  const jump = useCallback((behavior: ScrollBehavior = 'instant') => {
    const element = box.current
    if (element) element.scrollTo({ top: element.scrollHeight, behavior })
  }, [])
  useLayoutEffect(() => {
    follows.current = true
    if (lastId !== undefined) jump()
  }, [lastId, jump])
  useEffect(() => {
    const element = box.current
    if (!element || !content.current) return undefined
    let previousTop = element.scrollTop
    const check = (): void => {
      const { scrollTop, scrollHeight, clientHeight } = element
      const distancePx = scrollHeight - scrollTop - clientHeight
      const isEndVisible = distancePx <= tolerancePx
      // content that grows moves the end away, which is no scrolling by the user
      if (isEndVisible) follows.current = true
      else if (scrollTop < previousTop) follows.current = false
      previousTop = scrollTop
      setAtEnd(distancePx <= minButtonDistancePx || follows.current)
    }
    const grow = new ResizeObserver(() => {
      if (follows.current && !isUserInside()) jump()
      check()
    })
    grow.observe(content.current)
    grow.observe(element)
    element.addEventListener('scroll', check, { passive: true })
    return () => {
      grow.disconnect()
      element.removeEventListener('scroll', check)
    }
  }, [jump])
  const scrollToEnd = useCallback(() => {
    follows.current = true
    jump('smooth')
    setAtEnd(true)
    box.current?.focus({ preventScroll: true })
  }, [jump])
  return { box, content, isAtEnd, scrollToEnd }
}

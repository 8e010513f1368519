import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'

/** The end counts as visible at this distance in px, because scroll positions are rounded. */
const tolerancePx = 32
/** At a smaller distance in px the button that scrolls to the end would cover the buttons of the last message, and is not needed. */
const minButtonDistancePx = 120

/**
 * Keeps the end of a growing content visible while the user is at the end. Scrolls to the end when the last item changes. Does not scroll
 * when the content grows while the focus is in it and `isWriting` is false, because the user has then opened something in it. The elements
 * of the returned refs are the box that scrolls and its content.
 */
export function useScrollToEnd(lastId: string | undefined, isWriting: boolean) {
  const box = useRef<HTMLElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const followsEnd = useRef(true)
  const [isAtEnd, setAtEnd] = useState(true)
  const isUserInside = useEffectEvent(() => !isWriting && content.current?.contains(document.activeElement) === true)
  const jump = useCallback((behavior: ScrollBehavior = 'instant') => {
    const element = box.current
    if (element) element.scrollTo({ top: element.scrollHeight, behavior })
  }, [])
  useLayoutEffect(() => {
    followsEnd.current = true
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
      // content that grows moves the end away, although the user has not scrolled
      if (isEndVisible) followsEnd.current = true
      else if (scrollTop < previousTop) followsEnd.current = false
      previousTop = scrollTop
      setAtEnd(distancePx <= minButtonDistancePx || followsEnd.current)
    }
    const sizeObserver = new ResizeObserver(() => {
      if (followsEnd.current && !isUserInside()) jump()
      check()
    })
    sizeObserver.observe(content.current)
    sizeObserver.observe(element)
    element.addEventListener('scroll', check, { passive: true })
    return () => {
      sizeObserver.disconnect()
      element.removeEventListener('scroll', check)
    }
  }, [jump])
  const scrollToEnd = useCallback(() => {
    followsEnd.current = true
    jump('smooth')
    setAtEnd(true)
    box.current?.focus({ preventScroll: true })
  }, [jump])
  return { box, content, isAtEnd, scrollToEnd }
}

import { useEffect, type RefObject } from 'react'

const property = '--f-composer-height'

/** Stores the height of the composer in a CSS property of the page, so that toasts and the list of uploads are above it. */
export function useComposerHeight(composer: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = composer.current
    if (!element) return undefined
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => style.setProperty(property, `${element.offsetHeight}px`))
    observer.observe(element)
    return () => {
      observer.disconnect()
      style.removeProperty(property)
    }
  }, [composer])
}

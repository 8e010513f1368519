import { useEffect, useEffectEvent } from 'react'

/** Listens on an element while it is there. One listener on a table costs less than one on each of its cells. */
export function useListener<Name extends keyof HTMLElementEventMap>(
  element: HTMLElement | null,
  name: Name,
  listener: (event: HTMLElementEventMap[Name]) => void,
): void {
  const heard = useEffectEvent(listener)
  useEffect(() => {
    if (!element) return undefined
    const listen = (event: HTMLElementEventMap[Name]) => heard(event)
    element.addEventListener(name, listen)
    return () => element.removeEventListener(name, listen)
  }, [element, name])
}

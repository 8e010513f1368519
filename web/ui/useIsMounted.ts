import { useEffect, useRef, type RefObject } from 'react'

/**
 * Returns a ref whose value is true while the component is mounted. The user can close a dialog while it saves; the opener may then show
 * another dialog, which the `onClose` of the first one would close.
 */
export function useIsMounted(): Readonly<RefObject<boolean>> {
  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  return isMounted
}

import { useEffect, useRef, type RefObject } from 'react'

/**
 * Returns a ref whose value is true while the component is mounted. A dialog that the user closes while it saves must not call `onClose`
 * later, because `onClose` would close the next dialog.
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

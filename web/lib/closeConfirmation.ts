import { useEffect } from 'react'

/** Lets the browser ask before it closes or reloads the page, while the component has something that would be lost. */
export function useCloseConfirmation(isNeeded: boolean): void {
  useEffect(() => (isNeeded ? confirmClose() : undefined), [isNeeded])
}

/** Does the same as `useCloseConfirmation` outside of components, until the returned function is called. */
export function confirmClose(): () => void {
  const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
  addEventListener('beforeunload', ask)
  return () => removeEventListener('beforeunload', ask)
}

import { useEffect, useRef, type RefObject } from 'react'

/**
 * Returns a ref for the element of a field that has several inputs. When the element is focused because the value of the field was refused,
 * its first invalid input gets the focus.
 */
export function useInvalidInputFocus(errors: Readonly<Record<string, unknown>>, field: string): RefObject<HTMLDivElement | null> {
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!errors[field] || document.activeElement !== container.current) return // an earlier refused field of the form has the focus
    container.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [errors, field])
  return container
}

import { useEffect, useState, type RefObject } from 'react'
import { isUnfocused } from './unfocused.ts'

/**
 * Restores the focus when a dialog or panel is unmounted. If the element that had the focus no longer exists, focuses the first of these
 * elements that exists:
 * 1. a link to the same address as the link that had the focus
 * 2. `opener`, the button that opened the dialog, or the button of the menu from which the dialog was opened
 * 3. the current row of the list, or the first button of an empty list
 * 4. the main element of the page
 */
export function useReturnFocus(opener?: RefObject<HTMLElement | null>): void {
  const [previousFocus] = useState(getFocusTarget)
  useEffect(() => () => returnFocus(previousFocus, opener?.current), [previousFocus, opener])
}

/** The element that has the focus, and the address of its link if it has one. */
type FocusTarget = { element: HTMLElement | undefined; href: string | null | undefined }

function getFocusTarget(): FocusTarget {
  const element = document.activeElement
  if (!(element instanceof HTMLElement) || isUnfocused(element)) return { element: undefined, href: undefined }
  const link = element.matches('tr') ? element.querySelector('a') : element.closest('a')
  return { element, href: link?.getAttribute('href') }
}

function returnFocus({ element, href }: FocusTarget, opener: HTMLElement | null | undefined): void {
  if (!isUnfocused(document.activeElement)) return // the focus has already moved to another element
  if (element?.isConnected) return element.focus({ preventScroll: true })
  const link = href && document.querySelector<HTMLElement>(`a[href="${CSS.escape(href)}"]`)
  const target = link || opener || document.querySelector<HTMLElement>(listSelector) || document.querySelector<HTMLElement>('main')
  target?.focus({ preventScroll: true })
}

const listSelector = 'main tbody tr[tabindex="0"], main [data-first-step] :is(a, button)'

import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { isUnfocused } from '#web/ui/unfocused.ts'

/** How long this module waits for the previous page to show the element that gets the focus. */
const maxWaitMs = 3000

/**
 * Restores the focus when the page with the form of a record is closed: focuses the button or link that opened the form, or else the link
 * to the form or the row of the record. Waits until the previous page shows this element. Does nothing if the previous page focuses another
 * element itself, or if the frame of the application is closed together with the form, for example by a sign-out.
 */
export function useReturnToOpener(recordId?: string): void {
  const router = useRouter()
  const [selectors] = useState(() => listOpenerSelectors(recordId, router.state.location.pathname))
  useEffect(() => {
    const main = document.querySelector('main')
    return () => {
      // after the previous page was mounted
      setTimeout(() => {
        if (main?.isConnected) focusWhenShown(selectors)
      })
    }
  }, [selectors])
}

/**
 * Returns selectors that find the element which has the focus while the form opens, the best one first. The previous page is mounted anew,
 * so the element itself cannot be kept.
 */
function listOpenerSelectors(recordId: string | undefined, formPath: string): string[] {
  const element = document.activeElement
  const label = element?.matches('main button, main a') ? element.getAttribute('aria-label') : null
  const link = element?.matches('tr') ? element.querySelector('a') : element?.closest('main a')
  const href = link?.getAttribute('href')
  return [
    // the button or link with the same name
    ...(label ? [`main button[aria-label="${CSS.escape(label)}"], main a[aria-label="${CSS.escape(label)}"]`] : []),
    // the row with the same link, or the link itself
    ...(href ? [`main tr:has(a[href="${CSS.escape(href)}"])`, `main a[href="${CSS.escape(href)}"]`] : []),
    // the link to the form
    `main a[href="${CSS.escape(formPath)}"]`,
    // the row of the record, or else the current row of the list
    ...(recordId ? [`main tr:has(a[href$="/${CSS.escape(recordId)}"])`] : []),
    'main tbody tr[tabindex="0"]',
  ]
}

function focusWhenShown(selectors: readonly string[]): void {
  /** Returns true if an element has the focus now. */
  const focus = (): boolean => {
    if (!isUnfocused(document.activeElement)) return true
    const target = selectors.map((selector) => document.querySelector<HTMLElement>(selector)).find((element) => element !== null)
    target?.focus({ preventScroll: true })
    return target !== undefined
  }
  if (focus()) return
  const observer = new MutationObserver(() => {
    if (focus()) observer.disconnect()
  })
  observer.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => observer.disconnect(), maxWaitMs)
}

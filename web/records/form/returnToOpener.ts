import { useEffect, useState } from 'react'

/** How long the page that opened the form may load before the focus stays where it is. */
const longestWaitMs = 3000

/**
 * Restores the focus when the page with the form of a record is closed: on the button or link with the name of the one that opened the form,
 * or else on the link to the form or the row of the record. It waits until the previous page shows it, and gives way to any focus of that page.
 * Does nothing when the frame is closed too, as at the sign-out.
 */
export function useReturnToOpener(recordId: string): void {
  const [selectors] = useState(() => listOpenerSelectors(recordId))
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

/** Returns how to find what has the focus while the form opens, the best way first. */
function listOpenerSelectors(recordId: string): string[] {
  const element = document.activeElement
  const label = element?.matches('main button, main a') ? element.getAttribute('aria-label') : null
  const link = element?.matches('tr') ? element.querySelector('a') : element?.closest('main a')
  const href = link?.getAttribute('href')
  return [
    ...(label ? [`main button[aria-label="${CSS.escape(label)}"], main a[aria-label="${CSS.escape(label)}"]`] : []),
    ...(href ? [`main tr:has(a[href="${CSS.escape(href)}"])`, `main a[href="${CSS.escape(href)}"]`] : []),
    `main a[href="${CSS.escape(location.pathname)}"]`,
    `main tr:has(a[href$="/${CSS.escape(recordId)}"])`,
    'main tbody tr[tabindex="0"]',
  ]
}

function focusWhenShown(selectors: readonly string[]): void {
  const focus = (): boolean => {
    if (!isUnfocused(document.activeElement)) return true
    const found = selectors.map((selector) => document.querySelector<HTMLElement>(selector)).find((element) => element !== null)
    found?.focus({ preventScroll: true })
    return found !== undefined
  }
  if (focus()) return
  const observer = new MutationObserver(() => {
    if (focus()) observer.disconnect()
  })
  observer.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => observer.disconnect(), longestWaitMs)
}

/** Browsers focus the body when the focused element is removed. */
const isUnfocused = (element: Element | null): boolean => element === null || element === document.body || element.matches('main')

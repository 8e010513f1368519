import { useEffect, useState, type RefObject } from 'react'

/**
 * What stands over a page gives the focus back when it goes: to where it was, to the link that took its place, to `opener` (the button of
 * the menu that led here, whose lines are gone), else to the list behind it: its row under the cursor, or what can be done where nothing
 * is left.
 */
export function useReturnFocus(opener?: RefObject<HTMLElement | null>): void {
  const [before] = useState(focused)
  useEffect(() => () => giveBack(before, opener?.current), [before, opener])
}

type Focused = { element: HTMLElement | undefined; href: string | null | undefined }

function focused(): Focused {
  const element = document.activeElement
  if (!(element instanceof HTMLElement) || isNowhere(element)) return { element: undefined, href: undefined }
  const link = element.matches('tr') ? element.querySelector('a') : element.closest('a')
  return { element, href: link?.getAttribute('href') }
}

function giveBack({ element, href }: Focused, opener: HTMLElement | null | undefined): void {
  if (!isNowhere(document.activeElement)) return // somebody went on already
  if (element?.isConnected) return element.focus({ preventScroll: true })
  const link = href && document.querySelector<HTMLElement>(`a[href="${CSS.escape(href)}"]`)
  const place = link || opener || document.querySelector<HTMLElement>(list) || document.querySelector<HTMLElement>('main')
  place?.focus({ preventScroll: true })
}

const list = 'main tbody tr[tabindex="0"], main [data-first-step] :is(a, button)'

const isNowhere = (element: Element | null): boolean => element === null || element === document.body || element.matches('main')

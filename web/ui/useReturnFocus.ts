import { useEffect, useState, type RefObject } from 'react'

/**
 * For dialogs and panels over a page: when the component is removed, gives the focus back to the element that had it. If that element is
 * gone, the focus goes to a link with the same address, to `opener` (the button of the menu that opened the dialog), to the current row
 * of the list, to the first button of an empty list, or to the page.
 */
export function useReturnFocus(opener?: RefObject<HTMLElement | null>): void {
  const [previous] = useState(focusedElement)
  useEffect(() => () => returnFocus(previous, opener?.current), [previous, opener])
}

type Focused = { element: HTMLElement | undefined; href: string | null | undefined }

function focusedElement(): Focused {
  const element = document.activeElement
  if (!(element instanceof HTMLElement) || isUnfocused(element)) return { element: undefined, href: undefined }
  const link = element.matches('tr') ? element.querySelector('a') : element.closest('a')
  return { element, href: link?.getAttribute('href') }
}

function returnFocus({ element, href }: Focused, opener: HTMLElement | null | undefined): void {
  if (!isUnfocused(document.activeElement)) return // the focus has moved on already
  if (element?.isConnected) return element.focus({ preventScroll: true })
  const link = href && document.querySelector<HTMLElement>(`a[href="${CSS.escape(href)}"]`)
  const target = link || opener || document.querySelector<HTMLElement>(listSelector) || document.querySelector<HTMLElement>('main')
  target?.focus({ preventScroll: true })
}

const listSelector = 'main tbody tr[tabindex="0"], main [data-first-step] :is(a, button)'

const isUnfocused = (element: Element | null): boolean => element === null || element === document.body || element.matches('main')

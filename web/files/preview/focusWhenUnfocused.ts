import { isUnfocused } from '#web/ui/unfocused.ts'

/** Focuses the element unless another element has the focus, so that Page Down scrolls the element as soon as it is shown. */
export function focusWhenUnfocused(element: HTMLElement | null): void {
  if (isUnfocused(document.activeElement)) element?.focus({ preventScroll: true })
}

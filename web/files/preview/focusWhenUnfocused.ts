/** Focuses the element unless another element has the focus, so that Page Down scrolls the element as soon as it is shown. */
export function focusWhenUnfocused(element: HTMLElement | null): void {
  const { activeElement } = document
  if (activeElement === null || activeElement === document.body || activeElement.matches('main')) element?.focus({ preventScroll: true })
}

/** Focuses the element unless a control has the focus, so that the keys for pages scroll it as soon as it is shown. */
export function focusWhenUnfocused(element: HTMLElement | null): void {
  const { activeElement } = document
  if (activeElement === null || activeElement === document.body || activeElement.matches('main')) element?.focus({ preventScroll: true })
}

/**
 * Returns true if `element`, the active element of the document, is null or was not focused by the user: browsers focus the body when the
 * focused element is removed, and the application focuses `main` when it opens a page.
 */
export const isUnfocused = (element: Element | null): boolean => element === null || element === document.body || element.matches('main')

/** Returns true if the focus is in `area` or on no element, so that the user has not moved it to another element. */
export const canTakeFocus = (area: Element | null): boolean =>
  isUnfocused(document.activeElement) || area?.contains(document.activeElement) === true

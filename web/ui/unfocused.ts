/** Returns true if this focused element stands for no focus. Browsers focus the body when the focused element is removed. */
export const isUnfocused = (element: Element | null): boolean => element === null || element === document.body || element.matches('main')

/** Returns true if `area` contains the focus, or nothing has it: the user has not moved on to something else. */
export const hasFocusOrNothingHas = (area: Element | null): boolean =>
  isUnfocused(document.activeElement) || area?.contains(document.activeElement) === true

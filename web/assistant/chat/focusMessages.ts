/** Moves the focus from a button or a field in a message to the box of all messages, because the message will be replaced by another one. */
export const focusMessages = (): void => document.activeElement?.closest<HTMLElement>('[data-messages]')?.focus({ preventScroll: true })

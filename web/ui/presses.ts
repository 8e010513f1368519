let isPressed = false
const listeners = new Set<() => void>()

/**
 * Resolves when neither a button of the mouse, a finger nor the space bar is held down. Browsers send a click only to the element on which
 * the press began and ended, so it would be lost if that element were replaced in between.
 */
export function waitForRelease(): Promise<void> {
  return isPressed ? new Promise((resolve) => listeners.add(resolve)) : Promise.resolve()
}

const isSpaceBar = (event: Event): boolean => event instanceof KeyboardEvent && event.key === ' '
const press = (event: Event): void => {
  if (event.type === 'pointerdown' || isSpaceBar(event)) isPressed = true
}
const release = (event: Event): void => {
  if (!isPressed || (event.type === 'keyup' && !isSpaceBar(event))) return
  isPressed = false
  // after the click, which follows the release
  setTimeout(() => {
    if (isPressed) return
    for (const listener of listeners) listener()
    listeners.clear()
  })
}
for (const type of ['pointerdown', 'keydown']) window.addEventListener(type, press, { capture: true, passive: true })
for (const type of ['pointerup', 'pointercancel', 'keyup', 'blur']) window.addEventListener(type, release, { capture: true, passive: true })

let isPressed = false
let releaseTimer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

/**
 * Resolves when no mouse button, finger or space bar is held down. Browsers send a click only to the element on which
 * the press began and ended, so the click would be lost if that element were replaced in between.
 */
export function waitForRelease(): Promise<void> {
  return isPressed ? new Promise((resolve) => listeners.add(resolve)) : Promise.resolve()
}

const isSpaceBar = (event: Event): boolean => event instanceof KeyboardEvent && event.key === ' '

function press(event: Event): void {
  if (event.type === 'keydown' && !isSpaceBar(event)) return
  clearTimeout(releaseTimer)
  isPressed = true
}

/** Ends the press after the click, which the browser sends directly after the release. */
function release(event: Event): void {
  if (!isPressed || (event.type === 'keyup' && !isSpaceBar(event))) return
  clearTimeout(releaseTimer)
  releaseTimer = setTimeout(() => {
    isPressed = false
    for (const listener of listeners) listener()
    listeners.clear()
  })
}

for (const type of ['pointerdown', 'keydown']) window.addEventListener(type, press, { capture: true, passive: true })
for (const type of ['pointerup', 'pointercancel', 'keyup', 'blur']) window.addEventListener(type, release, { capture: true, passive: true })

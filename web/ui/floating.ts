// Menus, popovers and tooltips of Mantine. Their code is loaded after the first screen, because no screen shows them at first.
import { useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import type { Floating } from './floatingParts.ts'
import { waitForRelease } from './presses.ts'

let parts: Floating | undefined
let loading: Promise<boolean> | undefined
const listeners = new Set<() => void>()

/** Loads the code. Resolves to false when it could not be loaded; the next call then tries again. */
export function loadFloating(): Promise<boolean> {
  loading ??= import('./floatingParts.ts').then(
    async ({ floatingParts }) => {
      await waitForRelease()
      show(floatingParts)
      return true
    },
    () => {
      loading = undefined
      return false
    },
  )
  return loading
}

/** Returns the components when they are loaded, else undefined. */
export const useFloating = (): Floating | undefined => useSyncExternalStore(subscribe, () => parts)

/**
 * The attribute of a button with a menu or a tooltip. React replaces the button by a new element when the code has been loaded. The old and
 * the new element have the same value, so that `show` can find the new one.
 */
export const targetAttribute = 'data-floating-target'

/** Renders the buttons with the loaded components. If a button had the focus, focuses its new element. */
function show(loadedParts: Floating): void {
  const id = document.activeElement?.getAttribute(targetAttribute)
  parts = loadedParts
  flushSync(() => {
    for (const listener of listeners) listener()
  })
  if (typeof id === 'string')
    document.querySelector<HTMLElement>(`[${targetAttribute}="${CSS.escape(id)}"]`)?.focus({ preventScroll: true })
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

import { createStore } from '#web/lib/store.ts'

/** Whether the list of keyboard shortcuts is open. */
export const keyboardHelpOpen = createStore(false)

/** Whether the palette is open. */
export const paletteOpen = createStore(false)

export function closeOverlays(): void {
  keyboardHelpOpen.set(false)
  paletteOpen.set(false)
}

/** Loads the code of the palette. */
export const loadPalette = () => import('./palette/Palette.tsx')

/** Loads the code of the palette before it is opened. A failure is ignored here: opening the palette tries again and reports it. */
export const preloadPalette = (): void => void loadPalette().catch(() => undefined)

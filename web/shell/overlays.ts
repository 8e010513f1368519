import { createStore } from '#web/lib/store.ts'

/** True while the list of shortcuts is open. */
export const keyboardHelpState = createStore(false)

/** True while the command palette is open. */
export const paletteState = createStore(false)

export function closeOverlays(): void {
  keyboardHelpState.set(false)
  paletteState.set(false)
}

export const loadPalette = () => import('./palette/Palette.tsx')

/** Loads the code of the palette before it is needed. Ignores errors, because opening the palette loads it again and shows the error. */
export const preloadPalette = (): void => void loadPalette().catch(() => undefined)

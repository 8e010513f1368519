import { createStore } from '#web/lib/store.ts'

export const keyboardHelpState = createStore(false)

export const paletteState = createStore(false)

export function closeOverlays(): void {
  keyboardHelpState.set(false)
  paletteState.set(false)
}

export const loadPalette = () => import('./palette/Palette.tsx')

/** Loads the code of the palette in advance. Ignores errors, because opening the palette tries again and reports them. */
export const preloadPalette = (): void => void loadPalette().catch(() => undefined)

import { createStore } from '#web/lib/store.ts'

export const keyboardHelpOpen = createStore(false)

export const paletteOpen = createStore(false)

export function closeOverlays(): void {
  keyboardHelpOpen.set(false)
  paletteOpen.set(false)
}

export const loadPalette = () => import('./palette/Palette.tsx')

/** Loads the code of the palette in advance. Ignores errors, because opening the palette tries again and reports them. */
export const preloadPalette = (): void => void loadPalette().catch(() => undefined)

import { createStore } from '#web/lib/store.ts'

/** Whether the palette is open. */
export const paletteOpen = createStore(false)

/** Fetches the palette's part of the application. */
export const loadPalette = () => import('./Palette.tsx')

/** Fetches it ahead, so that it is there when it is asked for. What goes wrong is told when it is opened. */
export const loadPaletteAhead = (): void => void loadPalette().catch(() => undefined)

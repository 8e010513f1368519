import { lazy, Suspense, useEffect } from 'react'
import { listenForShortcuts } from '#web/lib/shortcuts.ts'
import { useStore } from '#web/lib/store.ts'
import { useActionsEverywhere } from './everywhere.ts'
import { keyboardHelp } from './keyboardHelp.ts'
import { loadPalette, loadPaletteAhead, paletteOpen } from './palette/state.ts'

const KeyboardHelpDialog = lazy(() => import('./KeyboardHelpDialog.tsx').then((module) => ({ default: module.KeyboardHelpDialog })))
const Palette = lazy(() => loadPalette().then((module) => ({ default: module.Palette })))

/** What can be done on every screen, the palette that finds it, and the dialog that lists all keys of this screen. */
export function Keyboard({ onFold }: { onFold: () => void }) {
  const helpOpen = useStore(keyboardHelp)
  const searching = useStore(paletteOpen)
  useEffect(listenForShortcuts, [])
  useEffect(loadWhenIdle, [])
  useEffect(() => closeBoth, []) // whoever signs in next begins without them
  useActionsEverywhere(onFold)
  return (
    <Suspense>
      {helpOpen && <KeyboardHelpDialog onClose={() => keyboardHelp.set(false)} />}
      {searching && <Palette onClose={() => paletteOpen.set(false)} />}
    </Suspense>
  )
}

function closeBoth(): void {
  keyboardHelp.set(false)
  paletteOpen.set(false)
}

const quietMs = 4000

/** What the first screen needs comes before the palette. */
function loadWhenIdle(): () => void {
  const timer = setTimeout(loadPaletteAhead, quietMs)
  return () => clearTimeout(timer)
}

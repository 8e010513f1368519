import { lazy, Suspense, useEffect } from 'react'
import { listenForShortcuts, useShortcuts } from '#web/lib/shortcuts.ts'
import { useStore } from '#web/lib/store.ts'
import { redoLast, undoLast } from '#web/lib/undo.ts'
import { keyboardHelp } from './keyboard-help.ts'

const KeyboardHelpDialog = lazy(() => import('./KeyboardHelpDialog.tsx').then((module) => ({ default: module.KeyboardHelpDialog })))

/** The keys that work on every screen, and the dialog that lists all keys of this one. */
export function Keyboard({ onFold }: { onFold: () => void }) {
  const helpOpen = useStore(keyboardHelp)
  useEffect(listenForShortcuts, [])
  useShortcuts([
    { keys: 'mod+b', label: 'Fold or unfold the sidebar', group: 'Everywhere', whileTyping: true, run: onFold },
    { keys: 'mod+z', label: 'Undo', group: 'Everywhere', run: () => void undoLast() },
    { keys: 'mod+shift+z mod+y', label: 'Redo', group: 'Everywhere', run: () => void redoLast() },
    { keys: '?', label: 'Keyboard shortcuts', group: 'Everywhere', run: () => keyboardHelp.set(true) },
  ])
  if (!helpOpen) return null
  return (
    <Suspense>
      <KeyboardHelpDialog onClose={() => keyboardHelp.set(false)} />
    </Suspense>
  )
}

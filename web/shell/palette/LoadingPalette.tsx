import { useState } from 'react'
import { lazyPart } from '#web/lib/lazyPart.ts'
import { useStore } from '#web/lib/store.ts'
import { setWaitingText, toWaitingText } from '#web/lib/typeAhead.ts'
import { waitingKeys } from '#web/lib/waitingKeys.ts'
import { loadPalette } from '../overlays.ts'
import { PaletteDialog, useModalDialog } from './PaletteDialog.tsx'

let isLoaded = false
const Palette = lazyPart(async () => {
  const module = await loadPalette()
  isLoaded = true
  return module.Palette
})

/**
 * Shows the command palette. While its code is loading, a dialog that looks the same shows the text that the user types; the palette
 * receives this text when it is loaded.
 */
export function LoadingPalette({ onClose }: { onClose: () => void }) {
  const [wasLoaded] = useState(() => isLoaded)
  // a palette that was not loaded replaces `DialogWhileLoading`, which has been animated already
  return <Palette isAnimated={wasLoaded} fallback={<DialogWhileLoading onClose={onClose} />} onLoadCancelled={onClose} onClose={onClose} />
}

function DialogWhileLoading({ onClose }: { onClose: () => void }) {
  const dialog = useModalDialog()
  const typedText = toWaitingText(useStore(waitingKeys))
  return <PaletteDialog dialog={dialog} typedText={typedText} onType={setWaitingText} onClose={onClose} isAnimated />
}

import { lazy, Suspense, useState, type KeyboardEvent } from 'react'
import { loadPalette } from '../overlays.ts'
import { PaletteDialog, useModalDialog, type EarlyInput } from './PaletteDialog.tsx'

let isLoaded = false
const Palette = lazy(async () => {
  const module = await loadPalette()
  isLoaded = true
  return { default: module.Palette }
})

/** Shows the palette. While its code is loading, a dialog collects the input, so that no key is lost or reaches the page. */
export function LoadingPalette({ onClose }: { onClose: () => void }) {
  const [wasLoaded] = useState(() => isLoaded)
  const [earlyInput, setEarlyInput] = useState<EarlyInput>({ text: '', isEnterPressed: false })
  return (
    <Suspense fallback={<EarlyInputDialog earlyInput={earlyInput} onChange={setEarlyInput} onClose={onClose} />}>
      <Palette earlyInput={wasLoaded ? undefined : earlyInput} onClose={onClose} />
    </Suspense>
  )
}

type EarlyInputDialogProps = { earlyInput: EarlyInput; onChange: (earlyInput: EarlyInput) => void; onClose: () => void }

function EarlyInputDialog({ earlyInput: { text }, onChange, onClose }: EarlyInputDialogProps) {
  const dialog = useModalDialog()
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') onChange({ text, isEnterPressed: text.trim() !== '' })
    if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    onClose()
  }
  return (
    <PaletteDialog
      dialog={dialog}
      typedText={text}
      onType={(newText) => onChange({ text: newText, isEnterPressed: false })}
      onKeyDown={onKeyDown}
      onClose={onClose}
      isAnimated
    />
  )
}

import { useEffect, useEffectEvent } from 'react'
import { readInput } from './readFiles.ts'
import { uploadFiles } from './uploadFiles.ts'
import { showUploadError } from './uploadError.ts'
import type { UploadPlace } from './uploadList.ts'

/** Uploads files that are pasted with Ctrl+V while no text field has the focus. Keeps both files when a name is taken. */
export function usePasteFiles(place: UploadPlace): void {
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const files = event.clipboardData?.files
    const isTyping = event.target instanceof Element && event.target.matches('input, textarea, [contenteditable]')
    if (!files || files.length === 0 || isTyping) return
    event.preventDefault()
    uploadFiles(place, readInput(files), { shouldAsk: false }).catch(showUploadError)
  })
  useEffect(() => {
    const listener = (event: ClipboardEvent): void => paste(event)
    addEventListener('paste', listener)
    return () => removeEventListener('paste', listener)
  }, [])
}

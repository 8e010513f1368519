import { lazyPart } from '#web/lib/lazyPart.ts'
import { useStore } from '#web/lib/store.ts'
import { closeImageDialog, isImageDialogOpen } from './imageDialog.ts'

const GenerateImageDialog = lazyPart(() => import('./GenerateImageDialog.tsx').then((module) => module.GenerateImageDialog))

/** Shows the dialog that makes a picture, while it is open. */
export function ImageDialogSlot() {
  const isOpen = useStore(isImageDialogOpen)
  return isOpen && <GenerateImageDialog onClose={closeImageDialog} onLoadCancelled={closeImageDialog} />
}

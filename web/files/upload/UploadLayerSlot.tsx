import { lazy, Suspense, useEffect } from 'react'
import { useStore } from '#web/lib/store.ts'
import { hasSavedUploads, isUploadLayerNeeded } from './uploadLayer.ts'

const UploadLayer = lazy(() => import('./UploadLayer.tsx').then((module) => ({ default: module.UploadLayer })))

/**
 * Loads the code of `UploadLayer` and shows it as soon as there is something to show. This component is small, because it is part of the
 * first load.
 */
export function UploadLayerSlot() {
  useEffect(() => {
    if (hasSavedUploads()) isUploadLayerNeeded.set(true)
  }, [])
  useEffect(refuseOtherDrops, [])
  return <Suspense>{useStore(isUploadLayerNeeded) && <UploadLayer />}</Suspense>
}

/** Refuses files that are dropped outside of the drop targets, because the browser would replace the page by the file. */
function refuseOtherDrops(): () => void {
  const refuse = (event: DragEvent): void => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'none'
  }
  addEventListener('dragover', refuse)
  addEventListener('drop', refuse)
  return () => {
    removeEventListener('dragover', refuse)
    removeEventListener('drop', refuse)
  }
}

import { lazy, Suspense, useEffect } from 'react'
import { useStore } from '#web/lib/store.ts'
import { hasSavedUploads, isUploadLayerNeeded } from './uploadLayer.ts'

const UploadLayer = lazy(() => import('./UploadLayer.tsx').then((module) => ({ default: module.UploadLayer })))

/** Loads what uploads show above every page as soon as it is needed. */
export function UploadLayerSlot() {
  useEffect(() => {
    if (hasSavedUploads()) isUploadLayerNeeded.set(true)
  }, [])
  return <Suspense>{useStore(isUploadLayerNeeded) && <UploadLayer />}</Suspense>
}

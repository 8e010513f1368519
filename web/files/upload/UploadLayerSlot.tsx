import { lazy, Suspense } from 'react'
import { useStore } from '#web/lib/store.ts'
import { isUploadLayerNeeded } from './uploadLayer.ts'

const UploadLayer = lazy(() => import('./UploadLayer.tsx').then((module) => ({ default: module.UploadLayer })))

/** Loads what uploads show above every page as soon as it is needed. */
export function UploadLayerSlot() {
  return <Suspense>{useStore(isUploadLayerNeeded) && <UploadLayer />}</Suspense>
}

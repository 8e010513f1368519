import { useEffect } from 'react'
import { toastError } from '#web/lib/toasts.ts'
import { DropHint } from './DropHint.tsx'
import { announceDrops } from './dropToasts.ts'
import { keepUploads } from './keepUploads.ts'
import { NameConflictDialog } from './NameConflictDialog.tsx'
import { restoreUploads } from './restoreUploads.ts'
import { UploadPanel } from './UploadPanel.tsx'

/** What uploads show above every page: the panel, the question about taken names, and where dragged files would go. */
export function UploadLayer() {
  useEffect(announceDrops, [])
  useEffect(keepUploads, [])
  useEffect(() => {
    restoreUploads().catch((error: unknown) => toastError(error, 'Unfinished uploads cannot be shown'))
  }, [])
  return (
    <>
      <DropHint />
      <UploadPanel />
      <NameConflictDialog />
    </>
  )
}

import { useEffect } from 'react'
import { toastError } from '#web/lib/toasts.ts'
import { DropHint } from './DropHint.tsx'
import { announceDrops } from './dropToasts.ts'
import { NameConflictDialog } from './NameConflictDialog.tsx'
import { restoreUploads } from './restoreUploads.ts'
import { UploadPanel } from './UploadPanel.tsx'

/** What is shown above every page for uploads: the panel of uploads, the dialog about taken names, and the hint during a drag of files. */
export function UploadLayer() {
  useEffect(announceDrops, [])
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

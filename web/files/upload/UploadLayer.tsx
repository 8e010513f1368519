import { DropHint } from './DropHint.tsx'
import { UploadPanel } from './UploadPanel.tsx'

/** What uploads show above every page: the panel, and where dragged files would go. */
export function UploadLayer() {
  return (
    <>
      <DropHint />
      <UploadPanel />
    </>
  )
}

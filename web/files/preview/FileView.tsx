import { lazy, Suspense } from 'react'
import { ImageView } from './ImageView.tsx'
import { Loading } from './Loading.tsx'
import { MediaView } from './MediaView.tsx'
import { NoPreview } from './NoPreview.tsx'
import classes from './Preview.module.css'
import { findPreviewType } from './previewType.ts'
import { ExtractedTextView } from './ExtractedTextView.tsx'
import { TextView } from './TextView.tsx'
import type { FileViewProps } from './viewProps.ts'

const PdfView = lazy(() => import('./pdf/PdfView.tsx').then((module) => ({ default: module.PdfView })))

/** Shows the content of a file by its type. */
export function FileView(props: FileViewProps) {
  return (
    <section className={classes['view']} aria-label="Preview">
      <Suspense fallback={<Loading />}>
        <ViewOfType {...props} />
      </Suspense>
    </section>
  )
}

function ViewOfType(props: FileViewProps) {
  const { file } = props
  switch (findPreviewType(file.file_type)) {
    case 'image':
      return <ImageView file={file} />
    case 'pdf':
      return <PdfView {...props} />
    case 'text':
      return <TextView {...props} />
    case 'audio':
      return <MediaView file={file} type="audio" />
    case 'video':
      return <MediaView file={file} type="video" />
    default:
      return file.text_state === 'ready' ? <ExtractedTextView {...props} /> : <NoPreview file={file} title="No preview for this type" />
  }
}

import { useEffect } from 'react'
import { IconCloudUpload } from '@tabler/icons-react'
import { useStore } from '#web/lib/store.ts'
import { chooseFiles } from './chooseFiles.ts'
import { isInProgress } from './queue.ts'
import { restoreUploads } from './restoreUploads.ts'
import { uploadFiles } from './uploadFiles.ts'
import { uploads, type UploadPlace } from './uploadList.ts'
import { useDropTarget } from './useDropTarget.ts'
import classes from './UploadArea.module.css'

type UploadAreaProps = {
  place: UploadPlace
  /** The name of the folder or the contact. */
  name: string
  /** The text of the link: "choose from this computer". */
  linkText?: string
  /** Smaller, for a tab of a page. */
  isCompact?: boolean
}

/** A dashed area to which files are dropped; a click opens the browser's dialog for files. */
export function UploadArea({ place, name, linkText = 'choose from this computer', isCompact = false }: UploadAreaProps) {
  const { isOver, handlers } = useDropTarget(place, name)
  const isUploading = useStore(uploads).some((item) => isInProgress(item) && isSamePlace(item.place, place))
  useEffect(() => void restoreUploads(), []) // shows the unfinished uploads of earlier visits
  return (
    <button
      type="button"
      className={classes['area']}
      data-over={isOver || undefined}
      data-compact={isCompact || undefined}
      onClick={() => chooseFiles((added) => uploadFiles(place, added))}
      {...handlers}
    >
      <IconCloudUpload size={20} stroke={1.6} aria-hidden="true" />
      <UploadAreaText linkText={linkText} isOver={isOver} isUploading={isUploading} />
    </button>
  )
}

function UploadAreaText({ linkText, isOver, isUploading }: { linkText: string; isOver: boolean; isUploading: boolean }) {
  if (isOver) return <span>Drop files here...</span>
  if (isUploading) return <span>Uploading...</span>
  return (
    <>
      <span className={classes['wide']}>
        Drop files here or <span className={classes['link']}>{linkText}</span>
      </span>
      <span className={classes['narrow']}>Choose files to upload</span>
    </>
  )
}

const isSamePlace = (one: UploadPlace, other: UploadPlace): boolean =>
  one.folder_id === other.folder_id && one.contact_id === other.contact_id

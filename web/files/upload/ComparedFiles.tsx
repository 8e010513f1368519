import { useCallback, useState } from 'react'
import { readFileType } from '#contract/fileNames.ts'
import { fileRoutes, type TakenName } from '#contract/files.ts'
import { FileIcon } from '#web/files/kind/FileIcon.tsx'
import { addressOf } from '#web/lib/client.ts'
import { formatDayAndTime, formatFileSize } from '#web/lib/format.ts'
import type { UploadItem } from './uploadList.ts'
import classes from './NameConflictDialog.module.css'

/** The file types of images that browsers can show and that the server sends as images. */
const shownTypes = new Set(['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif'])

/** Shows the existing file beside the one that is uploaded, with pictures if both are images. */
export function ComparedFiles({ item, existingFile }: { item: UploadItem; existingFile: TakenName['file'] }) {
  const { id, file_size, created_at } = existingFile
  const fileType = readFileType(item.name)
  const isImage = shownTypes.has(fileType)
  const oldPicture = isImage ? addressOf(fileRoutes.content, { params: { id }, query: { disposition: 'inline' } }) : undefined
  const folder = item.path.split('/').at(-2) // the name of the folder in "Photos/wall.jpg"; undefined for a file without a folder
  const oldTitle = item.place.contact_id === null ? 'In this folder' : 'On this contact'
  return (
    <div className={classes['files']}>
      <ComparedFile
        title={folder === undefined || item.place.contact_id !== null ? oldTitle : `In “${folder}”`}
        size={file_size}
        at={created_at}
        picture={oldPicture}
        fileType={fileType}
      />
      <ComparedFile
        title="Being uploaded"
        size={item.size}
        at={new Date(item.lastModified).toISOString()}
        picture={isImage ? item.file : undefined}
        fileType={fileType}
      />
    </div>
  )
}

type ComparedFileProps = { title: string; size: number; at: string; picture: string | File | undefined; fileType: string }

function ComparedFile({ title, size, at, picture, fileType }: ComparedFileProps) {
  const [isBroken, setBroken] = useState(false)
  return (
    <div className={classes['file']}>
      <div className={classes['picture']}>
        {picture === undefined || isBroken ? (
          <FileIcon fileType={fileType} size={40} />
        ) : (
          <Picture source={picture} onBroken={() => setBroken(true)} />
        )}
      </div>
      <div className={classes['facts']}>
        <span className={classes['label']}>{title}</span>
        <span>
          {formatFileSize(size)} · {formatDayAndTime(at)}
        </span>
      </div>
    </div>
  )
}

/** Shows an image. `source` is the address of an image that the server has, or an image file of this computer. */
function Picture({ source, onBroken }: { source: string | File; onBroken: () => void }) {
  const show = useCallback(
    (image: HTMLImageElement | null) => {
      if (!image || typeof source === 'string') return undefined
      const address = URL.createObjectURL(source)
      image.src = address
      return () => URL.revokeObjectURL(address)
    },
    [source],
  )
  return <img ref={show} src={typeof source === 'string' ? source : undefined} alt="" onError={onBroken} />
}

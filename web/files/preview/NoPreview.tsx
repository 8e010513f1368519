import { Button } from '@mantine/core'
import { IconDownload, IconRefresh } from '@tabler/icons-react'
import type { File } from '#contract/files.ts'
import { FileIcon } from '../kind/FileIcon.tsx'
import { formatFileSize } from '#web/lib/format.ts'
import { downloadFile } from '../actions/download.ts'
import classes from './Preview.module.css'

type NoPreviewProps = {
  file: File
  title: string
  /** Why the content is not shown, and what the user can do. */
  text?: string
  onRetry?: () => void
}

/** Shown in place of the content of a file that the browser cannot show. */
export const NoPreview = ({ file, title, text, onRetry }: NoPreviewProps) => (
  <div className={classes['none']} role={text ? 'alert' : undefined}>
    <FileIcon fileType={file.file_type} size={40} />
    <p className={classes['noneName']}>{file.file_name}</p>
    <p>{formatFileSize(file.file_size)}</p>
    <h2>{title}</h2>
    {text && <p>{text}</p>}
    <div className={classes['noneButtons']}>
      {onRetry && (
        <Button variant="default" leftSection={<IconRefresh size={16} stroke={1.75} />} onClick={onRetry}>
          Try again
        </Button>
      )}
      <Button variant="filled" leftSection={<IconDownload size={16} stroke={1.75} />} onClick={() => void downloadFile(file)}>
        Download
      </Button>
    </div>
  </div>
)

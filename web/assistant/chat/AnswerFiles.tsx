import { Button } from '@mantine/core'
import { IconDownload, IconFile, IconFolderDown } from '@tabler/icons-react'
import { useState } from 'react'
import type { MessageFile } from '#contract/assistant.ts'
import { messageFileRoutes } from '#contract/messageFiles.ts'
import { callForFile } from '#web/lib/client.ts'
import { formatFileSize } from '#web/lib/format.ts'
import { lazyPart } from '#web/lib/lazyPart.ts'
import { startDownload } from '#web/lib/startDownload.ts'
import { toast, toastError } from '#web/lib/toasts.ts'
import classes from './AnswerFiles.module.css'

const SaveFileDialog = lazyPart(() => import('./SaveFileDialog.tsx').then((module) => module.SaveFileDialog))

const iconProps = { size: 16, stroke: 1.75 }

/** The files in an answer, which can be downloaded or added to Files. */
export function AnswerFiles({ files }: { files: readonly MessageFile[] }) {
  const [fileToSave, setFileToSave] = useState<MessageFile>()
  const close = (): void => setFileToSave(undefined)
  return (
    <>
      <ul className={classes['files']} aria-label="Files">
        {files.map((file) => (
          <li key={file.id} className={classes['file']}>
            <IconFile {...iconProps} />
            <span className={classes['name']} title={file.file_name} dir="auto">
              {file.file_name}
            </span>
            <span className={classes['size']}>{formatFileSize(file.file_size)}</span>
            <span className={classes['buttons']}>
              <Button
                variant="default"
                leftSection={<IconDownload {...iconProps} />}
                aria-label={`Download ${file.file_name}`}
                onClick={() => void download(file)}
              >
                Download
              </Button>
              <Button
                variant="subtle"
                leftSection={<IconFolderDown {...iconProps} />}
                aria-label={`Save to Files: ${file.file_name}`}
                onClick={() => setFileToSave(file)}
              >
                Save to Files
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {fileToSave && <SaveFileDialog file={fileToSave} onClose={close} onLoadCancelled={close} />}
    </>
  )
}

/** Loads the whole file before the browser saves it, so that a failure is shown here. */
async function download({ id, file_name: name }: MessageFile): Promise<void> {
  try {
    const { content } = await callForFile(messageFileRoutes.content, { params: { id } })
    const address = URL.createObjectURL(content)
    startDownload(address, name)
    setTimeout(() => URL.revokeObjectURL(address), addressLifetimeMs)
    toast({ kind: 'success', title: 'File downloaded!', message: `${name} has been downloaded.` })
  } catch (error) {
    toastError(error, 'Download failed')
  }
}

/** The time for which the browser can read the file after the click. */
const addressLifetimeMs = 60_000

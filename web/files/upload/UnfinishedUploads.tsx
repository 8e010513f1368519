import { Button } from '@mantine/core'
import { continueWithFiles, continueWithHandles } from './uploadFiles.ts'
import type { UploadItem } from './uploadList.ts'
import { useFileDrop } from './useDropTarget.ts'
import { useFileInput } from './useFileInput.tsx'
import { showUploadError } from './uploadError.ts'
import classes from './UnfinishedUploads.module.css'

/** Asks for the files of uploads that a reload has interrupted, because browsers give no access to them any more. */
export function UnfinishedUploads({ items }: { items: readonly UploadItem[] }) {
  const unfinished = items.filter(({ status, origin }) => status === 'unfinished' && origin === 'earlier visit')
  const [fileInput, chooseFiles] = useFileInput(continueWithFiles)
  const [folderInput, chooseFolder] = useFileInput(continueWithFiles, { isFolder: true })
  const { isOver, handlers } = useFileDrop(continueWithFiles)
  const canReopen = unfinished.some(({ hasHandle }) => hasHandle)
  const reopen = (): void => void continueWithHandles().catch(showUploadError)
  if (unfinished.length === 0) return null
  const hasFolder = unfinished.some(({ path }) => path.includes('/'))
  return (
    <div className={classes['box']} data-over={isOver || undefined} {...handlers}>
      <p className={classes['text']}>
        {isOver ? 'Drop files here...' : `To continue, drop ${describeChoice(unfinished)} again or choose:`}
      </p>
      <div className={classes['buttons']}>
        {canReopen && (
          <Button size="compact-sm" onClick={reopen}>
            Continue
          </Button>
        )}
        {hasFolder && (
          <Button size="compact-sm" variant="default" onClick={chooseFolder}>
            Choose the folder again
          </Button>
        )}
        <Button size="compact-sm" variant="default" onClick={chooseFiles}>
          {unfinished.length === 1 ? 'Choose the file again' : 'Choose the files again'}
        </Button>
      </div>
      {fileInput}
      {folderInput}
    </div>
  )
}

const describeChoice = (unfinished: readonly UploadItem[]): string => {
  if (unfinished.some(({ path }) => path.includes('/'))) return 'the same folder'
  return unfinished.length === 1 ? 'the same file' : 'the same files'
}

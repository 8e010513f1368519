import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatCount } from '#web/lib/format.ts'
import { chooseFiles } from './chooseFiles.ts'
import { cancelUploads } from './queue.ts'
import { continueWithFiles, continueWithHandles } from './uploadFiles.ts'
import type { UploadItem } from './uploadList.ts'
import { useFileDrop } from './useDropTarget.ts'
import { showUploadError } from './uploadError.ts'
import classes from './UnfinishedUploads.module.css'

/**
 * Asks the user for the files of unfinished uploads. After a reload the browser can no longer read the files, and it could never read the
 * files of another browser.
 */
export function UnfinishedUploads({ items }: { items: readonly UploadItem[] }) {
  const unfinished = items.filter(({ status }) => status === 'unfinished')
  const own = unfinished.filter(({ origin }) => origin === 'earlier visit')
  const others = unfinished.filter(({ origin }) => origin === 'other browser')
  return (
    <>
      {own.length > 0 && <OwnUploads unfinished={own} />}
      {others.length > 0 && <OtherUploads unfinished={others} />}
    </>
  )
}

/** The uploads that a reload has interrupted. */
function OwnUploads({ unfinished }: { unfinished: readonly UploadItem[] }) {
  /** True when the browser has stored handles with which it can read files again. */
  const canReopen = unfinished.some(({ hasHandle }) => hasHandle)
  const reopen = (): void => void continueWithHandles().catch(showUploadError)
  const hasFolder = unfinished.some(({ path }) => path.includes('/'))
  return (
    <ContinueBox
      text={`To continue, drop ${describeFiles(unfinished)} again or choose:`}
      chooseLabel={unfinished.length === 1 ? 'Choose the file again' : 'Choose the files again'}
      firstButtons={
        <>
          {canReopen && (
            <Button size="compact-sm" onClick={reopen}>
              Continue
            </Button>
          )}
          {hasFolder && (
            <Button size="compact-sm" variant="default" onClick={() => chooseFiles(continueWithFiles, { isFolder: true })}>
              Choose the folder again
            </Button>
          )}
        </>
      }
    />
  )
}

const describeFiles = (unfinished: readonly UploadItem[]): string => {
  if (unfinished.some(({ path }) => path.includes('/'))) return 'the same folder'
  return unfinished.length === 1 ? 'the same file' : 'the same files'
}

/** The uploads that this browser has not saved: another browser began them, or this one could not store anything. */
function OtherUploads({ unfinished }: { unfinished: readonly UploadItem[] }) {
  const isOne = unfinished.length === 1
  const discard = (): void => cancelUploads(unfinished.map(({ id }) => id))
  return (
    <ContinueBox
      title={`${formatCount(unfinished.length, 'upload')} from another browser or an earlier visit`}
      text={
        isOne
          ? 'Perhaps it is still running there. To finish it here, drop or choose the same file, which is sent from the beginning.'
          : 'Perhaps they are still running there. To finish them here, drop or choose the same files, which are sent from the beginning.'
      }
      chooseLabel={isOne ? 'Choose the file' : 'Choose the files'}
      lastButtons={
        !isOne && (
          <Button size="compact-sm" variant="subtle" color="gray" onClick={discard}>
            Discard all {unfinished.length}
          </Button>
        )
      }
    />
  )
}

type ContinueBoxProps = {
  title?: string
  text: string
  /** The label of the button that opens the browser's dialog for files. */
  chooseLabel: string
  firstButtons?: ReactNode
  lastButtons?: ReactNode
}

/** A part of the panel of uploads. The files of unfinished uploads can be dropped on it or chosen with its button. */
function ContinueBox({ title, text, chooseLabel, firstButtons, lastButtons }: ContinueBoxProps) {
  const { isOver, handlers } = useFileDrop(continueWithFiles)
  return (
    <div className={classes['box']} data-over={isOver || undefined} {...handlers}>
      {title && <h3 className={classes['title']}>{title}</h3>}
      <p className={classes['text']}>{isOver ? 'Drop files here...' : text}</p>
      <div className={classes['buttons']}>
        {firstButtons}
        <Button size="compact-sm" variant="default" onClick={() => chooseFiles(continueWithFiles)}>
          {chooseLabel}
        </Button>
        {lastButtons}
      </div>
    </div>
  )
}

import '#web/ui/dialogs.css'
import { Button, Modal } from '@mantine/core'
import { formatCount } from '#web/lib/format.ts'
import classes from '#web/ui/DialogForm.module.css'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'
import { closeUploads } from './queue.ts'
import { belongsToOtherBrowser, type UploadItem } from './uploadList.ts'

/** Asks for a confirmation when the user closes the panel of uploads before all files are uploaded. */
export function StopUploadsDialog({ items, onClose }: { items: readonly UploadItem[]; onClose: () => void }) {
  useReturnFocus()
  const unfinishedCount = items.filter((item) => item.status !== 'done' && !belongsToOtherBrowser(item)).length
  const stop = (): void => {
    closeUploads(items)
    onClose()
  }
  return (
    <Modal opened onClose={onClose} title="Stop uploading?" size={400}>
      <div className={classes['form']}>
        <p>
          {formatCount(unfinishedCount, 'file')} {unfinishedCount === 1 ? 'has' : 'have'} not been uploaded yet. Files that are already
          uploaded stay in Foyer.
        </p>
        <div className={classes['actions']}>
          <Button variant="default" onClick={onClose} data-autofocus>
            Keep uploading
          </Button>
          <Button color="red" onClick={stop}>
            Stop {formatCount(unfinishedCount, 'upload')}
          </Button>
        </div>
      </div>
    </Modal>
  )
}

import '#web/ui/dialogs.css'
import { Button, Modal } from '@mantine/core'
import type { TrashEntry } from '#contract/changes.ts'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'
import { useErase } from './queries.ts'
import classes from './TrashPage.module.css'

/** Asks for confirmation before one record or the whole trash is erased. Erasing cannot be undone. */
export function EraseDialog({ entry, onClose }: { entry: TrashEntry | 'all'; onClose: () => void }) {
  useReturnFocus()
  const erase = useErase(onClose)
  const isAll = entry === 'all'
  return (
    <Modal opened onClose={onClose} title={isAll ? 'Empty the trash?' : `Erase ${entry.title} for good?`} size={400}>
      <p className={classes['question']}>
        {isAll
          ? 'Everything in the trash is erased with its history. Nothing can bring it back.'
          : 'It is erased with its history. Nothing can bring it back.'}
      </p>
      <div className={classes['actions']}>
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button color="red" onClick={() => erase.mutate(entry)} loading={erase.isPending}>
          {isAll ? 'Empty trash' : 'Erase for good'}
        </Button>
      </div>
    </Modal>
  )
}

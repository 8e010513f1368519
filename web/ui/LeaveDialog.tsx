import { Button, Modal } from '@mantine/core'
import classes from './LeaveDialog.module.css'

type LeaveDialogProps = { onStay: () => void; onLeave: () => void }

/** Asks before what was typed is lost. */
export function LeaveDialog({ onStay, onLeave }: LeaveDialogProps) {
  return (
    <Modal opened onClose={onStay} title="Leave without saving?" size={400}>
      <p className={classes['words']}>What you changed on this page has not been saved.</p>
      <div className={classes['actions']}>
        <Button variant="default" onClick={onStay} data-autofocus>
          Keep editing
        </Button>
        <Button color="red" onClick={onLeave}>
          Discard changes
        </Button>
      </div>
    </Modal>
  )
}

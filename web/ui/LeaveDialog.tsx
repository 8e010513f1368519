import '#web/ui/dialogs.css'
import { useState } from 'react'
import { Button, Modal } from '@mantine/core'
import classes from './LeaveDialog.module.css'

type LeaveDialogProps = { onStay: () => void; onLeave: () => void }

/** Asks whether to discard unsaved changes. "Keep editing" restores the focus. */
export function LeaveDialog({ onStay, onLeave }: LeaveDialogProps) {
  const [previousFocus] = useState(() => document.activeElement)
  const stay = (): void => {
    onStay()
    if (previousFocus instanceof HTMLElement) previousFocus.focus()
  }
  return (
    <Modal opened onClose={stay} title="Leave without saving?" size={400}>
      <p className={classes['text']}>What you changed on this page has not been saved.</p>
      <div className={classes['actions']}>
        <Button variant="default" onClick={stay} data-autofocus>
          Keep editing
        </Button>
        <Button color="red" onClick={onLeave}>
          Discard changes
        </Button>
      </div>
    </Modal>
  )
}

import '#web/ui/dialogs.css'
import { Button, Modal } from '@mantine/core'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'
import settings from '#web/ui/settings.module.css'

type DeleteEndpointDialogProps = { isDeleting: boolean; onDelete: () => void; onClose: () => void }

/** Asks for confirmation before an endpoint is deleted. The deletion cannot be undone. */
export function DeleteEndpointDialog({ isDeleting, onDelete, onClose }: DeleteEndpointDialogProps) {
  useReturnFocus()
  return (
    <Modal opened onClose={onClose} title="Delete webhook?" size={400}>
      <p className={settings['question']}>
        Nothing more is sent to it. Its secret and the log of its deliveries are deleted for good; waiting deliveries are not sent.
      </p>
      <div className={settings['dialogActions']}>
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button color="red" onClick={onDelete} loading={isDeleting}>
          Delete webhook
        </Button>
      </div>
    </Modal>
  )
}

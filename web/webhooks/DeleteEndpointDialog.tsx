import '#web/ui/dialogs.css'
import { Button, Modal } from '@mantine/core'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'
import type { useEndpointActions } from './queries.ts'
import settings from '#web/ui/settings.module.css'

type DeleteEndpointDialogProps = { remove: ReturnType<typeof useEndpointActions>['remove']; onClose: () => void }

/** Asks for confirmation before an endpoint is deleted, which cannot be undone. */
export function DeleteEndpointDialog({ remove, onClose }: DeleteEndpointDialogProps) {
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
        <Button color="red" onClick={() => remove.mutate()} loading={remove.isPending}>
          Delete webhook
        </Button>
      </div>
    </Modal>
  )
}

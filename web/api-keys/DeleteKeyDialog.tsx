import '#web/ui/dialogs.css'
import { Button, Modal } from '@mantine/core'
import type { ApiKey } from '#contract/apiKeys.ts'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'
import { useDeleteKey } from './queries.ts'
import settings from '#web/ui/settings.module.css'

/** Asks for confirmation before a key is deleted, which cannot be undone. */
export function DeleteKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  useReturnFocus()
  const remove = useDeleteKey(onClose)
  return (
    <Modal opened onClose={onClose} title="Delete API key?" size={400}>
      <p className={settings['question']}>
        <span dir="auto">{apiKey.name}</span> stops working at once. Programs that use it can no longer reach your workspace, and the key
        cannot be brought back.
      </p>
      <div className={settings['dialogActions']}>
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button color="red" onClick={() => remove.mutate(apiKey)} loading={remove.isPending}>
          Delete API key
        </Button>
      </div>
    </Modal>
  )
}

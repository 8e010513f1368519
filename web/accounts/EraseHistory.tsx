import '#web/ui/dialogs.css'
import { useState } from 'react'
import { Button, Modal } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { changeRoutes, undoDays } from '#contract/changes.ts'
import { minShownUse, type StorageUse } from '#contract/storage.ts'
import { call } from '#web/lib/client.ts'
import { formatFileSize } from '#web/lib/format.ts'
import { toastError } from '#web/lib/toasts.ts'
import { toastWithoutUndo } from '#web/lib/withoutUndo.ts'
import { SettingsSection } from '#web/ui/SettingsSection.tsx'
import settings from '#web/ui/settings.module.css'
import classes from './AccountPage.module.css'
import { recordSpaceQuery } from './queries.ts'

/** Erases the history of all records for good, which frees the space that it needs. */
export function EraseHistory() {
  const [isOpen, setOpen] = useState(false)
  const { data: recordSpace } = useQuery(recordSpaceQuery)
  const isNearlyFull = recordSpace !== undefined && recordSpace.record_bytes > minShownUse * recordSpace.record_quota_bytes
  return (
    <SettingsSection
      title="History"
      description={`Every change is kept for ${undoDays} days, so that you can undo it and restore what you deleted.`}
    >
      {isNearlyFull && <p className={classes['full']}>{describeUse(recordSpace)}</p>}
      <div className={settings['actions']}>
        <Button variant="default" onClick={() => setOpen(true)}>
          Erase history
        </Button>
      </div>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Erase your history?" size={440}>
        <Confirmation onClose={() => setOpen(false)} />
      </Modal>
    </SettingsSection>
  )
}

const describeUse = ({ record_bytes: used, record_quota_bytes: quota }: StorageUse): string => {
  const space = `Your records and their history use ${formatFileSize(used)} of ${formatFileSize(quota)}.`
  return used < quota ? `${space} When it is full, nothing can be added.` : `${space} Nothing can be added until there is space.`
}

function Confirmation({ onClose }: { onClose: () => void }) {
  const erase = useMutation({
    mutationFn: () => call(changeRoutes.eraseHistory, {}),
    onError: (error) => toastError(error),
    onSuccess: () => {
      onClose()
      toastWithoutUndo('Erasing the history', 'This can take some minutes.')
    },
  })
  return (
    <>
      <p className={classes['note']}>Your records and files stay. Nothing of this can be brought back:</p>
      <ul className={classes['losses']}>
        <li>what you did until now can no longer be undone</li>
        <li>everything in the trash</li>
        <li>the earlier values in the timelines of records</li>
      </ul>
      <div className={settings['dialogActions']}>
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button color="red" onClick={() => erase.mutate()} loading={erase.isPending}>
          Erase history
        </Button>
      </div>
    </>
  )
}

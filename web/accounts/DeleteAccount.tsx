import '#web/ui/dialogs.css'
import { useState } from 'react'
import { Button, Modal } from '@mantine/core'
import { accountSettingsRoutes } from '#contract/accountSettings.ts'
import { call } from '#web/lib/client.ts'
import { featureRegistry } from '#web/lib/features.ts'
import { closePagesInAllTabs } from '#web/lib/session.ts'
import { SettingsSection } from '#web/ui/SettingsSection.tsx'
import settings from '#web/ui/settings.module.css'
import classes from './AccountPage.module.css'
import { PasswordConfirmation } from './PasswordConfirmation.tsx'

/** Deletes the account after the user has entered the password. The deletion cannot be undone. */
export function DeleteAccount() {
  const [isOpen, setOpen] = useState(false)
  return (
    <SettingsSection title="Delete account" description="Erases the account with everything in it, at once and for good.">
      <div className={settings['actions']}>
        <Button variant="default" onClick={() => setOpen(true)}>
          Delete account
        </Button>
      </div>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Delete your account?" size={440}>
        <DeleteAccountForm onCancel={() => setOpen(false)} />
      </Modal>
    </SettingsSection>
  )
}

const DeleteAccountForm = ({ onCancel }: { onCancel: () => void }) => (
  <PasswordConfirmation
    name="delete-account"
    body={accountSettingsRoutes.deleteAccount.body}
    buttonLabel="Delete account"
    isDangerous
    send={(body) => call(accountSettingsRoutes.deleteAccount, { body })}
    onDone={() => closePagesInAllTabs('/')}
    onCancel={onCancel}
  >
    <p>Nothing of this can be brought back:</p>
    <ul className={classes['losses']}>
      {featureRegistry.get().records.map(({ table, singular }) => (
        <li key={table}>every {singular}, with its history</li>
      ))}
      <li>everything in the trash</li>
      <li>your name, email and password</li>
    </ul>
  </PasswordConfirmation>
)

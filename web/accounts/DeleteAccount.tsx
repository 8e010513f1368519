import { useState } from 'react'
import { Button, Modal } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { accountRoutes } from '#contract/accounts.ts'
import { call } from '#web/lib/client.ts'
import { featureRegistry } from '#web/lib/features.ts'
import { getFieldErrors, showFailure, createSubmitHandler } from '#web/lib/forms.ts'
import { leaveInAllTabs } from '#web/lib/session.ts'
import { PasswordField } from '#web/ui/PasswordField.tsx'
import { AccountSection } from './AccountSection.tsx'
import classes from './AccountPage.module.css'

/** Deletes the account after the user has entered the password. The deletion cannot be undone. */
export function DeleteAccount() {
  const [isOpen, setOpen] = useState(false)
  return (
    <AccountSection title="Delete account" description="Erases the account with everything in it, at once and for good.">
      <div className={classes['actions']}>
        <Button variant="default" onClick={() => setOpen(true)}>
          Delete account
        </Button>
      </div>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Delete your account?" size={440}>
        <DeleteAccountForm onCancel={() => setOpen(false)} />
      </Modal>
    </AccountSection>
  )
}

function DeleteAccountForm({ onCancel }: { onCancel: () => void }) {
  const form = useForm({
    name: 'delete-account', // the page has other forms with a password
    initialValues: { password: '' },
    validate: (values) => getFieldErrors(accountRoutes.deleteAccount.body, values),
  })
  const deletion = useMutation({
    mutationFn: (values: typeof form.values) => call(accountRoutes.deleteAccount, { body: values }),
    onError: (error) => showFailure(form, error),
    onSuccess: () => leaveInAllTabs('/'),
  })
  return (
    <form onSubmit={createSubmitHandler(form, (values) => deletion.mutate(values))} noValidate>
      <p>Nothing of this can be brought back:</p>
      <ul className={classes['losses']}>
        {featureRegistry.get().records.map(({ table, singular }) => (
          <li key={table}>every {singular}, with its history</li>
        ))}
        <li>everything in the trash</li>
        <li>your name, email and password</li>
      </ul>
      <PasswordField
        label="Type your password to go on"
        autoComplete="current-password"
        data-autofocus
        {...form.getInputProps('password')}
      />
      <div className={classes['dialogActions']}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" color="red" loading={deletion.isPending}>
          Delete account
        </Button>
      </div>
    </form>
  )
}

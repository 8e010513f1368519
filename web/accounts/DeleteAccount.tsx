import { useState } from 'react'
import { Button, Modal } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { accountRoutes } from '#contract/accounts.ts'
import { call } from '#web/lib/client.ts'
import { featureRegistry } from '#web/lib/features.ts'
import { fieldErrors, focusFirst, showFailure } from '#web/lib/forms.ts'
import { leaveEverywhere } from '#web/lib/session.ts'
import { PasswordField } from '#web/ui/PasswordField.tsx'
import { Section } from './Section.tsx'
import classes from './AccountPage.module.css'

/** The one thing on this page that nothing can bring back. */
export function DeleteAccount() {
  const [asking, setAsking] = useState(false)
  return (
    <Section title="Delete account" words="Erases the account with everything in it, at once and for good.">
      <div className={classes['actions']}>
        <Button variant="default" onClick={() => setAsking(true)}>
          Delete account
        </Button>
      </div>
      <Modal opened={asking} onClose={() => setAsking(false)} title="Delete your account?" size={440}>
        <DeleteAccountForm onCancel={() => setAsking(false)} />
      </Modal>
    </Section>
  )
}

function DeleteAccountForm({ onCancel }: { onCancel: () => void }) {
  const form = useForm({
    initialValues: { password: '' },
    validate: (values) => fieldErrors(accountRoutes.deleteAccount.body, values),
  })
  const erase = useMutation({
    mutationFn: (values: typeof form.values) => call(accountRoutes.deleteAccount, { body: values }),
    onError: (error) => showFailure(form, error),
    onSuccess: () => leaveEverywhere('/'),
  })
  return (
    <form
      onSubmit={form.onSubmit(
        (values) => erase.mutate(values),
        (errors) => void focusFirst(form, errors),
      )}
      noValidate
    >
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
        <Button type="submit" color="red" loading={erase.isPending}>
          Delete account
        </Button>
      </div>
    </form>
  )
}

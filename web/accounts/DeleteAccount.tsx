import { useState } from 'react'
import { Button, Modal, PasswordInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { accountRoutes } from '#contract/accounts.ts'
import { call } from '#web/lib/client.ts'
import { leaveEverywhere } from '#web/lib/session.ts'
import { sentenceOf } from '#web/lib/toasts.ts'
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
  const [password, setPassword] = useState('')
  const [missing, setMissing] = useState(false)
  const erase = useMutation({
    mutationFn: () => call(accountRoutes.deleteAccount, { body: { password } }),
    onSuccess: () => leaveEverywhere('/'),
  })
  const submit = (): void => {
    setMissing(password === '')
    if (password !== '') erase.mutate()
  }
  return (
    <form action={submit} noValidate>
      <p>Nothing of this can be brought back:</p>
      <ul className={classes['losses']}>
        <li>every contact, with its history</li>
        <li>everything in the trash</li>
        <li>your name, email and password</li>
      </ul>
      <PasswordInput
        label="Type your password to go on"
        autoComplete="current-password"
        data-autofocus
        value={password}
        error={missing ? 'Enter your password' : erase.error && sentenceOf(erase.error)}
        onChange={(event) => setPassword(event.currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
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

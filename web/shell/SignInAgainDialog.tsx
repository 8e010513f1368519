import '#web/ui/dialogs.css'
import { useState, type FormEvent } from 'react'
import { Button, Modal } from '@mantine/core'
import { signIn } from '#web/lib/session.ts'
import { describeError } from '#web/lib/toasts.ts'
import { PasswordField } from '#web/ui/PasswordField.tsx'
import classes from './SignInAgainDialog.module.css'

type SignInAgainDialogProps = { email: string; onSignedIn: () => void; onLeave: () => void }

/**
 * Asks for the password when the session has ended on a page with unsaved work. The dialog cannot be closed without a choice, because
 * saving needs a session.
 */
export function SignInAgainDialog({ email, onSignedIn, onLeave }: SignInAgainDialogProps) {
  const [password, setPassword] = useState('')
  const [error, setError] = useState('')
  const [isSigningIn, setIsSigningIn] = useState(false)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (password === '') return setError('Enter your password')
    setIsSigningIn(true)
    try {
      await signIn({ email, password })
      onSignedIn()
    } catch (failure) {
      setError(describeError(failure))
      setIsSigningIn(false)
    }
  }
  return (
    <Modal
      opened
      onClose={() => {}}
      title="Please sign in again"
      size={400}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <p className={classes['text']}>Your session has ended. Sign in to continue where you were.</p>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <input className={classes['email']} type="email" name="email" autoComplete="username" aria-label="Email" value={email} readOnly />
        <PasswordField
          label="Password"
          autoComplete="current-password"
          data-autofocus
          value={password}
          error={error}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <div className={classes['actions']}>
          <Button variant="default" onClick={onLeave}>
            Leave without saving
          </Button>
          <Button type="submit" loading={isSigningIn}>
            Sign In
          </Button>
        </div>
      </form>
    </Modal>
  )
}

import { Button, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { passwordMinLength } from '#contract/accounts.ts'
import { PasswordField } from '#web/ui/PasswordField.tsx'
import { useAuthForm, type Mode } from './useAuthForm.ts'
import classes from './AuthCard.module.css'

/** Name, email and password. After signing up it is the sign-in form again, with the email kept. */
export function AuthForm({ mode, onSignedIn }: { mode: Mode; onSignedIn: () => void }) {
  const { form, submit, busy } = useAuthForm(mode, onSignedIn)
  return (
    <form className={classes['form']} onSubmit={submit} noValidate>
      {mode === 'sign-up' && (
        <TextInput label="Full Name" autoComplete="name" key={form.key('full_name')} {...form.getInputProps('full_name')} />
      )}
      <TextInput label="Email" type="email" autoComplete="username" key={form.key('email')} {...form.getInputProps('email')} />
      <div className={classes['field']}>
        <PasswordField
          label="Password"
          hint={mode === 'sign-up' && `At least ${passwordMinLength} characters`}
          autoComplete={mode === 'sign-up' ? 'new-password' : 'current-password'}
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        {mode === 'sign-in' && (
          <Link className={`link ${classes['forgot']}`} to="/auth/forgot">
            Forgot password?
          </Link>
        )}
      </div>
      <Button type="submit" className={classes['submit'] ?? ''} loading={busy}>
        {mode === 'sign-up' ? 'Create Account' : 'Sign In'}
      </Button>
    </form>
  )
}

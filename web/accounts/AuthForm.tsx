import { useEffect } from 'react'
import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { accountRoutes, type FailedSignIns, passwordMinLength, SignIn, SignUp } from '#contract/accounts.ts'
import { call } from '#web/lib/client.ts'
import { formatDayAndTime } from '#web/lib/format.ts'
import { getFieldErrors, showFailure, createSubmitHandler } from '#web/lib/forms.ts'
import { signIn } from '#web/lib/session.ts'
import { dismissToasts, toast } from '#web/lib/toasts.ts'
import { PasswordField } from '#web/ui/PasswordField.tsx'
import classes from './AuthCard.module.css'

type Mode = 'sign-in' | 'sign-up'
type Values = { full_name: string; email: string; password: string }

/** The form to sign in or to sign up. When the mode changes, the fields keep their text. */
export function AuthForm({ mode, onSignedIn }: { mode: Mode; onSignedIn: () => void }) {
  const { form, submit, isSending } = useAuthForm(mode, onSignedIn)
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
      <Button type="submit" className={classes['submit'] ?? ''} loading={isSending}>
        {mode === 'sign-up' ? 'Create Account' : 'Sign In'}
      </Button>
    </form>
  )
}

function useAuthForm(mode: Mode, onSignedIn: () => void) {
  const navigate = useNavigate()
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: { full_name: '', email: '', password: '' },
    validate: (values) => validate(mode, values),
  })
  const onSignUp = async (): Promise<void> => {
    toast({ kind: 'success', title: 'Success!', message: 'Account created successfully. You can now sign in.' })
    form.setFieldValue('password', '')
    await navigate({ to: '/auth', search: ({ next }) => ({ next }), replace: true })
  }
  const onSignIn = (failedSignIns: FailedSignIns | undefined): void => {
    dismissToasts(({ kind }) => kind === 'error')
    if (failedSignIns) showFailedSignIns(failedSignIns, () => void navigate({ to: '/account' }))
    toast({ kind: 'success', title: 'Welcome back!', message: 'You have been signed in successfully.' })
    onSignedIn()
  }
  const request = useMutation({
    mutationFn: (values: Values) => (mode === 'sign-up' ? signUp(values) : signIn({ email: values.email, password: values.password })),
    onError: (error) => showFailure(form, error),
    onSuccess: (failedSignIns) => (mode === 'sign-up' ? onSignUp() : onSignIn(failedSignIns)),
  })
  useEffect(() => {
    form.clearErrors()
    form.getInputNode(findFirstEmptyField(mode, form.getValues()))?.focus()
    // oxlint-disable-next-line react/exhaustive-deps -- the form is the same on every render
  }, [mode])
  return { form, submit: createSubmitHandler(form, (values) => request.mutate(values)), isSending: request.isPending }
}

/** Shows the number of wrong passwords since the last sign-in, because other people may have tried them. */
function showFailedSignIns({ count, since }: FailedSignIns, openAccount: () => void): void {
  toast({
    kind: 'info',
    title: `${count} failed sign-ins`,
    message: `Wrong passwords since ${formatDayAndTime(since)}`,
    action: { label: 'Account', run: openAccount },
  })
}

function findFirstEmptyField(mode: Mode, { full_name, email }: Values): keyof Values {
  if (mode === 'sign-up' && full_name === '') return 'full_name'
  return email === '' ? 'email' : 'password'
}

function validate(mode: Mode, values: Values): Record<string, string> {
  if (mode === 'sign-up') return getFieldErrors(SignUp, values)
  const { email, password } = values
  const isShort = password.length > 0 && password.length < passwordMinLength
  return { ...getFieldErrors(SignIn, { email, password }), ...(isShort && { password: `At least ${passwordMinLength} characters` }) }
}

async function signUp(values: Values): Promise<undefined> {
  await call(accountRoutes.signUp, { body: { ...values, timezone: Intl.DateTimeFormat().resolvedOptions().timeZone } })
}

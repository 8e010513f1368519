import { useEffect } from 'react'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { accountRoutes, passwordMinLength, SignIn, SignUp } from '#contract/accounts.ts'
import { call } from '#web/lib/client.ts'
import { fieldErrors, focusFirst, showFailure } from '#web/lib/forms.ts'
import { signIn } from '#web/lib/session.ts'
import { dismissToasts, toast } from '#web/lib/toasts.ts'

export type Mode = 'sign-in' | 'sign-up'
type Values = { full_name: string; email: string; password: string }

/** The form of the sign-in card. It keeps what was typed when the card turns over. */
export function useAuthForm(mode: Mode, onSignedIn: () => void) {
  const navigate = useNavigate()
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: { full_name: '', email: '', password: '' },
    validate: (values) => wrongFields(mode, values),
  })
  const signedUp = async (): Promise<void> => {
    toast({ kind: 'success', title: 'Success!', message: 'Account created successfully. You can now sign in.' })
    form.setFieldValue('password', '')
    await navigate({ to: '/auth', search: ({ next }) => ({ next }), replace: true })
  }
  const signedIn = (): void => {
    dismissToasts(({ kind }) => kind === 'error')
    toast({ kind: 'success', title: 'Welcome back!', message: 'You have been signed in successfully.' })
    onSignedIn()
  }
  const sending = useMutation({
    mutationFn: (values: Values) => (mode === 'sign-up' ? signUp(values) : signIn({ email: values.email, password: values.password })),
    onError: (error) => showFailure(form, error),
    onSuccess: mode === 'sign-up' ? signedUp : signedIn,
  })
  useEffect(() => {
    form.clearErrors()
    form.getInputNode(firstEmpty(mode, form.getValues()))?.focus()
    // oxlint-disable-next-line react/exhaustive-deps -- the form is the same all along
  }, [mode])
  const submit = form.onSubmit(
    (values) => sending.mutate(values),
    (errors) => void focusFirst(form, errors),
  )
  return { form, submit, busy: sending.isPending }
}

function firstEmpty(mode: Mode, { full_name, email }: Values): keyof Values {
  if (mode === 'sign-up' && full_name === '') return 'full_name'
  return email === '' ? 'email' : 'password'
}

function wrongFields(mode: Mode, values: Values): Record<string, string> {
  if (mode === 'sign-up') return fieldErrors(SignUp, values)
  const { email, password } = values
  const isShort = password.length > 0 && password.length < passwordMinLength
  return { ...fieldErrors(SignIn, { email, password }), ...(isShort && { password: `At least ${passwordMinLength} characters` }) }
}

function signUp(values: Values): Promise<unknown> {
  return call(accountRoutes.signUp, { body: { ...values, timezone: Intl.DateTimeFormat().resolvedOptions().timeZone } })
}

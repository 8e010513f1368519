import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type * as z from 'zod/mini'
import { createSubmitHandler, getFieldErrors, showFailure } from '#web/lib/forms.ts'
import { PasswordField } from '#web/ui/PasswordField.tsx'
import settings from '#web/ui/settings.module.css'

type PasswordBody = { password: string }

type PasswordConfirmationProps<Result> = {
  /** The name of the form. The page has several forms with a password. */
  name: string
  /** The schema of the request body in the contract. */
  body: z.ZodMiniType<PasswordBody>
  buttonLabel: string
  isDangerous?: boolean
  send: (body: PasswordBody) => Promise<Result>
  onDone: (result: Result) => void | Promise<void>
  onCancel: () => void
  /** What the user should know before the confirmation. */
  children: ReactNode
}

/** The content of a dialog that asks for the password before it sends a request. */
export function PasswordConfirmation<Result>(props: PasswordConfirmationProps<Result>) {
  const { name, body, buttonLabel, isDangerous = false, send, onDone, onCancel, children } = props
  const form = useForm({ name, initialValues: { password: '' }, validate: (values) => getFieldErrors(body, values) })
  const request = useMutation({ mutationFn: send, onError: (error) => showFailure(form, error), onSuccess: onDone })
  return (
    <form onSubmit={createSubmitHandler(form, (values) => request.mutate(values))} noValidate>
      {children}
      <PasswordField
        label="Type your password to go on"
        autoComplete="current-password"
        data-autofocus
        {...form.getInputProps('password')}
      />
      <div className={settings['dialogActions']}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" {...(isDangerous && { color: 'red' })} loading={request.isPending}>
          {buttonLabel}
        </Button>
      </div>
    </form>
  )
}

import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { accountRoutes, EmailChange } from '#contract/accounts.ts'
import { call } from '#web/lib/client.ts'
import { fieldErrors, focusFirst, showFailure, useUnsavedWork } from '#web/lib/forms.ts'
import { useSession } from '#web/lib/session.ts'
import { toast } from '#web/lib/toasts.ts'
import { PasswordField } from '#web/ui/PasswordField.tsx'
import { Section } from './Section.tsx'
import { keepEmail } from './queries.ts'
import classes from './AccountPage.module.css'

/** The address to sign in with. Changing it asks for the password. */
export function EmailForm() {
  const { user } = useSession()
  const form = useForm({ initialValues: { email: '', password: '' }, validate: (values) => fieldErrors(EmailChange, values) })
  const change = useMutation({
    mutationFn: (values: typeof form.values) => call(accountRoutes.changeEmail, { body: values }),
    onError: (error) => showFailure(form, error),
    onSuccess: ({ email }) => {
      keepEmail(email)
      form.reset()
      toast({ kind: 'success', title: 'Email changed', message: `You now sign in with ${email}.` })
    },
  })
  useUnsavedWork(form.isDirty())
  return (
    <Section
      title="Email"
      words={
        <>
          You sign in with <b>{user.email}</b>.
        </>
      }
    >
      <form
        onSubmit={form.onSubmit(
          (values) => change.mutate(values),
          (errors) => void focusFirst(form, errors),
        )}
        noValidate
      >
        <div className={classes['fields']}>
          <TextInput label="New email" type="email" autoComplete="off" {...form.getInputProps('email')} />
          <PasswordField label="Current password" autoComplete="current-password" {...form.getInputProps('password')} />
        </div>
        <div className={classes['actions']}>
          <Button type="submit" variant="default" loading={change.isPending}>
            Change email
          </Button>
        </div>
      </form>
    </Section>
  )
}

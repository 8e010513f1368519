import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { EmailChange, accountSettingsRoutes } from '#contract/accountSettings.ts'
import { call } from '#web/lib/client.ts'
import { getFieldErrors, showFailure, createSubmitHandler, useUnsavedWork } from '#web/lib/forms.ts'
import { changeEmailInAllTabs, useSession } from '#web/lib/session.ts'
import { toastWithoutUndo } from '#web/lib/withoutUndo.ts'
import { PasswordField } from '#web/ui/PasswordField.tsx'
import { SettingsSection } from '#web/ui/SettingsSection.tsx'
import { sessionsQuery } from './queries.ts'
import settings from '#web/ui/settings.module.css'
import classes from './AccountPage.module.css'

/** Changes the email address of the account. Asks for the password. */
export function EmailForm() {
  const { user } = useSession()
  const queries = useQueryClient()
  const form = useForm({ initialValues: { email: '', password: '' }, validate: (values) => getFieldErrors(EmailChange, values) })
  const change = useMutation({
    mutationFn: (values: typeof form.values) => call(accountSettingsRoutes.changeEmail, { body: values }),
    onError: (error) => showFailure(form, error),
    onSuccess: ({ email }) => {
      changeEmailInAllTabs(email)
      form.reset()
      toastWithoutUndo('Email changed', `You now sign in with ${email}.`)
      void queries.invalidateQueries(sessionsQuery)
    },
  })
  useUnsavedWork(form.isDirty())
  return (
    <SettingsSection
      title="Email"
      description={
        <>
          You sign in with <b>{user.email}</b>. Changing your email signs you out on every other device.
        </>
      }
    >
      <form onSubmit={createSubmitHandler(form, (values) => change.mutate(values))} noValidate>
        <div className={`${settings['fields']} ${classes['columns']}`}>
          <TextInput label="New email" type="email" autoComplete="off" {...form.getInputProps('email')} />
          <PasswordField label="Current password" autoComplete="current-password" {...form.getInputProps('password')} />
        </div>
        <div className={settings['actions']}>
          <Button type="submit" variant="default" loading={change.isPending}>
            Change email
          </Button>
        </div>
      </form>
    </SettingsSection>
  )
}

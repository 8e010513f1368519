import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { PasswordChange, accountSettingsRoutes } from '#contract/accountSettings.ts'
import { passwordMinLength } from '#contract/accounts.ts'
import { call } from '#web/lib/client.ts'
import { getFieldErrors, showFailure, createSubmitHandler, useUnsavedWork } from '#web/lib/forms.ts'
import { toastWithoutUndo } from '#web/lib/withoutUndo.ts'
import { PasswordField } from '#web/ui/PasswordField.tsx'
import { SettingsSection } from '#web/ui/SettingsSection.tsx'
import { sessionsQuery } from './queries.ts'
import settings from '#web/ui/settings.module.css'
import classes from './AccountPage.module.css'

/** Changes the password. The server then signs out all other devices. */
export function PasswordForm() {
  const queries = useQueryClient()
  const form = useForm({
    initialValues: { current_password: '', new_password: '' },
    validate: (values) => getFieldErrors(PasswordChange, values),
  })
  const change = useMutation({
    mutationFn: (values: typeof form.values) => call(accountSettingsRoutes.changePassword, { body: values }),
    onError: (error) => showFailure(form, error),
    onSuccess: async () => {
      form.reset()
      toastWithoutUndo('Password changed', 'Every other device has been signed out.')
      await queries.invalidateQueries(sessionsQuery)
    },
  })
  useUnsavedWork(form.isDirty())
  return (
    <SettingsSection title="Password" description="Changing your password signs you out on every other device.">
      <form onSubmit={createSubmitHandler(form, (values) => change.mutate(values))} noValidate>
        <div className={`${settings['fields']} ${classes['columns']}`}>
          <PasswordField label="Current password" autoComplete="current-password" {...form.getInputProps('current_password')} />
          <PasswordField
            label="New password"
            hint={`At least ${passwordMinLength} characters`}
            autoComplete="new-password"
            {...form.getInputProps('new_password')}
          />
        </div>
        <div className={settings['actions']}>
          <Button type="submit" variant="default" loading={change.isPending}>
            Change password
          </Button>
        </div>
      </form>
    </SettingsSection>
  )
}
